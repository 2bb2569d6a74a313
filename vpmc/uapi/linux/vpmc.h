/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * This file declares the interface of vpmc: hardware event counters as a property of a
 * process.
 *
 * Programs use vpmc through ioctls on /dev/vpmc. A file descriptor ("handle") only
 * gives access to counters. The counters belong to threads and processes, and closing a
 * handle does not stop them. When no handle is left that could show the counts, they
 * are stopped: see VPMC_START_KEEP.
 *
 * VPMC_START binds a handle to the calling process. The handle stays bound when it is
 * inherited over fork(2) or passed over a socket, and when that process exits. So a
 * parent can open the handle, let its child start the count, and read the counts after
 * the child has exited. Calls on an unbound handle refer to the calling process.
 * VPMC_ATTACH binds a handle to another process or thread, so that the owner of the
 * handle can read and control it.
 *
 * Every structure begins with its own size, which the caller sets. If the caller's
 * structure is shorter than the kernel's, the kernel takes the rest as zero. If it is
 * longer, the call fails with E2BIG unless the part that the kernel does not know is
 * zero. All fields have the same offset for 32-bit and 64-bit callers. "in" fields are
 * written by the caller and only read by the kernel; "out" fields are written by the
 * kernel before the call returns. The kernel cannot lock the structure against other
 * threads, so no other thread may use it during the call.
 *
 * Two numbers identify counts, and a number of either kind is never used twice. The
 * generation belongs to the counter set of a process. It changes when the events change,
 * when the counters are taken away, and when the process executes a program that the
 * observer must not watch. The start identifies one VPMC_START from zero within a
 * generation. Threads and processes that inherit events also inherit the start. Every
 * answer carries both numbers. If they differ from the numbers that the reader knows, the
 * counts have been replaced, and VPMC_QUERY returns the new events.
 *
 * A call that fails with EFAULT changes nothing, because the kernel checks that it can
 * write the answer before it acts. This does not hold if another thread unmaps the memory
 * during the call.
 */
#ifndef _UAPI_LINUX_VPMC_H
#define _UAPI_LINUX_VPMC_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define VPMC_DEVICE		"/dev/vpmc"

/*
 * This is the version of released interfaces. Until the first release it stays 1, even if the
 * interface changes.
 */
#define VPMC_ABI_VERSION	1

/* The most events and counts that one structure can hold. */
#define VPMC_MAX_EVENTS		32

/*
 * One handle keeps at most VPMC_MAX_RECORDS records (VPMC_START_RECORDS); more records are lost.
 * The memory of all records is charged to the user who started to collect them. Records beyond
 * RLIMIT_MEMLOCK are lost, unless that user had CAP_IPC_LOCK.
 */
#define VPMC_MAX_RECORDS	16384

/*
 * struct vpmc_event - the event that one hardware counter counts
 * @code: the event's code in the processor's manual. On the Pentium it is the six-bit event select,
 *	or VPMC_P5_CLOCKS. On all later processors it has the fields of an event select register:
 *	event select, unit mask, and optionally edge, invert and counter mask. 0x300 is the event of
 *	Intel's third fixed counter, clocks at the rate of the time stamp counter. On AMD's
 *	processors since family 10H, bits 35 to 32 are bits 11 to 8 of the event select. On the
 *	Pentium 4, the lower half has the event select, event mask and tag of an ESCR, and the upper
 *	half the ESCR's number, compare, complement, threshold and edge of a CCCR, at their bits.
 *	Bits 34 to 32 are the group of counters that may count it: 1 for 0 to 3, 2 for 4 to 7, 3 for
 *	8 to 11, 4 for 12 to 17, or 0 for all. The same number means a different ESCR in each group.
 * @counter: the hardware counter that counts it, from 0. Fixed counters, which count one
 *	event each, are numbered after all others. With VPMC_COUNTER_ANY the driver
 *	chooses a counter, the same each time for the same events, and VPMC_QUERY
 *	returns it.
 * @modes: VPMC_MODE_* bits, VPMC_MODE_USER or VPMC_MODE_KERNEL among them
 * @period: if not 0, each thread leaves a sample at each event whose number is a multiple of
 *	@period (VPMC_SAMPLES). It is at least VPMC_MIN_PERIOD, or VPMC_MIN_PERIOD_KERNEL if
 *	VPMC_MODE_KERNEL is set, and at most 2^31 - 1. VPMC_MODE_CASCADE gives it another meaning.
 * @extra: value of the extra register that this event needs, or 0 if it needs none. The driver
 *	supports OFFCORE_RSP_0 and OFFCORE_RSP_1 of Intel's processors, for events 0x1b7 and 0x1bb.
 *	For replay_event of the Pentium 4 it is IA32_PEBS_ENABLE without bits 25 and 26, which
 *	enable PEBS, and in the upper half MSR_PEBS_MATRIX_VERT. Other extra registers are not
 *	supported.
 */
struct vpmc_event {
	__aligned_u64 code;
	__u16 counter;
	__u16 modes;
	__u32 period;
	__aligned_u64 extra;
};

#define VPMC_COUNTER_ANY	0xffff

/*
 * A shorter period would take more time for samples than for the program. A sample of kernel mode
 * causes events itself, so a period must have many more events than one sample causes.
 */
#define VPMC_MIN_PERIOD		1000
#define VPMC_MIN_PERIOD_KERNEL	100000

#define VPMC_MODE_USER		0x1	/* privilege level 3 */
#define VPMC_MODE_KERNEL	0x2	/* levels 0 to 2; needs CAP_PERFMON */

/*
 * This bit is not a privilege level. With it, the address of a sample belongs to the instruction of
 * the event, because the processor has recorded it. Such an event must have a period, samples at
 * events, and user mode only. The Pentium 4 records front_end_event, replay_event and
 * execution_event on counter 16.
 */
#define VPMC_MODE_PRECISE	0x4

