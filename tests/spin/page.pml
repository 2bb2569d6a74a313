/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file models the page from which a thread reads its count without a system call:
 * the kernel that writes the page, and the code that reads it. tests/spin/check runs the
 * model, and docs/internals/design.md ("Reading without a system call") explains it.
 *
 * The model has two processors. Threads of one process have mapped their pages, and
 * another process controls the first of these threads. All other tasks are "the others".
 * They leave any value in the counters. A step of the model is an instruction of the
 * reader, or kernel code that runs with interrupts off on the thread's processor. Steps
 * come in any order, and so do the events of the counter.
 *
 * User mode looks at the low 32 bits of a counter. One round of these bits is ROUND events
 * here, 4 or 8, instead of 2^32. The hardware counter is wider and wraps later, after
 * WIDTH events.
 *
 * read() asserts that each read returns the count of the moment of RDPMC, or a negative
 * number. It also asserts that RDPMC never shows the events of the others.
 *
 * A thread reads. One of these takes part in addition:
 *	WITH_HANDLER	a signal handler that interrupts it and reads too
 *	WITH_THREAD	a second thread of the process, which has its own page
 *	WITH_CHILD	a child of vfork, which has the thread pointer of its
 *			parent, and so the parent's page
 *
 * One property of the hardware is optional:
 *	WITH_COPIES	a write of the counter copies the top bit of the round to all
 *			bits above it
 *
 * To see that errors are found, tests/spin/check also runs the model with one thing left
 * out or done wrong (BROKEN_...), or without an assumption (ASSUME_NOT_...).
 */

#define WIDTH	(2 * ROUND)
#define HALF	(ROUND / 2)		/* the top bit, bit 31 */
#define QUARTER	(ROUND / 4)
/*
 * The search ends at this count of thread @t. The limit of a second thread is lower, so
 * that the search takes less time.
 */
#ifdef WITH_THREAD
#define MOST(t)	(t == 0 -> ROUND + 1 : HALF + 1)
#else
#define MOST(t)	(t == 0 -> 2 * ROUND : HALF + 1)
#endif

#define INVALID	-16			/* in rounds; each sum with it is negative */
#define NONE	-1

#define NOWHERE	2			/* not a processor */
#define OTHERS	2			/* not one of the threads */

#ifdef WITH_HANDLER
#define THREADS	1
#else
#define THREADS	2
#endif
#define CHILD	1			/* with WITH_CHILD, the child */

typedef thread_type {
	bool exists;
	bool user;	/* not within a system call */
	byte cpu;
	/* These are fields of the driver; see docs/internals/design.md, "Who protects what". */
	bool wanted;	/* called "run" there */
	bool loaded;
	bool revoked;	/* the epoch has changed */
	bool accepted;	/* the page may show these counts */
	bool forks;	/* a child of vfork has the same thread pointer */
	byte sum;
	byte start;
	/* This is the number of events that have really happened. */
	byte truth;
	/*
	 * Before the kernel looks at the counter, at most this number of further events may
	 * happen.
	 */
	byte unseen;
};

/* The words are in rounds of the counter. A child of vfork does not have its own page. */
typedef page_type {
	short high[2];
};

typedef cpu_type {
	byte current;
	byte counter;
	/* These counters, in use and unused, contain events of the others. */
	bool foreign;
	bool foreign_unused;
	bool system;	/* has followed the last change of system mode */
};

/* This is the state of a thread or of its signal handler, between RDPMC and the addition. */
typedef reader_type {
	short expect;	/* count at RDPMC, or NONE */
	byte room;	/* events that may come before the addition */
	bool reads;
};

thread_type T[THREADS];
page_type page[THREADS];
cpu_type cpu[2];
reader_type reader[2];	/* one per thread; or one for a thread and one for its handler */
bool handler;		/* the signal handler is active */
bool system;		/* system mode */
bool locked;		/* the process's lock is held for longer than one step */

/* ------------------------------------------------------------ the driver */

/*
 * Set @value to any number, because a counter may show any number while it does not count for a
 * thread.
 */
inline choose(value)
{
	value = 0;
	do
	:: value < ROUND - 1 -> value++
	:: break
	od
}

#define may_load(t)	(T[t].wanted && !T[t].revoked)

inline invalidate(t)
{
	page[t].high[0] = INVALID;
	page[t].high[1] = INVALID;
}

/*
 * Write @count to the page. high[0] is the round of the nearest lower half, and high[1] is the
 * round of the nearest upper half. Each word changes when the counter is farthest from the half
 * of this word: high[0] in the middle of an upper half, and high[1] in the middle of a lower
 * half.
 */
