/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * vpmc: hardware event counters as a property of a process.
 *
 * Everything goes through ioctls on /dev/vpmc. A file descriptor ("handle")
 * is only a way to reach counters; the counters belong to threads and
 * processes, and closing one handle does not stop them. When none is left that could
 * show the counts, they are stopped: see VPMC_START_KEEP.
 *
 * VPMC_START binds a handle to the process that made the call. It stays bound
 * when it is inherited over fork(2) or passed over a socket, and when that
 * process exits: a parent opens the handle, its child starts the count, and the
 * parent reads it after the child is gone. The calls on an unbound handle mean
 * the calling process. VPMC_ATTACH binds a handle to another process or thread,
 * for its owner to read and control it.
 *
 * Every structure begins with its own size, which the caller sets. A caller
 * with a shorter structure than the kernel's is served as if the rest were
 * zero; one with a longer structure is refused with E2BIG if the part that
 * the kernel does not know is not zero. All fields have the same offset for
 * 32-bit and 64-bit callers. "in" fields are written by the caller and only
 * read by the kernel; "out" fields are written by the kernel before the call
 * returns. The kernel takes no lock that the caller could share: no other
 * thread may use a structure while its call is under way.
 *
 * Two numbers identify counts, and no two of either kind are ever the same.
 * The generation belongs to the counter set of a process: it changes when its
 * events change, when the counters are taken away, and when the process
 * executes a program that the observer must not watch. The start identifies
 * one VPMC_START from zero within it. Threads and processes that inherit events
 * inherit the start, too. Every answer carries both. If they are not the ones
 * that the reader knows, these are other counts; VPMC_QUERY returns their
 * events.
 *
 * EFAULT changes nothing: the kernel tries to write an answer before it acts.
 * The exception is memory that another thread unmaps during the call.
 */
#ifndef _UAPI_LINUX_VPMC_H
#define _UAPI_LINUX_VPMC_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define VPMC_DEVICE		"/dev/vpmc"

/* Of what is released: until the first release it stays 1 whatever changes. */
#define VPMC_ABI_VERSION	1

/* The most events and counts that one structure can hold. */
#define VPMC_MAX_EVENTS		32

/*
 * Records that one handle keeps (VPMC_START_RECORDS); further ones are lost. The
 * memory of all records is charged to the user who started to collect them, and those
 * beyond RLIMIT_MEMLOCK are lost, unless that had CAP_IPC_LOCK.
 */
#define VPMC_MAX_RECORDS	16384

/*
 * struct vpmc_event - what one hardware counter counts
 * @code: the event's code in the processor's manual. On the Pentium this is
 *	the six-bit event select, or VPMC_P5_CLOCKS. On all later processors it
 *	is an event select register's event select and unit mask, and if need be
 *	its edge and invert bits and counter mask. 0x300 is what Intel's third
 *	fixed counter counts, clocks at the rate of the time stamp counter. AMD's
 *	since family 10H have bits 11 to 8 of the event select in bits 35 to 32.
 * @counter: the hardware counter that counts it, from 0; fixed ones, which count one
 *	event each, have the numbers behind those of all others. Or
 *	VPMC_COUNTER_ANY for one that the driver chooses, the same each time for
 *	the same events. Then VPMC_QUERY says which.
 * @modes: VPMC_MODE_* bits, at least one.
 * @pad: 0
 * @extra: what another register must hold for this event, 0 for an event that
 *	needs none. The driver writes OFFCORE_RSP_0 and OFFCORE_RSP_1 of Intel's
 *	processors, for events 0x1b7 and 0x1bb, and no other such register.
 */
struct vpmc_event {
	__aligned_u64 code;
	__u16 counter;
	__u16 modes;
	__u32 pad;
	__aligned_u64 extra;
};

#define VPMC_COUNTER_ANY	0xffff

#define VPMC_MODE_USER		0x1	/* privilege level 3 */
#define VPMC_MODE_KERNEL	0x2	/* levels 0 to 2; needs CAP_PERFMON */

/*
 * A counter of the Pentium can count clocks in place of an event. The code is
 * that bit's place in one counter's half of the CESR (Pentium Processor Family
 * Developer's Manual, volume 3, chapter 26).
 */
#define VPMC_P5_CLOCKS		0x100