/*
 * This bit is not a privilege level either. With it, each thread counts the event only after the
 * instruction with which the thread's count of the event before it in the list reaches @period. The
 * event does not leave samples, and @period is from 1 to VPMC_MAX_CASCADE. A new thread counts both
 * events from 0. The event before it may leave samples at interrupts, with the same period and
 * without jitter. Both events must be of user mode only, and not precise. No events may share a
 * counter. Only the Pentium 4 has such events, on counters of which one starts the other: 0 and 2,
 * 1 and 3, and so on to 13 and 15, in both directions; 14 starts 16, and 15 starts 17.
 * VPMC_SYSTEM_START refuses them, and VPMC_MAP does not show the counts of such threads.
 */
#define VPMC_MODE_CASCADE	0x8

/* A larger number of events would not fit into one word of 32 bits with the modes. */
#define VPMC_MAX_CASCADE	0xfffffff

/*
 * A counter of the Pentium can count clocks instead of an event. The code is the bit
 * for this in one counter's half of the CESR (Pentium Processor Family Developer's
 * Manual, volume 3, chapter 26).
 */
#define VPMC_P5_CLOCKS		0x100

/* These are the reasons why VPMC_START fails with EINVAL (vpmc_start.error). */
enum vpmc_reason {
	VPMC_REASON_NONE = 0,
	VPMC_REASON_FLAGS,		/* unknown flags, or in conflict */
	VPMC_REASON_NO_EVENTS,		/* nr_events is 0 */
	VPMC_REASON_TOO_MANY,		/* more events than can be counted */
	VPMC_REASON_UNKNOWN_EVENT,	/* no such code on this processor */
	VPMC_REASON_RESERVED_BITS,	/* code has bits that must stay 0 */
	VPMC_REASON_PIN_CONTROL,	/* code asks for the PM0/PM1 pins */
	VPMC_REASON_NO_COUNTER,		/* processor has no such counter */
	VPMC_REASON_COUNTER_TAKEN,	/* two events on one counter */
	VPMC_REASON_MODES,		/* no privilege level, or unknown modes */
	VPMC_REASON_RESUME,		/* events differ from those to resume */
	VPMC_REASON_WRONG_COUNTER,	/* counter cannot count this event */
	VPMC_REASON_SHARED,		/* event also counts for other tasks */
	VPMC_REASON_MORE_REGISTERS,	/* needs registers that the driver does not write */
	VPMC_REASON_EXTRA_RESERVED,	/* @extra has bits that must stay 0 */
	VPMC_REASON_EXTRA_TAKEN,	/* two events need different values of @extra */
	VPMC_REASON_PERIOD,		/* period with its jitter too short or too long */
	VPMC_REASON_NO_SAMPLES,		/* samples without VPMC_SAMPLES or VPMC_START_COLLECT, or of
					 * events that share counters
					 */
	VPMC_REASON_NO_INTERRUPT,	/* this counter or processor cannot interrupt */
	VPMC_REASON_REGISTER_TAKEN,	/* two events need different values of a register that
					 * their counters share
					 */
	VPMC_REASON_PRECISE,		/* VPMC_MODE_PRECISE of an event or counter that cannot
					 * have it, without a period, at ticks or with kernel mode
					 */
	VPMC_REASON_LEASED,		/* counters that perf_event leases cannot count this */
	VPMC_REASON_CASCADE,		/* VPMC_MODE_CASCADE in system mode, or without an event
					 * before it whose counter can start this one
					 */
};

/*
 * struct vpmc_start - argument of VPMC_START
 * @size: in, sizeof(struct vpmc_start)
 * @flags: in, VPMC_START_* bits
 * @nr_events: in, how many of @event are used
 * @error: out when the call fails with EINVAL, enum vpmc_reason
 * @error_event: out when the call fails with EINVAL, the index in @event of the event at fault (0
 *	if not exactly one event is at fault)
 * @pad: in, 0
 * @generation: out, the generation of the counter set
 * @start: out, the identity of this start, or if it resumes, the start of the counts
 *	that continue
 * @self_start: out, the start of the counts in VPMC_SCOPE_SELF, that is, the start that
 *	began the generation. It differs from @start if other threads of the process were
 *	counting already, possibly other events. It is 0 if the caller must not see the
 *	counts of these threads.
 * @event: in, the events to count
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
#define VPMC_START_RESUME	0x2	/* continue the stopped counts */
#define VPMC_START_COLLECT	0x4	/* fill VPMC_SCOPE_ALL of this handle */
#define VPMC_START_RECORDS	0x8	/* with COLLECT: record each thread */
#define VPMC_START_FORCE	0x10	/* restart threads that count already */
#define VPMC_START_MULTIPLEX	0x20	/* events may share counters */
#define VPMC_START_FOLD		0x40	/* add to the parent at exit */
#define VPMC_START_KEEP		0x80	/* count even if no task can read the counts */

/*
 * struct vpmc_attach - argument of VPMC_ATTACH
 * @size: in, sizeof(struct vpmc_attach)
 * @flags: in, VPMC_ATTACH_* bits
 * @id: in, the process or thread in the caller's pid namespace, or with
 *	VPMC_ATTACH_PIDFD a pidfd of it
 * @pad: in, 0
 * @generation: out, the generation of its counter set; 0 if it never counted, or if the
 *	caller must not see its counts
 * @start: out, the start of its process's counts, or with VPMC_ATTACH_THREAD of the
 *	thread's; 0 if @generation is 0
 */
struct vpmc_attach {
	__u32 size;
	__u32 flags;
	__s32 id;
	__u32 pad;
	__aligned_u64 generation;
	__aligned_u64 start;
};

#define VPMC_ATTACH_THREAD	0x1	/* only that thread, not its process */
#define VPMC_ATTACH_PIDFD	0x2	/* @id is a pidfd, from pidfd_open(2) */

/*
 * struct vpmc_signal - argument of VPMC_SIGNAL
 * @size: in, sizeof(struct vpmc_signal)
 * @flags: in, 0
 * @event: in, index of the event in VPMC_START's list
 * @signo: in, the signal, or 0 to end the signals
 * @period: in, number of events from one signal to the next, at least 1; ignored if
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
 * struct vpmc_siginfo - the fields of siginfo_t from si_addr on, in a signal of
 * VPMC_SIGNAL. They are the same for 32-bit programs on a 64-bit kernel. The si_code is
 * VPMC_SI_CODE. signalfd(2) shows only the first two words, as ssi_pid and ssi_uid.
 * @event: index of the event
 * @count: the thread's count when the kernel last noticed a passed multiple, low half
 *	first
 * @start: start of the counts, low half first. There is no room for the generation.
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
 * @generation: out, the generation of the counts, 0 if the caller must not see them
 * @start: out, the start of the counts of the thread, or of the attached process; 0 if
 *	the caller must not see them
 */