inline publish(t, count)
{
#if defined(BROKEN_HALVES)
	/* This is wrong: it announces the next half as soon as the counter is in this one. */
	page[t].high[0] = (count + HALF) / ROUND;
	page[t].high[1] = count / ROUND;
#elif defined(BROKEN_ONE_WORD)
	page[t].high[0] = count / ROUND;
	page[t].high[1] = count / ROUND;
#elif defined(BROKEN_OTHER_HALF)
	/* This is wrong: it writes only the half that the counter is in, and not the next half. */
	page[t].high[(count % ROUND) / HALF] = count / ROUND;
#else
	page[t].high[0] = (count + QUARTER) / ROUND;
	page[t].high[1] = (count + ROUND - QUARTER) / ROUND - 1;
#endif
}

inline refresh(t)
{
	if
	:: T[t].loaded && T[t].accepted && !T[t].forks -> publish(t, T[t].sum)
	:: else
	fi;
	T[t].unseen = QUARTER
}

#define on(t)		cpu[T[t].cpu]	/* the thread's processor */

/* Add the events that the hardware has counted since the kernel looked at it last. */
inline account(t)
{
	T[t].sum = T[t].sum +
		   (on(t).counter + WIDTH - T[t].start) % WIDTH;
	T[t].start = on(t).counter
}

inline fold(t)
{
	if
	:: T[t].loaded && !T[t].revoked ->
		account(t);
		refresh(t)
	:: else
	fi
}

/* Let the processor count for @t, from @t's count on. */
inline load(t)
{
#ifndef BROKEN_COUNTER_NOT_WRITTEN
	on(t).counter = T[t].sum % ROUND;
#ifdef WITH_COPIES
	if
	:: on(t).counter >= HALF ->
		on(t).counter = on(t).counter + WIDTH - ROUND
	:: else
	fi;
#endif
	on(t).foreign = false;
#endif
	T[t].start = on(t).counter;
	T[t].loaded = true;
	refresh(t)
}

inline unload(t)
{
	fold(t);
#ifdef BROKEN_TAKEOVER
	/* This is wrong: it invalidates only the page of a thread that still counts. */
	if
	:: !T[t].revoked -> invalidate(t)
	:: else
	fi;
#else
	invalidate(t);
#endif
	T[t].loaded = false;
	/* The counter continues, so RDPMC may show any value; read() chooses one. */
	on(t).counter = 0
}

/*
 * Clear the counters after the others have run, so that the counters do not show events of the
 * others.
 */
inline clear(t)
{
#ifdef BROKEN_NOT_CLEARED
	skip
#else
	if
	:: !T[t].loaded -> on(t).foreign = false
	:: else
	fi;
	on(t).foreign_unused = false
#endif
}

/* ------------------------------------------------------------ its hooks */

inline switch_out(t)
{
#ifdef BROKEN_STAYS_VALID
	fold(t);
	T[t].loaded = false;
#else
	unload(t);
#endif
	T[t].cpu = NOWHERE
}

inline switch_to_others(c, t)
{
	switch_out(t);
	cpu[c].current = OTHERS;
	cpu[c].foreign = true;
	cpu[c].foreign_unused = true
}

inline switch_in(c, t)
{
	cpu[c].current = t;
	T[t].cpu = c;
	if
	:: may_load(t) && !cpu[c].system -> load(t)
	:: else
	fi
}

inline switch_from_others(c, t)
{
#ifdef BROKEN_COUNTER_NOT_WRITTEN
	choose(cpu[c].counter);
#endif
	switch_in(c, t);
	clear(t)
}

/* ------------------------------------------------------------ the hardware */

#ifdef ASSUME_NOT_SEEN
#define seen(t)		true
#else
#define seen(t)		(T[t].unseen > 0)
#endif
#ifdef ASSUME_NOT_IN_TIME
#define in_time(r)	true
#else
#define in_time(r)	(!reader[r].reads || reader[r].room > 0)
#endif

#ifdef WITH_HANDLER
#define in_time_of(t)	(in_time(0) && in_time(1))
#else
#define in_time_of(t)	in_time(t)
#endif

inline use_room(r)
{
	if
	:: reader[r].reads && reader[r].room > 0 -> reader[r].room--
	:: else
	fi
}

/* Count one event of the thread @t, which is running on its processor. */
inline count_event(t)
{
	on(t).counter = (on(t).counter + 1) % WIDTH;
	T[t].truth++;
	if
	:: T[t].unseen > 0 -> T[t].unseen--
	:: else
	fi;
#ifdef WITH_HANDLER
	use_room(0);
	use_room(1)
#else
	use_room(t)
#endif
}