/* Why VPMC_START refused with EINVAL: the value of vpmc_start.error. */
enum vpmc_reason {
	VPMC_REASON_NONE = 0,
	VPMC_REASON_FLAGS,		/* unknown flags, or in conflict */
	VPMC_REASON_NO_EVENTS,		/* nr_events is 0 */
	VPMC_REASON_TOO_MANY,		/* more events than there can be */
	VPMC_REASON_UNKNOWN_EVENT,	/* no such code on this processor */
	VPMC_REASON_RESERVED_BITS,	/* code or pad has bits that must stay 0 */
	VPMC_REASON_PIN_CONTROL,	/* code asks for the PM0/PM1 pins */
	VPMC_REASON_NO_COUNTER,		/* processor has no such counter */
	VPMC_REASON_COUNTER_TAKEN,	/* two events on one counter */
	VPMC_REASON_MODES,		/* modes empty or unknown */
	VPMC_REASON_RESUME,		/* events differ from those to resume */
	VPMC_REASON_WRONG_COUNTER,	/* counter cannot count this event */
	VPMC_REASON_SHARED,		/* event counts for other tasks, too */
	VPMC_REASON_MORE_REGISTERS,	/* needs registers that are not written */
	VPMC_REASON_EXTRA_RESERVED,	/* @extra has bits that must stay 0 */
	VPMC_REASON_EXTRA_TAKEN,	/* two events, other values of @extra */
};

/*
 * struct vpmc_start - argument of VPMC_START
 * @size: in, sizeof(struct vpmc_start)
 * @flags: in, VPMC_START_* bits
 * @nr_events: in, how many of @event are used
 * @error: out when the call fails with EINVAL, enum vpmc_reason
 * @error_event: out when the call fails with EINVAL, the index in @event of
 *	the one at fault (0 if there is no single one)
 * @pad: in, 0
 * @generation: out, the generation of the counter set
 * @start: out, the identity of this start; of one that resumes, that of the
 *	counts that go on
 * @self_start: out, the identity of what VPMC_SCOPE_SELF counts: that of the
 *	start that began the generation. It differs from @start if other threads
 *	of the process were counting already. Their events may be others. 0 if the
 *	caller must not see what these count.
 * @event: in, what to count
 */
struct vpmc_start {
	__u32 size;
	__u32 flags;
	__u32 nr_events;
	__u32 error;
	__u32 error_event;
	__u32 pad;
	__aligned_u64 generation;
	__aligned_u64 start;
	__aligned_u64 self_start;
	struct vpmc_event event[VPMC_MAX_EVENTS];
};

#define VPMC_START_AT_EXEC	0x1	/* at this thread's next execve(2) */
#define VPMC_START_RESUME	0x2	/* go on from the stopped counts */
#define VPMC_START_COLLECT	0x4	/* fill VPMC_SCOPE_ALL of this handle */
#define VPMC_START_RECORDS	0x8	/* with COLLECT: record each thread */
#define VPMC_START_FORCE	0x10	/* restart what counts already */
#define VPMC_START_MULTIPLEX	0x20	/* events may share counters */
#define VPMC_START_FOLD		0x40	/* add to the parent at exit */
#define VPMC_START_KEEP		0x80	/* count on though nobody can read it */

/*
 * struct vpmc_attach - argument of VPMC_ATTACH
 * @size: in, sizeof(struct vpmc_attach)
 * @flags: in, VPMC_ATTACH_* bits
 * @id: in, the process or thread, as the caller's pid namespace knows it, or
 *	with VPMC_ATTACH_PIDFD a descriptor of it
 * @pad: in, 0
 * @generation: out, of its counter set, 0 if it never counted or what it counted
 *	is not for the caller
 * @start: out, of the counts of its process, or with VPMC_ATTACH_THREAD of its
 *	own; 0 likewise
 */
struct vpmc_attach {
	__u32 size;
	__u32 flags;
	__s32 id;
	__u32 pad;
	__aligned_u64 generation;
	__aligned_u64 start;
};

#define VPMC_ATTACH_THREAD	0x1	/* that thread alone, not its process */
#define VPMC_ATTACH_PIDFD	0x2	/* @id is what pidfd_open(2) returns */

/*
 * struct vpmc_signal - argument of VPMC_SIGNAL
 * @size: in, sizeof(struct vpmc_signal)
 * @flags: in, 0
 * @event: in, index of the event in VPMC_START's list
 * @signo: in, the signal, or 0 for none any more
 * @period: in, events from one signal to the next, at least 1; ignored if
 *	@signo is 0
 * @generation: out, of the counts
 * @start: out, of the counts
 */
struct vpmc_signal {
	__u32 size;
	__u32 flags;
	__u32 event;
	__u32 signo;
	__aligned_u64 period;
	__aligned_u64 generation;
	__aligned_u64 start;
};