struct vpmc_stop {
	__u32 size;
	__u32 flags;
	__aligned_u64 generation;
	__aligned_u64 start;
};

/* A scope selects the threads and processes whose events are read, as in getrusage(2). */
enum vpmc_scope {
	VPMC_SCOPE_THREAD = 0,	/* the calling, or the attached, thread */
	VPMC_SCOPE_SELF,	/* all threads, including exited ones */
	VPMC_SCOPE_CHILDREN,	/* descendants that were waited for */
	VPMC_SCOPE_ALL,		/* everything that this handle collects */
};

/* These are the states of the threads of a scope (vpmc_read.state). */
enum vpmc_state {
	VPMC_STATE_STOPPED = 0,	/* stopped; counts stay readable */
	VPMC_STATE_ARMED,	/* waits for execve(2) */
	VPMC_STATE_RUNNING,	/* at least one thread counts */
	VPMC_STATE_EXITED,	/* no thread has counters any more, or none ever had */
	VPMC_STATE_REVOKED,	/* taken away; the generation has changed */
};

/*
 * struct vpmc_turns - how much the turns of an event that shares a counter differ
 * @count_squares: the sum of the squares of the counts of all turns, in units of 1 <<
 *	@turn_shift of the structure that contains this one; the sum of each thread is
 *	rounded up
 * @products: for each turn, the count is multiplied by the clocks; this is the sum of these
 *	products, in the same units
 * @time_squares: the sum of the squares of the clocks of all turns, in the same units
 * @nr: number of turns
 *
 * Sums saturate at 2^64 - 1.
 *
 * A turn lasts from one clock tick that finds the thread running to the next such tick, or to the
 * thread's end. With the count and the time of the event, these numbers say how accurate a
 * projection from that time to the whole time is.
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
 * @state: out, enum vpmc_state; for VPMC_SCOPE_CHILDREN the state of the process itself
 * @nr_counts: out, how many of @count are set: one per event, in the order of the events
 *	of VPMC_START
 * @running: out, number of processes of the scope that still have a thread; 0 for
 *	VPMC_SCOPE_THREAD and VPMC_SCOPE_CHILDREN
 * @other_events: out, number of counts that are missing in @count because they are of
 *	other events: one for each thread and each time that it was started
 * @revoked: out, number of threads that are missing because system mode or VPMC_RELEASE
 *	took the counters from them, because another program wrote to the registers of
 *	the counters, or because they executed a program that the starter must not
 *	watch
 * @stopped: out, number of gaps in the counts of all threads, at most 2^31 - 1. A stop (VPMC_STOP
 *	by any caller) becomes a gap when the thread resumes, is stopped again, executes a program,
 *	exits, or creates a process or thread, which then does not count. So a stop followed by a
 *	read does not add a gap. A start from zero does not add a gap either, unless the thread
 *	joins other threads that count.
 * @unwaited: out, for VPMC_SCOPE_CHILDREN the number of processes that are missing
 *	because no process has waited for them: descendants that have counted since
 *	they were forked, including those that still run; see vpmc(7). 0 for other
 *	scopes.
 * @generation: out, the generation of the counts. It differs from the generation that
 *	VPMC_START returned if the counts are not those that the caller started.
 * @start: out, the start of the counts: for VPMC_SCOPE_THREAD the thread's last start
 *	from zero, else the start that began the generation, see vpmc_start.self_start
 * @tsc: out, virtual time stamp counter: the number of clocks for which the threads of
 *	the scope were on a processor while counting
 * @count: out, the counts. The kernel reads all counts of a thread at the same moment.
 * @time: out, the part of @tsc for which each event had a counter. It equals @tsc unless
 *	events share counters (VPMC_START_MULTIPLEX). If events share counters, the
 *	caller's structure must not end before this field.
 * @nr_turns: in, 0; out, the number of @turn that are set, which is @nr_counts. The
 *	kernel writes this field and the following ones only if events share counters
 *	and the structure has all of these fields.
 * @turn_shift: out, the sums in @turn are in units of 1 << @turn_shift
 * @turn: out, the turns of each event; for a running thread they may include one turn
 *	more than @count
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
 * struct vpmc_thread_counts - the counts that read(2) of the device returns
 * @other_events: as in struct vpmc_read, like all following fields
 * @revoked: 1 if the thread's counts are missing because they were taken away
 * @stopped: as in struct vpmc_read
 * @unwaited: 0
 * @generation: of the counts
 * @start: of the counts
 * @tsc: of the counts
 * @count: one count per event. The structure ends after the last count, and read(2) returns its
 *	size.
 *
 * The scope is VPMC_SCOPE_THREAD. The errors are those of VPMC_READ. In addition,
 * read(2) fails with EINVAL if the buffer is smaller than the structure or if events
 * share counters. It fails with EACCES unless the caller is the process that opened the
 * device, with unchanged credentials and without another execve(2) since. So a process
 * cannot learn counts of a program by passing it the device as standard input.
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
 * @event: out, the events in the order of VPMC_START
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
 * struct vpmc_record - argument of VPMC_RECORD: the counts of a thread
 * @size: in, sizeof(struct vpmc_record)
 * @flags: in, 0
 * @pid: out, the id of its process in the pid namespace of the task that started to
 *	collect; 0 if it has none there
 * @tid: out, the id of the thread in the same pid namespace; 0 if it has none there
 * @comm: out, its command name, zero-terminated
 * @what: out, VPMC_RECORD_* bits
 * @nr_counts: out, how many of @count are set; 0 if the record only reports lost records,
 *	1 if its counts must not be shown
 * @lost: out, number of records that have been lost since the last call, because there were
 *	VPMC_MAX_RECORDS records already, memory was short or, with VPMC_RECORD_LIMITED, the user
 *	who is charged had reached RLIMIT_MEMLOCK.
 * @stopped: out, as in struct vpmc_read
 * @generation: out, the generation of the counts that the handle collects
 * @start: out, the start of the counts that the handle collects
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
#define VPMC_RECORD_RESTARTED	0x2	/* the thread still runs, and starts from zero */
#define VPMC_RECORD_OTHER	0x4	/* counted other events: not in ALL */
#define VPMC_RECORD_REVOKED	0x8	/* must not be shown: not in ALL */
#define VPMC_RECORD_LIMITED	0x10	/* some of @lost because of RLIMIT_MEMLOCK */
#define VPMC_RECORD_MISSING	0x20	/* of VPMC_CGROUP, not counted: not in ALL */