#define can_count(t)	(T[t].loaded && T[t].truth < MOST(t) && seen(t) && \
			 in_time_of(t))

/* This is the interrupt on processor @c when system mode begins or ends. */
inline follow_system(c)
{
	cpu[c].system = system;
	if
#if THREADS > 1
	:: cpu[c].current == 1 ->
		unload(1);
		clear(1)
#endif
	:: cpu[c].current == 0 ->
		unload(0);
		clear(0)
	:: else
	fi
}

#define runs(c, t)	(cpu[c].current == t)
#define gone(t)		(T[t].exists && T[t].cpu == NOWHERE)

proctype processor(byte c)
{
end:	do
	:: atomic { runs(c, 0) && can_count(0) -> count_event(0) }
	:: atomic { runs(c, 0) -> fold(0) }	/* the tick */
	:: atomic { runs(c, 0) -> switch_to_others(c, 0) }
	:: atomic { runs(c, OTHERS) && gone(0) -> switch_from_others(c, 0) }
#if THREADS > 1
	:: atomic { runs(c, 1) && can_count(1) -> count_event(1) }
	:: atomic { runs(c, 1) -> fold(1) }
	:: atomic { runs(c, 1) -> switch_to_others(c, 1) }
	:: atomic { runs(c, OTHERS) && gone(1) -> switch_from_others(c, 1) }
	:: atomic { runs(c, 0) && gone(1) -> switch_out(0); switch_in(c, 1) }
	:: atomic { runs(c, 1) && gone(0) -> switch_out(1); switch_in(c, 0) }
#endif
	:: atomic { cpu[c].system != system -> follow_system(c) }
	od
}

/* ------------------------------------------------------------ the reader */

#ifdef WITH_HANDLER
#define goes_on(r, t)	(T[t].cpu != NOWHERE && T[t].user && handler == r)
#else
#define goes_on(r, t)	(T[t].cpu != NOWHERE && T[t].user)
#endif

/*
 * The reader @id in the thread @self executes vpmc_count() with the page of @owner. The first
 * three instructions load the address of the page and ECX. Both are constant here, so the model
 * begins after these instructions. mark.pml changes events and counters.
 */
inline read(id, self, owner)
{
	/* rdpmc; mov %eax, %edx; shr $31, %edx */
	atomic { goes_on(id, self) ->
		/* The assertion covers all counters, whatever ECX is. */
		assert(!on(self).foreign);
		assert(!on(self).foreign_unused);
		if
		:: T[self].loaded ->
			raw = on(self).counter % ROUND;
			reader[id].expect = T[self].truth;
			reader[id].room = QUARTER
		:: else ->
			choose(raw);
			reader[id].expect = NONE
		fi;
		reader[id].reads = true
	};
	/* or high(page, %rdx, 8), %rax */
	atomic { goes_on(id, self) ->
		result = page[owner].high[raw / HALF] * ROUND + raw;
		assert(result < 0 || result == reader[id].expect);
#ifdef REACH
		/*
		 * tests/spin/check expects this assertion to fail, which proves that REACH can
		 * happen.
		 */
		assert(!(REACH));
#endif
		reader[id].reads = false;
		reader[id].room = 0;
		reader[id].expect = 0;
		result = 0;
		raw = 0
	}
}

/* A read that has begun has lost its count, so its result must be negative. */
inline outdate(id)
{
	if
	:: reader[id].reads ->
		reader[id].reads = false;
		reader[id].room = 0;
		reader[id].expect = NONE
	:: else
	fi
}

/* VPMC_START begins new counts. */
inline start_anew(t)
{
#ifdef WITH_HANDLER
	outdate(0);
	outdate(1);
#else
	outdate(t);
#endif
	T[t].sum = 0;
	T[t].truth = 0;
	T[t].revoked = false
}

inline go_on_self(t)
{
	T[t].wanted = true;
	T[t].accepted = true;
	load(t)
}

inline start_self(t)
{
	unload(t);
	start_anew(t);
	go_on_self(t)
}

inline stop_self(t)
{
	unload(t);
	T[t].wanted = false
}

#define no_system	(!system && !cpu[0].system && !cpu[1].system)
/* Only the first thread makes system calls, because the search would take too long otherwise. */
#define calls(t)	(t == 0 && goes_on(t, t) && !locked)