/*
 * struct vpmc_siginfo - what such a signal carries in siginfo_t, from the place
 * of si_addr on, for 32-bit programs on a 64-bit kernel, too. Its si_code is
 * VPMC_SI_CODE. signalfd(2) shows only the first two words of it, as ssi_pid and
 * ssi_uid.
 * @event: index of the event
 * @count: the thread's count when the kernel last noticed that a multiple had
 *	been passed, low half first
 * @start: of the counts, low half first. There is no room for the generation.
 */
struct vpmc_siginfo {
	__u32 event;
	__u32 count[2];
	__u32 start[2];
};

#define VPMC_SI_CODE		0x80	/* SI_KERNEL */

/*
 * struct vpmc_stop - argument of VPMC_STOP
 * @size: in, sizeof(struct vpmc_stop)
 * @flags: in, 0
 * @generation: out, of the counts, 0 if the caller must not see them
 * @start: out, of the counts of the thread, or of the attached process; 0 likewise
 */
struct vpmc_stop {
	__u32 size;
	__u32 flags;
	__aligned_u64 generation;
	__aligned_u64 start;
};

/* Whose events: defined like the scopes of getrusage(2). */
enum vpmc_scope {
	VPMC_SCOPE_THREAD = 0,	/* the calling, or the attached, thread */
	VPMC_SCOPE_SELF,	/* every thread, the exited ones included */
	VPMC_SCOPE_CHILDREN,	/* descendants that were waited for */
	VPMC_SCOPE_ALL,		/* all that this handle collects */
};

/* What the threads of a scope do: the value of vpmc_read.state. */
enum vpmc_state {
	VPMC_STATE_STOPPED = 0,	/* stopped; counts stay readable */
	VPMC_STATE_ARMED,	/* waits for execve(2) */
	VPMC_STATE_RUNNING,	/* at least one thread counts */
	VPMC_STATE_EXITED,	/* no thread has counters, any more or ever */
	VPMC_STATE_REVOKED,	/* taken away; the generation has changed */
};

/*
 * struct vpmc_turns - how the turns of an event differ that shares a counter
 * @count_squares: the square of what was counted in each turn, added up, in units of
 *	1 << @turn_shift of the structure that has it; the sum of each thread is rounded up
 * @products: what was counted in each turn times the clocks of the turn, in the same units
 * @time_squares: the square of the clocks of each turn, in the same units
 * @nr: how many turns there were
 *
 * A sum that would be more than 2^64 - 1 is that.
 *
 * A turn lasts from one clock tick that finds the thread running to the next one, or to the
 * thread's end. With the count and the time of the event these numbers say how far a
 * projection from that time to the whole time may be off.
 */
struct vpmc_turns {
	__aligned_u64 count_squares;
	__aligned_u64 products;
	__aligned_u64 time_squares;
	__aligned_u64 nr;
};

/*
 * struct vpmc_read - argument of VPMC_READ: one consistent snapshot
 * @size: in, sizeof(struct vpmc_read)
 * @scope: in, enum vpmc_scope
 * @flags: in, 0
 * @state: out, enum vpmc_state; of VPMC_SCOPE_CHILDREN that of the process
 *	itself
 * @nr_counts: out, how many of @count are set: one per event, in the order
 *	in which VPMC_START was given them
 * @running: out, processes of the scope that still have a thread; 0 for
 *	VPMC_SCOPE_THREAD and VPMC_SCOPE_CHILDREN
 * @other_events: out, how many counts are missing in @count because they are
 *	of other events: one for each thread and each time that it was started
 * @revoked: out, how many threads are missing because system mode or VPMC_RELEASE
 *	took the counters from them, because another program wrote to the registers of the
 *	counters, or because they executed a program that the starter must not watch
 * @stopped: out, how many gaps the counts have, of all threads together. A stop
 *	(VPMC_STOP, of whomever) begins a gap when something follows it: a resume,
 *	another stop, an execve(2), the creation of a process or thread, which then
 *	does not count, or the thread's exit. So what a reader stops and reads has
 *	no gap by that stop. A start from zero follows no gap, unless the thread joins
 *	others that count. No more than 2^31 - 1.
 * @unwaited: out, for VPMC_SCOPE_CHILDREN how many processes are missing in it
 *	because nobody has waited for them: descendants that have counted since they
 *	were forked, those that still run included; see vpmc(7). 0 for other scopes.
 * @generation: out, differs from the one that VPMC_START returned if the
 *	counts are not the ones the caller started
 * @start: out, of the counts: for VPMC_SCOPE_THREAD that of the thread's last
 *	start from zero, else that of the start that began the generation, see
 *	vpmc_start.self_start
 * @tsc: out, virtual time stamp counter: how many clocks the threads of the
 *	scope were on a processor while counting
 * @count: out, events counted, 64 bits each; all of them were read at one
 *	moment per thread
 * @time: out, the part of @tsc for which each event had a counter: all of it
 *	unless events share counters (VPMC_START_MULTIPLEX). Such counts are
 *	refused to a caller whose structure ends before this field.
 * @nr_turns: in, 0; out, @nr_counts if events share counters: how many of @turn are set.
 *	The kernel writes this and what follows only then, and if the structure has
 *	all of it.
 * @turn_shift: out, the units of @turn
 * @turn: out, the turns of each event; of a thread that runs there may be one more
 *	than in @count
 */