/*
 * struct vpmc_system_read - argument of VPMC_SYSTEM_READ
 * @size: in, sizeof(struct vpmc_system_read)
 * @cpu: in, a processor's number, or VPMC_ALL_CPUS for the sum
 * @flags: in, 0
 * @state: out, VPMC_STATE_RUNNING or VPMC_STATE_STOPPED
 * @nr_counts: out, how many of @count are set
 * @cpus: out, number of processors whose counts are in @count
 * @generation: out, as VPMC_SYSTEM_START returned it
 * @tsc: out, sum of the clocks for which they counted
 * @count: out, the counts. The kernel reads all counts of a processor at the same
 *	moment.
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
 * @nr_counters: out, number of hardware counters per processor, without the fixed
 *	counters
 * @counter_bits: out, width of a hardware counter
 * @features: out, VPMC_FEATURE_* bits
 * @generation: out, generation of the counter set of the calling process, or of the
 *	bound process on a bound handle; 0 if it never counted or the caller must not
 *	watch it
 * @pmu: out, name of the family of counters (vpmc.7 has a list), zero-terminated
 * @system: out, 1 if the counters are in system mode, else 0
 * @nr_fixed: out, number of fixed counters, which count one event each and are numbered
 *	from @nr_counters on
 * @start: out, start of the same counts as @generation, 0 if there are none
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
 * VPMC_INFO - describe the processor's counters. It needs no rights.
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
 * When a process is reaped, by any wait call, the counts of its threads and of its own waited-for
 * children are added to VPMC_SCOPE_CHILDREN of the process that reaps it. The reaping process need
 * not count. If it has no events, it takes the events of the first such child that it may see. As
 * with CPU times, counts are not added to a tracer that reaps before the parent does, nor to a
 * process that ignores SIGCHLD.
 *
 * VPMC_START_COLLECT needs a start from zero. VPMC_SCOPE_ALL of the handle then has the counts
 * of the process and of all descendants that inherit its events, whether or not they were waited
 * for. With VPMC_START_RECORDS in addition, VPMC_RECORD returns the counts of each of their
 * threads. A process stays with the handle that collects it first until that handle is closed.
 *
 * With VPMC_START_FORCE, threads that count already start again from zero, possibly
 * with other events. With VPMC_START_FOLD, which children inherit, the counts of the
 * process are added to its parent's VPMC_SCOPE_CHILDREN when its last thread exits,
 * even if no process waits for it. A wait does not add them again.
 *
 * A process counts only while its counts could be shown. They can be shown while an open file is
 * bound or attached to the process or to one of its threads, or collects the process. They can also
 * be shown while the process has a page mapped (VPMC_MAP), or executes the program that started one
 * of its threads. It is enough if one of these conditions holds for its parent, the parent's
 * parent, and so on, up to the first process without counters. Otherwise the process is stopped
 * some seconds later, as by VPMC_STOP. With VPMC_START_KEEP, which children inherit, it is not
 * stopped.
 *
 * With VPMC_START_MULTIPLEX there may be up to 16 events per counter. Events on the same counter
 * share it: they rotate at each clock tick while the thread runs, and each count covers the time in
 * vpmc_read.time. If each event has its own counter, the flag changes nothing. In each round each
 * event of a counter has one turn, and a random number decides which event begins. A random number
 * also decides which events begin in the first thread. Each thread that inherits begins with the
 * next event. When each event has been the first event once, another random number is drawn.
 *
 * EINVAL	see vpmc_start.error
 * EPERM	the caller has neither CAP_PERFMON nor CAP_SYS_ADMIN, and asks for
 *		VPMC_MODE_KERNEL, or the module parameter "restricted" is set,
 *		or /proc/sys/kernel/perf_event_paranoid is more than 2; or
 *		VPMC_START_RESUME would resume counts that the caller must not see
 * EACCES	usually: a security module refuses, as to perf_event_open(2)
 * EBUSY	the counters are in system mode (see vpmc_info.system); this thread counts already,
 *		or waits for execve(2); or, with VPMC_START_COLLECT, another handle collects this
 *		process, other threads of it count, or this handle still collects processes of an
 *		earlier start
 * EADDRINUSE	perf_event, or the NMI watchdog through it, has the counters, or
 *		VPMC_RELEASE is giving them to it. perf_event can get them whenever
 *		no thread counts, so VPMC_START_RESUME can fail, too. Or another program
 *		has written to the registers, and the driver is writing them again: then
 *		the call succeeds a moment later.
 * EIO		the counters of an online processor do not work; the kernel's log
 *		says which processor and why
 * EXDEV	the handle is bound to another process
 * ENODATA	VPMC_START_RESUME, but there are no stopped counts of the process's
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
 * ENODATA	no thread in this scope ever started
 * EPERM	the counts must not be shown to the caller
 * EXDEV	VPMC_SCOPE_THREAD on a handle bound to another process
 * ENOMEM	only if events share counters and there is room for vpmc_read.turn
 */
#define VPMC_READ	_IO(VPMC_IOC_MAGIC, 3)

/*
 * VPMC_RECORD - take the oldest of the records that VPMC_START_RECORDS keeps for the handle. There
 * is one record for each thread that exited. Each restart of a thread also leaves a record, with
 * the counts until then.
 *
 * The call does not wait. poll(2) of the handle returns POLLIN if the call would
 * succeed. It returns POLLHUP when no process that the handle collects has a thread
 * left, even without VPMC_START_RECORDS. A handle that does not collect is never ready.
 *
 * ENODATA	there is no record
 * ENOMEM	as for VPMC_READ
 */