proctype program(byte t)
{
	byte raw;
	short result;

end:	do
	:: read(t, t, t)
	:: atomic { calls(t) && no_system -> start_self(t) }
	:: atomic { calls(t) && no_system && !T[t].wanted && !T[t].revoked ->
		go_on_self(t) }
	:: atomic { calls(t) -> stop_self(t) }
	/* VPMC_MAP */
	:: atomic { calls(t) -> T[t].accepted = true; fold(t) }
#ifdef WITH_CHILD
	/* This is vfork. The child may run before this thread is switched out. */
	:: atomic { calls(t) && !T[CHILD].exists ->
		T[t].user = false;
#ifndef BROKEN_VFORK
		T[t].forks = true;
		invalidate(t);
#endif
		T[CHILD].exists = true;
		T[CHILD].user = true;
		T[CHILD].wanted = may_load(t) };
	   atomic { T[t].cpu != NOWHERE && !T[CHILD].exists ->
		T[t].forks = false;
		fold(t);
		T[t].user = true }
#endif
	od
}

#ifdef WITH_CHILD
proctype child()
{
	byte raw;
	short result;

end:	do
	:: read(CHILD, CHILD, 0)
	/* This is execve or exit. */
	:: atomic { goes_on(CHILD, CHILD) ->
		if
		:: T[CHILD].cpu == 0 -> switch_to_others(0, CHILD)
		:: else -> switch_to_others(1, CHILD)
		fi;
		T[CHILD].exists = false;
		T[CHILD].user = false;
		T[CHILD].wanted = false;
		T[CHILD].revoked = false;
		T[CHILD].accepted = false;
		start_anew(CHILD);
		T[CHILD].start = 0;
		T[CHILD].unseen = 0 }
	od
}
#endif

#ifdef WITH_HANDLER
/* The handler may stop and read. mark.pml has a handler that starts again. */
proctype signal_handler()
{
	byte raw;
	short result;

end:	do
	:: atomic { goes_on(0, 0) -> handler = true };
	   do
	   :: read(1, 0, 0)
	   :: atomic { goes_on(1, 0) && !locked -> stop_self(0) }
#ifdef BROKEN_START_IN_HANDLER
	   :: atomic { goes_on(1, 0) && !locked && no_system ->
		start_self(0) }
#endif
	   :: atomic { goes_on(1, 0) -> handler = false; break }
	   od
	od
}
#endif

/* ------------------------------------------------- another process, which may control */

/* Each processor executes this when vpmc_thread_set_state() changes a thread. */
inline follow(c, t)
{
	if
	:: cpu[c].current == t && !may_load(t) -> unload(t)
	:: cpu[c].current == t && may_load(t) && !T[t].loaded -> load(t)
	:: else
	fi
}

inline set_run(t, on)
{
	atomic { T[t].wanted = on };
	atomic { follow(0, t) };
	atomic { follow(1, t) }
}

/* Stop the first thread. Then start it again, let it resume, or do neither. */
proctype controller()
{
end:	do
	:: atomic { !locked -> locked = true };
	   set_run(0, false);
#ifndef BROKEN_ACCEPTED
	   T[0].accepted = false;
#endif
	   if
	   :: skip
	   :: atomic { no_system -> start_anew(0) };
	      set_run(0, true)
	   :: atomic { no_system && !T[0].revoked };
	      set_run(0, true)
	   fi;
	   locked = false
	/* System mode takes the counters. It changes the epoch first. */
	:: atomic { !locked && no_system ->
		system = true;
		T[0].revoked = true;
#if THREADS > 1
		T[1].revoked = true;
#endif
		locked = true };
	   atomic { cpu[0].system && cpu[1].system -> locked = false }
	:: atomic { !locked && system -> system = false; locked = true };
	   atomic { !cpu[0].system && !cpu[1].system -> locked = false }
	od
}

init {
	atomic {
		cpu[0].current = OTHERS;
		cpu[1].current = OTHERS;
		cpu[0].foreign = true;
		cpu[0].foreign_unused = true;
		cpu[1].foreign = true;
		cpu[1].foreign_unused = true;
		T[0].exists = true;
		T[0].user = true;
		T[0].cpu = NOWHERE;
		invalidate(0);
#if THREADS > 1
		T[1].cpu = NOWHERE;
		invalidate(1);
#endif
		run processor(0);
		run processor(1);
		run program(0);
#if defined(WITH_HANDLER)
		run signal_handler();
#elif defined(WITH_CHILD)
		run child();
#else
		T[1].exists = true;
		T[1].user = true;
		T[1].wanted = true;
		T[1].accepted = true;
		run program(1);
#endif
		run controller()
	}
}