struct vpmc_read {
	__u32 size;
	__u32 scope;
	__u32 flags;
	__u32 state;
	__u32 nr_counts;
	__u32 running;
	__u32 other_events;
	__u32 revoked;
	__u32 stopped;
	__u32 unwaited;
	__aligned_u64 generation;
	__aligned_u64 start;
	__aligned_u64 tsc;
	__aligned_u64 count[VPMC_MAX_EVENTS];
	__aligned_u64 time[VPMC_MAX_EVENTS];
	__u32 nr_turns;
	__u32 turn_shift;
	struct vpmc_turns turn[VPMC_MAX_EVENTS];
};

/*
 * struct vpmc_thread_counts - what read(2) of the device returns
 * @other_events: as in struct vpmc_read, like all that follows
 * @revoked: 1 if the thread's counts were taken away, and are missing
 * @stopped: as in struct vpmc_read
 * @unwaited: 0
 * @generation: of the counts
 * @start: of the counts
 * @tsc: of the counts
 * @count: one per event. The structure ends behind them: read(2) returns its
 *	size.
 *
 * The scope is VPMC_SCOPE_THREAD. The errors are those of VPMC_READ, EINVAL also
 * if the buffer is smaller than the structure or if events share counters, and
 * EACCES unless the caller is the process that opened the device, and has neither
 * changed its credentials nor executed another program since: who hands the
 * device to a program as its standard input learns nothing by it.
 */
struct vpmc_thread_counts {
	__u32 other_events;
	__u32 revoked;
	__u32 stopped;
	__u32 unwaited;
	__aligned_u64 generation;
	__aligned_u64 start;
	__aligned_u64 tsc;
	__aligned_u64 count[VPMC_MAX_EVENTS];
};

/*
 * struct vpmc_query - argument of VPMC_QUERY: which events a scope counts
 * @size: in, sizeof(struct vpmc_query)
 * @scope: in, enum vpmc_scope
 * @flags: in, 0
 * @nr_events: out, how many of @event are set
 * @generation: out, as in struct vpmc_read
 * @start: out, as in struct vpmc_read
 * @event: out, the events in the order in which VPMC_START was given them
 */
struct vpmc_query {
	__u32 size;
	__u32 scope;
	__u32 flags;
	__u32 nr_events;
	__aligned_u64 generation;
	__aligned_u64 start;
	struct vpmc_event event[VPMC_MAX_EVENTS];
};

/*
 * struct vpmc_record - argument of VPMC_RECORD: what a thread has counted
 * @size: in, sizeof(struct vpmc_record)
 * @flags: in, 0
 * @pid: out, its process, in the pid namespace of the task that started to
 *	collect; 0 if it has no number there
 * @tid: out, the thread, likewise
 * @comm: out, its command name, zero-terminated
 * @what: out, VPMC_RECORD_* bits
 * @nr_counts: out, how many of @count are set; 0 in a record that only says
 *	that others were lost, 1 in one that must not be shown
 * @lost: out, how many records have been lost since the last call, because
 *	there were VPMC_MAX_RECORDS already, memory was short or, with
 *	VPMC_RECORD_LIMITED, their user had reached RLIMIT_MEMLOCK
 * @stopped: out, as in struct vpmc_read
 * @generation: out, of what the handle collects
 * @start: out, likewise
 * @tsc: out, as in struct vpmc_read
 * @count: out, as in struct vpmc_read
 * @time: out, as in struct vpmc_read
 * @nr_turns: in and out, as in struct vpmc_read
 * @turn_shift: out, as in struct vpmc_read
 * @turn: out, as in struct vpmc_read
 */
struct vpmc_record {
	__u32 size;
	__u32 flags;
	__s32 pid;
	__s32 tid;
	char comm[16];
	__u32 what;
	__u32 nr_counts;
	__u32 lost;
	__u32 stopped;
	__aligned_u64 generation;
	__aligned_u64 start;
	__aligned_u64 tsc;
	__aligned_u64 count[VPMC_MAX_EVENTS];
	__aligned_u64 time[VPMC_MAX_EVENTS];
	__u32 nr_turns;
	__u32 turn_shift;
	struct vpmc_turns turn[VPMC_MAX_EVENTS];
};

