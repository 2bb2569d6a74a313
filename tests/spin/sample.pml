/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file models how samples are taken (vpmc/thread/sample.h): two threads on one processor leave
 * a sample at each event whose number is a multiple of PERIOD. An event may happen between any two
 * steps of the kernel, as in kernel mode. The interrupt of an overflow may come at any time after
 * it, between any two steps, and two that have not come yet become one. The NMI itself is one step,
 * because nothing interrupts it.
 *
 * The model leaves out the events between the read of a counter and the next write, which the
 * driver does not count. The threads count until they have had MOST events each.
 *
 * BROKEN_... does one thing wrong, to see that errors are found.
 */

#define PERIOD	3
#define MOST	7
#define RANGE	16	/* the values of a counter; it overflows to 0 */
#define NOBODY	2

typedef thread {
	byte truth;	/* events that have happened while the processor counted for it */
	byte sum;
	byte start;
	byte next;
	byte samples
};
thread T[2];

byte hardware;		/* the counter */
bool counts;		/* whether it is enabled, and interrupts */
bool interrupt;		/* has been requested, and has not come yet */
byte loaded = NOBODY;	/* vpmc_loaded */
bool gap;		/* between a read of the counter and the write */

/* struct vpmc_sample_cpu */
bool busy;
bool again;
bool expected;
bool armed;

#define OVERFLOWED	(armed && hardware < RANGE / 2)

/* ------------------------------------------------------------ the driver */

inline advance(t)
{
	T[t].sum = T[t].sum + (hardware + RANGE - T[t].start) % RANGE;
	T[t].start = hardware;
	assert(T[t].sum == T[t].truth)
}

/* Take the samples that are due. Sets @any. */
inline take(t)
{
	any = false;
	do
	:: T[t].sum >= T[t].next ->
		T[t].samples++;
		T[t].next = T[t].next + PERIOD;
		any = true
	:: else -> break
	od;
	assert(T[t].samples == T[t].truth / PERIOD)
}

inline reload(t)
{
	hardware = RANGE - (T[t].next - T[t].sum);
	T[t].start = hardware
}

inline changes_begin()
{
#ifndef BROKEN_BUSY
	busy = true
#else
	skip
#endif
}

inline changes_end()
{
	busy = false;
	do
	:: again ->
		busy = true;
		again = false;
		if
		:: loaded != NOBODY -> gap = true; fold(loaded, true); gap = false
		:: else
		fi;
		busy = false
	:: else -> break
	od
}

/* vpmc_loaded_advance() and vpmc_sample_fold() */
inline fold(t, stays)
{
	d_step { advance(t) };
	d_step { take(t) };
	if
	:: any ->
#ifndef BROKEN_EXPECTED
		if
		:: !again -> expected = true
		:: else
		fi;
#endif
		if
		:: stays -> d_step { reload(t) }
		:: else
		fi
	:: else
	fi
}

inline load(t)
{
	changes_begin();
	gap = true;
	d_step { counts = true; reload(t) };
	armed = true;
	loaded = t;
	gap = false;
	changes_end()
}

inline unload()
{
	changes_begin();
	gap = true;
	fold(loaded, false);
#ifndef BROKEN_STOP
	counts = false;
#endif
	loaded = NOBODY;
	armed = false;
	gap = false;
	changes_end()
}

/* ------------------------------------------------------------ the processor */

active proctype kernel()
{
	bool any;

	T[0].next = PERIOD;
	T[1].next = PERIOD;
	do
	:: loaded == NOBODY && T[0].truth < MOST -> load(0)
	:: loaded == NOBODY && T[1].truth < MOST -> load(1)
	:: loaded != NOBODY -> 
		changes_begin();
		gap = true;
		fold(loaded, true);
		gap = false;
		changes_end()
	:: loaded != NOBODY -> unload()
	:: loaded == NOBODY && T[0].truth == MOST && T[1].truth == MOST -> break
	od
}

active proctype event()
{
end:	do
	:: atomic { counts && !gap && (loaded == NOBODY || T[loaded].truth < MOST) ->
		hardware = (hardware + 1) % RANGE;
		interrupt = interrupt || hardware == 0;
		if
		:: loaded != NOBODY -> T[loaded].truth++
		:: else
		fi }
	od
}

/* No overflow is left without an interrupt that will come, or work that will be done. */
#define UNNOTICED	(OVERFLOWED && !interrupt && !busy && !again)

active proctype nmi()
{
	bool any;

end:	do
	:: atomic { interrupt ->
		interrupt = false;
		if
		:: !OVERFLOWED ->
			/* Otherwise the kernel reports an NMI of unknown reason. */
			assert(expected);
			expected = false
		:: OVERFLOWED && busy ->
#ifndef BROKEN_AGAIN
			again = true
#else
			skip
#endif
		:: OVERFLOWED && !busy ->
			assert(loaded != NOBODY);
			advance(loaded);
			take(loaded);
			reload(loaded)
		fi }
	:: atomic { UNNOTICED -> assert(false) }
#ifdef REACH
	:: atomic { REACH -> assert(false) }
#endif
	od
}