#define VPMC_RECORD	_IO(VPMC_IOC_MAGIC, 4)

/*
 * In system mode every processor counts the same events, whatever it runs, until the
 * handle that started it stops it or is closed, or VPMC_RELEASE ends it. Threads do not
 * count for themselves while system mode is active. All three calls need CAP_PERFMON or
 * CAP_SYS_ADMIN.
 *
 * VPMC_SYSTEM_START takes a struct vpmc_start whose @flags is 0 or VPMC_START_FORCE. It begins
 * at zero, even on the handle that has system mode already. It takes the counters from threads
 * that count if none of them is on a processor at this moment, or in any case with
 * VPMC_START_FORCE. The state of these threads becomes VPMC_STATE_REVOKED, and their processes'
 * generations change. They do not count again until they are started.
 *
 * VPMC_SYSTEM_STOP takes a struct vpmc_stop and gives the counters back. The counts
 * stay readable until the next start.
 *
 * EINVAL	see vpmc_start.error; VPMC_SYSTEM_READ: no such processor
 * EPERM	neither capability
 * EACCES	usually: a security module refuses, as to perf_event_open(2)
 * EBUSY	another handle has system mode, or a thread that counts is on a
 *		processor
 * EADDRINUSE	start: as for VPMC_START
 * EIO		start: as for VPMC_START
 * ENODATA	stop, read: this handle never started system mode
 * ENOMEM
 */
#define VPMC_SYSTEM_START	_IO(VPMC_IOC_MAGIC, 5)
#define VPMC_SYSTEM_STOP	_IO(VPMC_IOC_MAGIC, 6)
#define VPMC_SYSTEM_READ	_IO(VPMC_IOC_MAGIC, 7)

/*
 * VPMC_ATTACH - bind an unbound handle to another process, or to one thread.
 *
 * A caller that may read the target's memory (PTRACE_MODE_READ) may attach, and read SELF
 * and CHILDREN of a process or THREAD of a thread. A caller that may trace the target
 * (PTRACE_MODE_ATTACH) may start and stop it; each call checks this right. A start or
 * stop of a process applies to all its threads and to the threads that they create. A
 * start has the same effect as one by the target itself: other observers see the
 * generation change, and children inherit the events. The counts of a target that has
 * exited stay readable.
 *
 * EPERM	the caller has no right to do so; read: the target has executed a
 *		program that the caller must not watch, and has started again since
 * ESRCH	no such process or thread; start, stop: it has exited
 * EBADF	VPMC_ATTACH_PIDFD: @id is not a pidfd
 * EXDEV	the handle is bound already; VPMC_READ: VPMC_SCOPE_SELF or
 *		VPMC_SCOPE_CHILDREN of a thread, VPMC_SCOPE_THREAD of a process
 * EBUSY	start without VPMC_START_FORCE: the target counts already
 * ENODATA	read, stop: the target never counted
 */
#define VPMC_ATTACH	_IO(VPMC_IOC_MAGIC, 8)

/*
 * VPMC_SIGNAL - send the calling thread a signal when its count of an event reaches or passes a
 * multiple of @period. The counter interrupts at the multiple if it can interrupt, @period is at
 * least VPMC_MIN_PERIOD, and no event counts kernel mode or has a period. Otherwise the kernel
 * notices the multiple when it reads the counter: at the next context switch, clock tick, read or
 * stop. The signal is then sent before the thread executes another instruction in user mode, so no
 * signal is sent after a stop has returned. If the thread is falling asleep in a system call, the
 * call is interrupted, as by any signal, even if the signal is blocked. So sigwaitinfo(2) and other
 * calls that are not restarted may fail with EINTR, and the caller should repeat them.
 *
 * Several multiples that are noticed at once lead to one signal. While the signal is pending, it is
 * updated instead of being sent again. So no multiple is lost or reported twice. @count divided by
 * @period, rounded down, grows from each signal to the next. After a stop, the quotient of the last
 * signal equals the quotient of the final count. If the signal cannot be queued, because another
 * signal with the same number is pending or RLIMIT_SIGPENDING is reached, it is sent as soon as it
 * can be queued.
 *
 * The signal belongs to the calling thread and is not inherited. It ends with a start from zero,
 * with execve(2), and when the counters are taken away. If it is due then, but was not sent yet, it
 * is dropped. It does not end with a stop, and continues with VPMC_START_RESUME. Each event can
 * have one signal. Another call for the same event replaces the signal, but first sends it for
 * multiples that were passed already.
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
 * @counter: ECX for RDPMC; it always selects a counter that exists
 * @pad: 0
 * @high: the upper half of the count: @high[1] if bit 31 of EAX is 0, @high[0] if it is
 *	1. The two are in this order because one instruction turns bit 31 into 0 or -1.
 *	The lower half of each is 0 and never written again, so 32-bit programs read only
 *	the upper half. If this is VPMC_PAGE_INVALID, the sum is negative as a signed
 *	64-bit number, and is not a count.
 *
 * After RDPMC, EAX holds the low 32 bits of the 64-bit count, however wide the counter
 * is. Ignore EDX. The kernel prepares @high[1] for the next wrap when EAX is in its last
 * quarter, and @high[0] when EAX is in its second quarter. So a read that is interrupted
 * between RDPMC and the addition of @high is still right, unless the thread counts more
 * than 2^30 events in between, in a signal handler. So a read need not be repeated or
 * corrected.
 */
struct vpmc_page_count {
	__u32 counter;
	__u32 pad;
	__aligned_u64 high[2];
};

#define VPMC_PAGE_BITS		32
#define VPMC_PAGE_INVALID	0x8000000000000000ULL