#define VPMC_RECORD_LAST	0x1	/* no thread of the process is left */
#define VPMC_RECORD_RESTARTED	0x2	/* it lives, and starts from zero */
#define VPMC_RECORD_OTHER	0x4	/* counted other events: not in ALL */
#define VPMC_RECORD_REVOKED	0x8	/* must not be shown: not in ALL */
#define VPMC_RECORD_LIMITED	0x10	/* of @lost, some for RLIMIT_MEMLOCK */

/*
 * struct vpmc_system_read - argument of VPMC_SYSTEM_READ
 * @size: in, sizeof(struct vpmc_system_read)
 * @cpu: in, a processor's number, or VPMC_ALL_CPUS for the sum
 * @flags: in, 0
 * @state: out, VPMC_STATE_RUNNING or VPMC_STATE_STOPPED
 * @nr_counts: out, how many of @count are set
 * @cpus: out, how many processors have counted what is in @count
 * @generation: out, as VPMC_SYSTEM_START returned it
 * @tsc: out, clocks for which they counted, added up
 * @count: out, events counted, 64 bits each; all of them were read at one
 *	moment per processor
 */
struct vpmc_system_read {
	__u32 size;
	__s32 cpu;
	__u32 flags;
	__u32 state;
	__u32 nr_counts;
	__u32 cpus;
	__aligned_u64 generation;
	__aligned_u64 tsc;
	__aligned_u64 count[VPMC_MAX_EVENTS];
};

#define VPMC_ALL_CPUS		(-1)

/*
 * struct vpmc_info - argument of VPMC_INFO
 * @size: in, sizeof(struct vpmc_info)
 * @flags: in, 0
 * @abi_version: out, VPMC_ABI_VERSION
 * @nr_counters: out, hardware counters per processor that count any event
 * @counter_bits: out, width of a hardware counter
 * @features: out, VPMC_FEATURE_* bits
 * @generation: out, generation of the calling process's counter set (of the
 *	bound process's on a bound handle), 0 if it never counted or the caller
 *	must not watch it
 * @pmu: out, name of the counter family as vpmc.7 lists them, zero-terminated
 * @system: out, 1 if the counters are in system mode, else 0
 * @nr_fixed: out, counters that count one event each, and are numbered from
 *	@nr_counters on
 * @start: out, of the same counts as @generation, 0 if there are none
 */
struct vpmc_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 nr_counters;
	__u32 counter_bits;
	__u32 features;
	__aligned_u64 generation;
	char pmu[16];
	__u32 system;
	__u32 nr_fixed;
	__aligned_u64 start;
};

#define VPMC_FEATURE_RDPMC	0x1	/* processor has the RDPMC instruction */
#define VPMC_FEATURE_MAP	0x2	/* VPMC_MAP: RDPMC works in user mode */

#define VPMC_IOC_MAGIC		0xbf

/*
 * VPMC_INFO - describe the processor's counters. Anyone may call it.
 *
 * Errors of every call: EFAULT; EINVAL (size too short, unknown flags);
 * E2BIG (unknown part of the structure not zero); ENOTTY (unknown request).
 */
#define VPMC_INFO	_IO(VPMC_IOC_MAGIC, 0)

