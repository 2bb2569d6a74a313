/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file models vpmc_mark(), which reads all counts of a thread at one moment. It
 * reads two counts and the virtual time stamp counter in a loop, until the page's
 * sequence was the same before and after. page.pml shows that each single count is right.
 * This model shows that all counts belong to the same moment. Anything may happen to the
 * thread between two instructions, and its signal handlers may do anything that is
 * allowed: start other events on other counters, and fork.
 *
 * The model does not have numbers. Time is divided into MOST stretches. In a stretch the
 * thread stays on one processor, and its counters and its page do not change. Each value
 * that is read is marked with its stretch.
 *
 * BROKEN_... does one thing wrong, to see that errors are found.
 */

#define MOST	4	/* the search ends after this number of stretches */

/* This is the true state. */
byte stretch;
byte generation;
byte made[MOST + 1];	/* generation of each stretch */
bool swapped;		/* event 0 is on counter 1, and event 1 on counter 0 */
bool accepted;		/* see page.pml */
bool counts;

typedef page_type {
	byte sequence;
	byte generation;
	bool swapped;	/* count[i].counter */
	bool valid;	/* count[i].high */
	byte time;	/* stretch of @tsc and @high */
};
page_type page;

/* ------------------------------------------------------------ the kernel */

inline write_page()
{
	page.generation = generation;
	page.swapped = swapped;
	page.valid = counts && accepted;
	page.time = stretch;
	made[stretch] = generation
}

inline change()
{
	page.sequence++;
	stretch++;
	write_page()
}

inline switch_out_and_in()
{
#ifdef BROKEN_SWITCH
	stretch++;
	write_page()
#else
	change()
#endif
}

inline other_events()
{
	generation++;
	counts = true;
	if
	:: swapped = false
	:: swapped = true
	fi
}

inline start_self()
{
	other_events();
	accepted = true;
#ifdef BROKEN_START
	stretch++;
	write_page()
#else
	change()
#endif
}

/*
 * From here on, the model follows the child of a fork. The child has a copy of all registers.
 * At the address of its parent's page it has its own page.
 */
inline go_on_in_child()
{
	generation++;
#ifdef BROKEN_FORK
	page.sequence = 0;
#endif
	change()
}

proctype kernel()
{
end:	do
	:: atomic { stretch < MOST -> switch_out_and_in() }
	/* Another process stops the thread, or starts it again. */
	:: atomic { stretch < MOST ->
		accepted = false; counts = false; change() }
	:: atomic { stretch < MOST ->
		accepted = false; other_events(); change() }
	/* The thread itself does this, in a signal handler or between two marks. */
	:: atomic { stretch < MOST -> start_self() }
	:: atomic { stretch < MOST -> counts = false; change() }
	:: atomic { stretch < MOST -> accepted = true; change() }	/* map */
	:: atomic { stretch < MOST -> go_on_in_child() }
	od
}

/* ------------------------------------------------------------ the reader */

/* Add the page's word of this moment. */
inline add(i)
{
	valid = valid && page.valid;
	high[i] = page.time
}

proctype mark()
{
	byte sequence, marked, tsc, offset, i;
	byte low[2], high[2];
	bool ecx, event[2], valid;

end:	do
	:: atomic {
		sequence = page.sequence;
		valid = true
	   };
	   marked = page.generation;
	   i = 0;
	   do
	   :: i < 2 ->
		atomic { ecx = (i == 1) ^ page.swapped };
		/* rdpmc */
		atomic {
			low[i] = stretch;
			event[i] = ecx ^ swapped
		};
#ifdef BROKEN_LATE_ADDITION
		if
		:: i == 0 -> atomic { add(i) }
		:: else
		fi;
#else
		atomic { add(i) };
#endif
		i++
	   :: else -> break
	   od;
	   tsc = stretch;	/* rdtsc */
	   offset = page.time;
#ifndef BROKEN_NO_SEQUENCE
	   if
	   :: page.sequence == sequence
	   :: else -> goto again
	   fi;
#endif
#ifdef BROKEN_LATE_ADDITION
	   atomic { add(1) };
#endif
	   atomic {
		if
		:: valid ->
#ifdef REACH
			/*
			 * tests/spin/check expects this assertion to fail, which proves that
			 * REACH can happen.
			 */
			assert(!(REACH));
#endif
			assert(low[0] == low[1] && low[0] == tsc);
			assert(high[0] == low[0] && high[1] == low[0]);
			assert(offset == tsc);
			assert(event[0] == 0 && event[1] == 1);
			assert(marked == made[low[0]])
		:: else
		fi
	   };
again:	   atomic {
		sequence = 0; marked = 0; tsc = 0; offset = 0; i = 0;
		low[0] = 0; low[1] = 0; high[0] = 0; high[1] = 0;
		ecx = false; event[0] = false; event[1] = false; valid = false
	   }
	od
}

init {
	atomic {
		run kernel();
		run mark()
	}
}
