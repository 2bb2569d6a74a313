/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All counts of a thread at one moment, vpmc_mark(): two counts and the virtual
 * time stamp counter, read in a loop until the page's sequence was the same
 * before and after. That each count by itself is right is what page.pml shows.
 * Here the question is what they are counts of, while anything happens to the
 * thread between any two instructions, and signal handlers do whatever is
 * allowed: start other events on other counters, and fork, too.
 *
 * So the model knows no numbers. A moment is one of MOST stretches of time, in
 * which the thread is on one processor and its counters and its page stay what
 * they are. Whatever is read is marked with the stretch that it is of.
 *
 * BROKEN_...: one thing done wrong, to see that errors are found.
 */

#define MOST	4	/* stretches: where the search ends */

/* What is true. */
byte stretch;
byte generation;
byte made[MOST + 1];	/* the generation of each stretch */
bool swapped;		/* event 0 is on counter 1, and event 1 on counter 0 */
bool accepted;		/* as in page.pml */
bool counts;

typedef page_type {
	byte sequence;
	byte generation;
	bool swapped;	/* count[i].counter */
	bool valid;	/* count[i].high */
	byte time;	/* the stretch that @tsc is of, and @high */
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
 * From here on this is about the child, which finds a copy of all registers,
 * and its own page where its parent's was.
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
	/* Somebody else stops the thread, or starts it anew. */
	:: atomic { stretch < MOST ->
		accepted = false; counts = false; change() }
	:: atomic { stretch < MOST ->
		accepted = false; other_events(); change() }
	/* The thread itself, in a signal handler or between two marks. */
	:: atomic { stretch < MOST -> start_self() }
	:: atomic { stretch < MOST -> counts = false; change() }
	:: atomic { stretch < MOST -> accepted = true; change() }	/* map */
	:: atomic { stretch < MOST -> go_on_in_child() }
	od
}

/* ------------------------------------------------------------ the reader */

/* An addition, of what the page holds at that moment. */
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
			/* To be violated: such a thing can happen. */
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