/*
 * VPMC_START - start counting in the calling thread, from zero, and bind the
 * handle to its process. Threads and processes that it creates afterwards
 * count the same events, each from its own zero. Nothing changes if the call
 * fails.
 *
 * When a process is reaped, by any wait call, what its threads and its own
 * waited-for children counted is added to VPMC_SCOPE_CHILDREN of the process
 * that reaps it. That process need not count itself: if it has no events, it
 * takes those of the first such child that it may see. As for CPU times, nothing
 * is added to a tracer that reaps before the parent does, nor to a process that
 * ignores SIGCHLD.
 *
 * With VPMC_START_COLLECT, which needs a start from zero, VPMC_SCOPE_ALL of the
 * handle has the counts of the process and of all descendants that inherit
 * them, waited for or not. With VPMC_START_RECORDS too, VPMC_RECORD has those of
 * each thread among them. A process stays with the handle that first collects
 * it until that is closed.
 *
 * With VPMC_START_FORCE threads that count already start again from zero, with
 * other events if need be. With VPMC_START_FOLD, which children inherit, the
 * counts of the process are added to its parent's VPMC_SCOPE_CHILDREN when its
 * last thread exits, whether or not anybody waits for it, and not again by a
 * wait.
 *
 * A process goes on counting only while its counts could be shown: while a file is open
 * that is bound or attached to it or to one of its threads, or collects it; while it has a
 * page mapped (VPMC_MAP); while the program that it executes is the one that started one of
 * its threads; or while one of these holds for its parent, that one's parent, and so on, as
 * far up as the processes have counters. Otherwise it is stopped, some seconds later, as by
 * VPMC_STOP. With VPMC_START_KEEP, which children inherit, it is not.
 *
 * With VPMC_START_MULTIPLEX there may be up to 16 events per counter. If they
 * do not fit, those of one counter share it: they rotate at each clock tick
 * while the thread runs, and each count is of the time in vpmc_read.time. If
 * they do fit, the flag changes nothing. In each round each event of a counter has one
 * turn, and a lot decides which begins it. A lot decides with which events the first
 * thread begins; each thread that inherits begins with the next one, until all have
 * begun once, and another lot is drawn.
 *
 * EINVAL	see vpmc_start.error
 * EPERM	the caller has neither CAP_PERFMON nor CAP_SYS_ADMIN, and wants
 *		VPMC_MODE_KERNEL, or the module parameter "restricted" is set,
 *		or /proc/sys/kernel/perf_event_paranoid is more than 2; or
 *		VPMC_START_RESUME of counts that must not be shown to it
 * EACCES	usually: a security module refuses, as to perf_event_open(2)
 * EBUSY	the counters are in system mode (see vpmc_info.system); this
 *		thread counts already, or waits for execve(2); or, with
 *		VPMC_START_COLLECT, another handle collects this process,
 *		other threads of it count, or this handle still collects
 *		others, of an earlier start
 * EADDRINUSE	perf_event, or the NMI watchdog through it, has the counters, or
 *		VPMC_RELEASE just gives them to it. It can get them whenever nobody
 *		counts, so a resumption can fail, too.
 * EIO		the counters of a processor that is on line do not count; the
 *		kernel's log says which and why
 * EXDEV	the handle is bound to another process
 * ENODATA	VPMC_START_RESUME without stopped counts of the process's
 *		present generation
 * ENOMEM
 */
#define VPMC_START	_IO(VPMC_IOC_MAGIC, 1)

/*
 * VPMC_STOP - stop counting in the calling thread, or cancel its start at
 * execve(2). The counts stay readable.
 *
 * ENODATA	this thread never started
 * EXDEV	the handle is bound to another process
 */
#define VPMC_STOP	_IO(VPMC_IOC_MAGIC, 2)

/*
 * VPMC_READ - read the counters of a scope.
 *
 * ENODATA	nobody in this scope ever started
 * EPERM	the counts must not be shown to the caller
 * EXDEV	VPMC_SCOPE_THREAD on a handle bound to another process
 * ENOMEM	only with room for vpmc_read.turn, of events that share counters
 */
#define VPMC_READ	_IO(VPMC_IOC_MAGIC, 3)

/*
 * VPMC_RECORD - take the oldest record of those that VPMC_START_RECORDS keeps
 * for the handle. There is one for each thread that exited, and one for each
 * that was started again before that, with what it had counted until then.
 *
 * The call does not wait. poll(2) of the handle finds POLLIN if the call would
 * succeed, and POLLHUP, with VPMC_START_COLLECT alone, too, when no process that
 * the handle collects has a thread left. One that does not collect is never ready.
 *
 * ENODATA	there is none
 * ENOMEM	as for VPMC_READ
 */
#define VPMC_RECORD	_IO(VPMC_IOC_MAGIC, 4)

/*
 * System mode: every processor counts the same events, whatever it runs, until
 * the handle that started it stops it or is closed, or VPMC_RELEASE ends it.
 * Meanwhile no thread counts for itself. All three calls need CAP_PERFMON or CAP_SYS_ADMIN.
 *
 * VPMC_SYSTEM_START, with a struct vpmc_start of which @flags is 0 or
 * VPMC_START_FORCE, begins at zero, also on the handle that has system mode
 * already. If threads that count exist, but none of them is on a processor at
 * this moment, or with VPMC_START_FORCE, the counters are taken from them:
 * their state is VPMC_STATE_REVOKED, their processes' generations change, and
 * they do not count again unless they are started.
 *
 * VPMC_SYSTEM_STOP, with a struct vpmc_stop, gives the counters back. The
 * counts stay readable until the next start.
 *
 * EINVAL	see vpmc_start.error; VPMC_SYSTEM_READ: no such processor
 * EPERM	neither capability
 * EACCES	usually: a security module refuses, as to perf_event_open(2)
 * EBUSY	another handle has system mode, or a thread that counts is on a
 *		processor
 * EADDRINUSE	start: as for VPMC_START
 * EIO		start: as for VPMC_START
 * ENODATA	stop, read: this handle never started it
 * ENOMEM
 */