/*
 * struct vpmc_page - the page that VPMC_MAP maps, with the counts of one thread
 * @size: number of bytes of this structure that the kernel fills in
 * @sequence: changes with each change of the following fields, and each time that the
 *	thread is switched in
 * @state: enum vpmc_state of the thread. It is VPMC_STATE_RUNNING only while @count can be read. So
 *	it is also VPMC_STATE_STOPPED if the counts do not belong to @generation any more.
 * @nr_counts: how many of @count are counts, in the order of the events of VPMC_START; other
 *	elements are VPMC_PAGE_INVALID
 * @generation: of the counts
 * @tsc: the number to add to RDTSC to get the thread's virtual time stamp counter
 * @count: how to read each count
 * @start: start of the counts, see the top of this file. It changes with each start from
 *	zero of the thread, even if the generation stays the same because other
 *	threads count.
 *
 * The page is read-only for the process. The kernel writes it on the processor that the thread is
 * on, with interrupts off, so only the thread itself always sees a consistent page. The page is
 * invalid while the thread is not on a processor. It is also invalid if the thread does not count,
 * or if its counters were taken away. If another task starts or stops the thread, the page is
 * invalid until the thread calls VPMC_START or VPMC_MAP.
 *
 * Several counts are from the same moment if @sequence has the same value before and after the
 * reads.
 *
 * While a page is invalid, RDPMC may be refused, and then returns 0. RDPMC is refused while kernel
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
 * @address: out, address of the calling thread's struct vpmc_page
 * @generation: out, generation of the thread's counts, 0 if it never started
 * @start: out, start of the thread's counts, 0 if it never started
 */
struct vpmc_map {
	__u32 size;
	__u32 flags;
	__aligned_u64 address;
	__aligned_u64 generation;
	__aligned_u64 start;
};

/*
 * VPMC_MAP - map the calling thread's page, if it is not mapped yet, and let it show
 * the thread's present counts.
 *
 * From then on all threads of the process may execute RDPMC, until all pages are unmapped. The page
 * stays at the same address until the thread executes another program. A process that the thread
 * forks has its own page at that address. If the process counts, its threads may execute RDPMC from
 * the first use of this page on. Other threads map their own pages. munmap(2) removes a page;
 * mprotect(2) and mremap(2) are refused.
 *
 * EOPNOTSUPP	the processor has no RDPMC, or an erratum forbids it in user
 *		mode: see VPMC_FEATURE_MAP; or the attribute "rdpmc" of perf's
 *		PMU forbids it
 * EPERM	the caller must not see the counts, or has no counts and must not count
 * EACCES	the device is not open for reading
 * EADDRINUSE	perf_event has the counters, or VPMC_RELEASE is giving them to it. The
 *		driver keeps them while there is a page from which VPMC_RELEASE has not
 *		taken them.
 * EIO		as for VPMC_START
 * EXDEV	the handle is bound to another process
 * ENOMEM	memory is short, or the user has exceeded RLIMIT_MEMLOCK: pages of threads that have
 *		exited are charged to the user while they are mapped
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
 * VPMC_RELEASE - take the counters from all processes and from system mode, and give them back to
 * perf_event, which has them when the call returns. The state of all threads that count, or wait
 * for execve(2) to count, becomes VPMC_STATE_REVOKED, and their processes' generations change.
 * System mode is stopped, and its generation changes, too. Pages are invalid until their threads
 * call VPMC_START or VPMC_MAP again. These calls fail until VPMC_RELEASE returns. RDPMC returns 0
 * in threads with a page, and is refused in threads without one. The call needs CAP_PERFMON or
 * CAP_SYS_ADMIN. /sys/class/misc/vpmc/holders lists who has the counters.
 *
 * EPERM	neither capability
 * EBUSY	the counters were taken and no thread counts, but starts or forks that began before
 *		the last releases have not ended: end the processes that execute them
 */
#define VPMC_RELEASE	_IO(VPMC_IOC_MAGIC, 12)

/*
 * struct vpmc_cgroup - argument of VPMC_CGROUP
 * @size: in, sizeof(struct vpmc_cgroup)
 * @flags: in, 0
 * @fd: in, a descriptor of the cgroup's directory
 * @pad: in, 0
 */
struct vpmc_cgroup {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 pad;
};

/*
 * VPMC_CGROUP - let a handle that collects (VPMC_START_COLLECT) also collect the processes of a
 * cgroup of version 2, and of the cgroups below it. Needs CAP_PERFMON or CAP_SYS_ADMIN.
 *
 * All threads of a process that is in the cgroup are started, from zero, with the events of the
 * handle's start. So are the threads of a process that enters the cgroup later, by a write to
 * cgroup.procs, by fork(2) or by CLONE_INTO_CGROUP. These processes and their children count as if
 * the process that called VPMC_START had forked them, but without VPMC_START_KEEP and
 * VPMC_START_FOLD. A process that enters counts before it executes another instruction in user
 * mode. Kernel mode is counted from this start on, so the rest of the present system call of each
 * thread is not counted. A process that leaves the cgroup goes on being counted until it exits or
 * the handle is closed.
 *
 * A process is not started if it counts already, another handle collects it, the counters are in
 * system mode, or memory is short. Each of its threads is then missing: vpmc_read.other_events
 * grows by one for the thread, and with VPMC_START_RECORDS there is a record with
 * VPMC_RECORD_MISSING. A thread that enters several times is noted only once. A thread of the
 * process that called VPMC_START is also missing if it is in the cgroup but was not started. If a
 * thread of another process has been stopped, this stop is a gap in vpmc_read.stopped, even if
 * nothing has followed it yet.
 *
 * VPMC_CGROUP refuses a threaded cgroup, because it can have some threads of a process, but only
 * whole processes are started. If the cgroup becomes threaded later, threads that enter it are
 * missing.
 *
 * EPERM	neither capability; VPMC_START of such a handle has the same error
 * EACCES	usually: a security module refuses, as to perf_event_open(2)
 * EBADF	@fd is not a directory of such a cgroup
 * EINVAL	the cgroup is threaded
 * ENODATA	the handle does not collect
 * EBUSY	the handle has a cgroup already
 * EOPNOTSUPP	the kernel does not have CONFIG_CGROUPS
 * ENOMEM
 */
#define VPMC_CGROUP	_IO(VPMC_IOC_MAGIC, 13)