#define VPMC_SYSTEM_START	_IO(VPMC_IOC_MAGIC, 5)
#define VPMC_SYSTEM_STOP	_IO(VPMC_IOC_MAGIC, 6)
#define VPMC_SYSTEM_READ	_IO(VPMC_IOC_MAGIC, 7)

/*
 * VPMC_ATTACH - bind an unbound handle to another process, or to one thread.
 *
 * Whoever may read the target's memory (PTRACE_MODE_READ) may attach and read:
 * SELF and CHILDREN of a process, or THREAD of a thread. Whoever may trace it
 * (PTRACE_MODE_ATTACH), which each call checks, may start and stop it; on a
 * process that is for all its threads, those that they create included. The
 * target's counters are the same as in a start of its own: others see their
 * generation change, and children inherit them. What a target that has exited
 * counted stays readable.
 *
 * EPERM	no right to do so; read: the target has executed a program that
 *		the caller must not watch, and has started again since
 * ESRCH	no such process or thread; start, stop: it has exited
 * EBADF	VPMC_ATTACH_PIDFD: not such a descriptor
 * EXDEV	the handle is bound already; VPMC_READ: VPMC_SCOPE_SELF or
 *		VPMC_SCOPE_CHILDREN of a thread, VPMC_SCOPE_THREAD of a process
 * EBUSY	start: the target counts already, and no VPMC_START_FORCE
 * ENODATA	read, stop: the target never counted
 */
#define VPMC_ATTACH	_IO(VPMC_IOC_MAGIC, 8)

/*
 * VPMC_SIGNAL - send the calling thread a signal when its count of an event
 * reaches or passes a multiple of @period. The kernel notices this when it
 * reads the counter: at the next context switch or clock tick at the latest,
 * and at a read or stop. The signal is then sent before the thread executes more
 * in user mode, so none is sent when a stop has returned. If the thread is
 * falling asleep in a system call, that is interrupted, as by any signal. This
 * is so even if the signal is blocked: then sigwaitinfo(2) and other calls that
 * are not restarted may fail with EINTR, and the caller should repeat them.
 *
 * Several multiples that are noticed at once make one signal. While it is
 * pending it is not sent again, but updated. So no multiple is lost and none is
 * reported twice: @count divided by @period, rounded down, grows from each
 * signal to the next, and after a stop that of the last signal is that of the
 * final count. If the signal cannot be queued, because another one of its
 * number is pending or RLIMIT_SIGPENDING is reached, it is sent when it can be.
 *
 * It belongs to the calling thread and is not inherited. It ends with a start
 * from zero, with execve(2), and when the counters are taken away; what was not
 * sent by then is dropped. It continues over a stop and VPMC_START_RESUME. Each
 * event can have one; another call for the event replaces it, after sending
 * what was passed before.
 *
 * EINVAL	no such event or signal, or @period is 0; events share counters
 * EXDEV	the handle is bound to another process
 * ENODATA	this thread never started, or its counts were taken away
 * EPERM	the counts must not be shown to the caller
 * ENOMEM
 */
#define VPMC_SIGNAL	_IO(VPMC_IOC_MAGIC, 9)

/*
 * struct vpmc_page_count - how to read one count from user mode
 * @counter: ECX for RDPMC; always one that exists
 * @pad: 0
 * @high: the upper half of the count: @high[1] if the top bit of EAX, bit 31, is
 *	0, @high[0] if it is 1; in this order, because an instruction makes 0 and -1
 *	of that bit. The lower half of each is 0, and never written again, so
 *	programs of 32 bits read the upper half alone. If this is
 *	VPMC_PAGE_INVALID, the sum is negative as a signed number of 64 bits, and
 *	is no count.
 *
 * EAX, the lower half of what RDPMC returns, holds the low 32 bits of the 64-bit
 * count, however wide the counter is; EDX is to be ignored. The kernel prepares
 * @high[1] for the next wrap when these bits are in their last quarter, and
 * @high[0] when they are in their second one. So a read that is interrupted
 * between RDPMC and the addition of @high is still right, unless the thread counts
 * more than 2^30 events in between, in a signal handler. It never has to be
 * repeated or repaired.
 */
struct vpmc_page_count {
	__u32 counter;
	__u32 pad;
	__aligned_u64 high[2];
};

#define VPMC_PAGE_BITS		32
#define VPMC_PAGE_INVALID	0x8000000000000000ULL

/*
 * struct vpmc_page - what VPMC_MAP maps: the counts of one thread
 * @size: bytes of this structure that the kernel fills in
 * @sequence: changes with each change of what follows, and each time that the
 *	thread is switched in
 * @state: enum vpmc_state of the thread. VPMC_STATE_RUNNING only while @count
 *	can be read, so also VPMC_STATE_STOPPED if the counts are not those of
 *	@generation any more.
 * @nr_counts: how many of @count are counts, in the order in which VPMC_START
 *	was given them; the others are VPMC_PAGE_INVALID
 * @generation: of the counts
 * @tsc: what to add to RDTSC for the thread's virtual time stamp counter
 * @count: how to read each count
 * @start: of the counts, see the top of this file. It changes with each start
 *	from zero of the thread, also where the generation stays because other
 *	threads count.
 *
 * Read-only for the process. The kernel writes it on the processor that the
 * thread is on, with interrupts off, so only the thread itself always sees it
 * complete. The page is invalid while the thread is not on a processor. So are
 * the pages of threads that do not count, or whose counts somebody else has
 * started or stopped since they last called VPMC_START or VPMC_MAP, or whose
 * counters were taken away.
 *
 * Several counts are of one moment if @sequence is the same before and after.
 *
 * While a page is invalid RDPMC may be refused, and then returns 0: when kernel
 * mode is counted on this processor, by the thread itself or in system mode.
 */
struct vpmc_page {
	__u32 size;
	__u32 sequence;
	__u32 state;
	__u32 nr_counts;
	__aligned_u64 generation;
	__aligned_u64 tsc;
	struct vpmc_page_count count[VPMC_MAX_EVENTS];
	__aligned_u64 start;
};

/*
 * struct vpmc_map - argument of VPMC_MAP
 * @size: in, sizeof(struct vpmc_map)
 * @flags: in, 0
 * @address: out, where the calling thread's struct vpmc_page is
 * @generation: out, of the thread's counts, 0 if it never started
 * @start: out, likewise
 */
struct vpmc_map {
	__u32 size;
	__u32 flags;
	__aligned_u64 address;
	__aligned_u64 generation;
	__aligned_u64 start;
};

/*
 * VPMC_MAP - map the calling thread's page, if that has not been done, and let
 * it show the thread's present counts.
 *
 * From then on the process may execute RDPMC, in all its threads, until all
 * pages are unmapped. The page stays at the same address until the thread
 * executes another program. A process that it forks has a page of its own at
 * that address. Other threads map their own. munmap(2) removes a page;
 * mprotect(2) and mremap(2) are refused.
 *
 * EOPNOTSUPP	the processor has no RDPMC, or an erratum forbids it in user
 *		mode: see VPMC_FEATURE_MAP; or the attribute "rdpmc" of perf's
 *		PMU forbids it
 * EPERM	the counts must not be shown to the caller, or there are none and the
 *		caller must not count
 * EACCES	the device is not open for reading
 * EADDRINUSE	perf_event has the counters, or VPMC_RELEASE just gives them to it. They
 *		are the driver's as long as there
 *		is a page from which VPMC_RELEASE has not taken them.
 * EIO		as for VPMC_START
 * EXDEV	the handle is bound to another process
 * ENOMEM	or the user has exceeded RLIMIT_MEMLOCK, to which the pages of threads
 *		that are gone are charged as long as they are mapped
 */
#define VPMC_MAP	_IO(VPMC_IOC_MAGIC, 10)

/*
 * VPMC_QUERY - ask which events a scope counts. The errors are those of
 * VPMC_READ.
 */
#define VPMC_QUERY	_IO(VPMC_IOC_MAGIC, 11)

/*
 * struct vpmc_release - argument of VPMC_RELEASE
 * @size: in, sizeof(struct vpmc_release)
 * @flags: in, 0
 */
struct vpmc_release {
	__u32 size;
	__u32 flags;
};

/*
 * VPMC_RELEASE - take the counters from all processes and from system mode, and give them
 * back to perf_event, which has them when the call returns. All threads that count or wait
 * for execve(2) to do so are VPMC_STATE_REVOKED, their processes' generations change, and
 * so does that of system mode, which is stopped. Pages are invalid until their threads
 * call VPMC_START or VPMC_MAP again, which fail until this call is over. RDPMC returns 0
 * there; in threads without a page it is refused. Needs CAP_PERFMON or CAP_SYS_ADMIN.
 * /sys/class/misc/vpmc/holders says who has the counters.
 *
 * EPERM	neither capability
 * EBUSY	they were taken, and nobody counts; but a fork, or a call that starts or maps a
 *		page, has been under way for longer than this call waits: call again
 * EINTR	the caller is being killed
 */
#define VPMC_RELEASE	_IO(VPMC_IOC_MAGIC, 12)

#endif /* _UAPI_LINUX_VPMC_H */