/*
 * struct vpmc_samples - argument of VPMC_SAMPLES
 * @size: in, sizeof(struct vpmc_samples)
 * @flags: in, VPMC_SAMPLES_* bits
 * @ring_size: in, the number of bytes for records in each ring: a power of two, from 4096 (one
 *	page) to VPMC_MAX_RING
 * @nr_rings: out, the number of rings, one for each processor that can ever come on line
 * @callers: in, the largest number of callers in a sample, up to VPMC_MAX_CALLERS
 * @seed: in, the seed of all jitter
 * @jitter: in, for each event of VPMC_START's list, the number of events by which the distance to a
 *	sample may differ from the period, in both directions
 */
struct vpmc_samples {
	__u32 size;
	__u32 flags;
	__u32 ring_size;
	__u32 nr_rings;
	__u32 callers;
	__u32 seed;
	__u32 jitter[VPMC_MAX_EVENTS];
};

#define VPMC_SAMPLES_REGISTERS	0x1	/* samples have the registers of user mode */
#define VPMC_SAMPLES_TICKS	0x2	/* samples at clock ticks, not at the events */

#define VPMC_MAX_RING		(16 << 20)
#define VPMC_MAX_CALLERS	127

/*
 * struct vpmc_ring - the beginning of a ring
 * @head: the number of bytes that the kernel has ever written, modulo 2^32. A reader loads it with
 *	acquire semantics, and then reads the records.
 * @lost: number of samples that are missing because there was no room for them, at most 2^32 - 1
 * @lost_changes: number of other records that are missing, because there was no room for them or
 *	memory was short
 * @hidden: number of samples that are missing because the observer may not watch the program
 * @pad: 0
 * @tail: the number of bytes that the reader has ever read, modulo 2^32. The reader stores it with
 *	release semantics, and the kernel then overwrites these bytes. The kernel reads only this
 *	field.
 *
 * The records begin after this structure. The byte that was written as number N, from 0, is at
 * offset N modulo the ring's size. Each record begins and ends at a multiple of 8 bytes, and may
 * continue at the beginning of the ring.
 */
struct vpmc_ring {
	__u32 head;
	__u32 lost;
	__u32 lost_changes;
	__u32 hidden;
	__u8 pad[4096 - 20];
	__u32 tail;
};

/*
 * struct vpmc_sample - the place of an event: a record whose @where has VPMC_WHERE_OTHER clear
 * @where: the address, and the fields that VPMC_WHERE_* define
 * @tsc: the time stamp counter
 * @pid: the process in the pid namespace of the task that called VPMC_SAMPLES, 0 if it has no
 *	id there
 * @tid: the thread in the same namespace
 *
 * The address belongs to the instruction that was to be executed next when the interrupt came. The
 * interrupt comes some instructions after the event. If the event has VPMC_MODE_PRECISE, the
 * address is that of the instruction of the event. For events of user mode alone it is always an
 * address of user mode. The address is linear, also in code segments with a base; it is 0 if it is
 * not known. Samples with callers or registers are struct vpmc_long_sample.
 */
struct vpmc_sample {
	__aligned_u64 where;
	__aligned_u64 tsc;
	__u32 pid;
	__u32 tid;
};

/*
 * These are the bits of @where: the low bits of the address, whose other bits are 0 in user mode,
 * and copies of bit 55 in kernel mode; the index of the event in VPMC_START's list; and whether the
 * sample is of kernel mode. VPMC_WHERE_LATE means that a switch, tick or read noticed the overflow
 * before the interrupt, and took the sample. If the event has VPMC_MODE_PRECISE, the bit means
 * instead that the processor has not recorded the address.
 */
#define VPMC_WHERE_ADDRESS	0x00ffffffffffffffULL
#define VPMC_WHERE_EVENT_SHIFT	56
#define VPMC_WHERE_EVENT_MASK	0x1f
#define VPMC_WHERE_LATE		0x2000000000000000ULL
#define VPMC_WHERE_KERNEL	0x4000000000000000ULL
#define VPMC_WHERE_OTHER	0x8000000000000000ULL

/*
 * struct vpmc_change - a record of the program or memory to which later samples belong: its @where
 * has VPMC_WHERE_OTHER set
 * @where: VPMC_WHERE_OTHER, an enum vpmc_change_type in bits 32 to 39, and the size of the record
 *	with its text in bytes in bits 0 to 31, a multiple of 8
 * @tsc: as in a sample. To get the order of changes and samples, sort the records of all rings by
 *	@tsc.
 * @pid: the process, as in a sample
 * @tid: the thread, as in a sample
 * @begin: VPMC_CHANGE_MAP: the address of the first byte; VPMC_CHANGE_FORK and VPMC_CHANGE_BORN: a
 *	number that the kernel gives only to the new process; VPMC_CHANGE_SAMPLES: vpmc_sample.where
 *	of each sample
 * @end: VPMC_CHANGE_MAP: the address after the last byte; VPMC_CHANGE_SAMPLES: the number of
 *	samples, at least 2
 * @offset: VPMC_CHANGE_MAP: the offset of the first byte in the file
 * @inode: VPMC_CHANGE_MAP: the inode of the file; 0 if there is no file
 * @device: VPMC_CHANGE_MAP: major number << 32 | minor number
 * @text: VPMC_CHANGE_MAP: the path of the file as the process sees it, " (deleted)" included, or a
 *	name such as "[vdso]", or an empty text; VPMC_CHANGE_EXEC: the command name. It is
 *	zero-terminated, and filled up with zeros.
 */
struct vpmc_change {
	__aligned_u64 where;
	__aligned_u64 tsc;
	__u32 pid;
	__u32 tid;
	__aligned_u64 begin;
	__aligned_u64 end;
	__aligned_u64 offset;
	__aligned_u64 inode;
	__aligned_u64 device;
	char text[];
};

#define VPMC_CHANGE_TYPE_SHIFT	32
#define VPMC_CHANGE_TYPE_MASK	0xff
#define VPMC_CHANGE_SIZE	0xffffffffULL

enum vpmc_change_type {
	VPMC_CHANGE_MAP = 1,	/* new, moved, extended or newly executable memory */
	VPMC_CHANGE_EXEC,	/* the process executes this program; its mappings follow */
	VPMC_CHANGE_FORK,	/* the process forks number @begin, with the present mappings */
	VPMC_CHANGE_BORN,	/* the process is number @begin, and runs for the first time */
	VPMC_CHANGE_SAMPLE,	/* no change: the record is a struct vpmc_long_sample */
	VPMC_CHANGE_SAMPLES,	/* several samples of one moment, with VPMC_SAMPLES_TICKS */
};

/* These are the reasons why a sample has no more callers (vpmc_long_sample.end). */
enum vpmc_chain_end {
	VPMC_CHAIN_NONE = 0,	/* none were asked for */
	VPMC_CHAIN_OUTERMOST,	/* the last frame pointer is 0, so there are no more */
	VPMC_CHAIN_DEPTH,	/* there are as many as were asked for */
	VPMC_CHAIN_BROKEN,	/* the next frame is not valid, or its memory is not present */
	VPMC_CHAIN_UNKNOWN,	/* the registers or the memory of user mode could not be read */
};

/*
 * struct vpmc_registers - registers of user mode. They have 64 bits for 32-bit programs, too.
 * Registers that such programs do not have are 0.
 */
struct vpmc_registers {
	__aligned_u64 ax, bx, cx, dx, si, di, bp, sp;
	__aligned_u64 r8, r9, r10, r11, r12, r13, r14, r15;
	__aligned_u64 ip, flags, cs, ss;
};

/*
 * struct vpmc_long_sample - a sample of a handle that asked for callers or registers: a record of
 * type VPMC_CHANGE_SAMPLE
 * @where: as in struct vpmc_change
 * @tsc: as in a sample
 * @pid: as in a sample
 * @tid: as in a sample
 * @at: the same bits as in vpmc_sample.where
 * @nr_callers: number of callers
 * @end: enum vpmc_chain_end
 * @flags: VPMC_SAMPLES_REGISTERS if registers follow
 * @caller: the addresses to which the functions return, the innermost first. In a sample of kernel
 *	mode the first caller is the address in user mode.
 *
 * The callers are followed by a struct vpmc_registers if @flags says so. The callers and the
 * registers are unknown if the interrupt came while the kernel was being entered or left, in a
 * switch or in execve(2). They are hidden if the process is not dumpable (prctl(2)), unless the
 * task that called VPMC_START had CAP_PERFMON or CAP_SYS_ADMIN.
 *
 * The kernel finds the callers by the frame pointers (EBP or RBP). The word at a frame pointer is
 * the next frame pointer, and the word after it is the address to which the function returns. Each
 * frame is at a multiple of the word size, and at a higher address than the frame before it. The
 * first frame is not below the stack pointer. If a function has not set its frame pointer yet, its
 * caller is missing.
 */
struct vpmc_long_sample {
	__aligned_u64 where;
	__aligned_u64 tsc;
	__u32 pid;
	__u32 tid;
	__aligned_u64 at;
	__u16 nr_callers;
	__u16 end;
	__u32 flags;
	__aligned_u64 caller[];
};

/*
 * VPMC_SAMPLES - give the handle rings for samples, one for each processor that can come on line.
 * Then VPMC_START with VPMC_START_COLLECT, or VPMC_START_RESUME, takes events that have periods.
 * All threads that the handle collects leave samples in the ring of the processor that they are
 * on.
 *
 * The calling process then maps ring I, counted from 0, at offset (I + 1) * (sizeof(struct
 * vpmc_ring) + @ring_size). The mapping is shared, and contains struct vpmc_ring and all records
 * after it. The process can map a ring several times. Forked processes do not inherit the mappings.
 * The device must be open for reading and writing. Samples end when the handle is closed and all
 * rings are unmapped. The memory is charged as records are.
 *
 * With a period of N the events N, 2N, 3N and so on of each thread leave a sample, whatever other
 * tasks run in between. So a thread that has counted C events has left C / N samples, rounded down.
 * This number includes the samples in vpmc_ring.lost and vpmc_ring.hidden. A sample is hidden if
 * its process has rights that the process's user lacks, and the task that called VPMC_START had
 * neither CAP_PERFMON nor CAP_SYS_ADMIN. The page of a thread that leaves samples (VPMC_MAP) does
 * not show counts.
 *
 * With a jitter of J the distance to each next sample is N - J + R * (2 * J + 1) / 2^32, rounded
 * down, so that on average it is N. VPMC_START refuses N - J that is too short for a period and
 * N + J that is too long. R is a pseudo-random number of 32 bits:
 *
 *	mix(x): x ^= x >> 16; x *= 0x85ebca6b; x ^= x >> 13; x *= 0xc2b2ae35; x ^= x >> 16;
 *	R of sample I, from 1, of event E: mix(mix(S + E) + I * 0x9e3779b9)
 *
 * S is @seed in a thread that VPMC_START lets count. In the I-th thread or process, from 1, that a
 * counting thread has created since its start, S is mix(S - I) of the creator's S. So S does not
 * depend on processors or time.
 *
 * With VPMC_SAMPLES_TICKS, no counter interrupts. A sample is taken when the kernel next reads the
 * counter: at a clock tick, or before it when the thread is switched out, stops or is read. All
 * samples that are due then are one record, with VPMC_WHERE_LATE and the address where the thread
 * is at that moment. The number of samples is as above. These samples have neither callers nor
 * registers, and no jitter.
 *
 * The count of an event that has a period and kernel mode lacks the events that happen while the
 * kernel writes to its counter. These are fewer than 100 instructions at each sample and whenever
 * the thread begins to run. They are more if the interrupt comes at that moment. The number of
 * samples agrees with the count.
 *
 * EINVAL	@flags, @ring_size or @callers are not as described
 * EBUSY	the handle has rings, or is bound to a process, already
 * EOPNOTSUPP	without VPMC_SAMPLES_TICKS: the processor or the kernel has no interrupt for
 *		overflows
 * ENOMEM	memory is short, or RLIMIT_MEMLOCK is too low
 *
 * Errors of mmap(2): EINVAL (no such ring, another length, or a private mapping); EACCES (another
 * process than the one that called VPMC_SAMPLES, or the device is not open for writing).
 */
#define VPMC_SAMPLES	_IO(VPMC_IOC_MAGIC, 14)

#endif /* _UAPI_LINUX_VPMC_H */
