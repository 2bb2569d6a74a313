/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PCL, the Performance Counter Library, version 2.2, on vpmc's counters.
 *
 *	int events[] = { PCL_CYCLES, PCL_INSTR };
 *	PCL_CNT_TYPE counts[2];
 *	PCL_FP_CNT_TYPE rates[2];
 *	PCL_DESCR_TYPE descr;
 *
 *	if (PCLinit(&descr) ||
 *	    PCLstart(descr, events, 2, PCL_MODE_USER))
 *		return 1;
 *	work();
 *	PCLstop(descr, counts, rates, 2);
 *	PCLexit(descr);
 *
 * All functions but PCLeventname() return PCL_SUCCESS or one of the errors below. After
 * an error nothing has changed, unless the function says otherwise.
 *
 * A handle belongs to the thread that called PCLinit(); in others its functions return
 * PCL_FAILURE. Counts are the thread's, whichever processors it runs on.
 *
 * The numbers are those of PCL 2.2. The header can be used from C11 and from C++.
 */
#ifndef PCL_H
#define PCL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most events of a call, calls within each other, and hardware counters. */
#define PCL_MAX_EVENT_PER_CALL 16
#define PCL_MAX_NESTING_LEVEL  16
#define PCL_COUNTER_MAX	       19

/* What functions return. */
#define PCL_SUCCESS	       0
#define PCL_NOT_SUPPORTED      (-1) /* the processor has no such event */
#define PCL_TOO_MANY_EVENTS    (-2) /* more events than counters */
#define PCL_TOO_MANY_NESTINGS  (-3) /* more than PCL_MAX_NESTING_LEVEL */
#define PCL_TOO_ILL_NESTING    (-4) /* other events than those under way */
#define PCL_ILL_EVENT	       (-5) /* there is no event of this number */
#define PCL_MODE_NOT_SUPPORTED (-6) /* no such mode, or no right to it */
#define PCL_FAILURE	       (-7) /* anything else */

/* Its name in programs of that time. */
#define PCL_ILL_NESTING PCL_TOO_ILL_NESTING

/* In which modes of the processor events are counted. System needs CAP_PERFMON. */
#define PCL_MODE_USER	     0x1u
#define PCL_MODE_SYSTEM	     0x2u
#define PCL_MODE_USER_SYSTEM (PCL_MODE_USER | PCL_MODE_SYSTEM)

/* Those below PCL_MFLOPS are counts, the others ratios. docs/history/pcl.md says what each is. */
enum {
	PCL_L1CACHE_READ = 0,
	PCL_L1CACHE_WRITE,
	PCL_L1CACHE_READWRITE,
	PCL_L1CACHE_HIT,
	PCL_L1CACHE_MISS,
	PCL_L1DCACHE_READ,
	PCL_L1DCACHE_WRITE,
	PCL_L1DCACHE_READWRITE,
	PCL_L1DCACHE_HIT,
	PCL_L1DCACHE_MISS,
	PCL_L1ICACHE_READ,
	PCL_L1ICACHE_WRITE,
	PCL_L1ICACHE_READWRITE,
	PCL_L1ICACHE_HIT,
	PCL_L1ICACHE_MISS,
	PCL_L2CACHE_READ,
	PCL_L2CACHE_WRITE,
	PCL_L2CACHE_READWRITE,
	PCL_L2CACHE_HIT,
	PCL_L2CACHE_MISS,
	PCL_L2DCACHE_READ,
	PCL_L2DCACHE_WRITE,
	PCL_L2DCACHE_READWRITE,
	PCL_L2DCACHE_HIT,
	PCL_L2DCACHE_MISS,
	PCL_L2ICACHE_READ,
	PCL_L2ICACHE_WRITE,
	PCL_L2ICACHE_READWRITE,
	PCL_L2ICACHE_HIT,
	PCL_L2ICACHE_MISS,
	PCL_TLB_HIT,
	PCL_TLB_MISS,
	PCL_ITLB_HIT,
	PCL_ITLB_MISS,
	PCL_DTLB_HIT,
	PCL_DTLB_MISS,
	PCL_CYCLES,
	PCL_ELAPSED_CYCLES,
	PCL_INTEGER_INSTR,
	PCL_FP_INSTR,
	PCL_LOAD_INSTR,
	PCL_STORE_INSTR,
	PCL_LOADSTORE_INSTR,
	PCL_INSTR,
	PCL_JUMP_SUCCESS,
	PCL_JUMP_UNSUCCESS,
	PCL_JUMP,
	PCL_ATOMIC_SUCCESS,
	PCL_ATOMIC_UNSUCCESS,
	PCL_ATOMIC,
	PCL_STALL_INTEGER,
	PCL_STALL_FP,
	PCL_STALL_JUMP,
	PCL_STALL_LOAD,
	PCL_STALL_STORE,
	PCL_STALL,
	PCL_MFLOPS,
	PCL_IPC,
	PCL_L1DCACHE_MISSRATE,
	PCL_L2DCACHE_MISSRATE,
	PCL_MEM_FP_RATIO,
	PCL_MAX_EVENT /* how many there are */
};

/* Whether the result of event E is an integer, and whether it is a rate or ratio. */
#define PCL_EVENT_IS_INT(e)  ((e) < PCL_MFLOPS)
#define PCL_EVENT_IS_RATE(e) ((e) >= PCL_MFLOPS)

typedef int64_t PCL_CNT_TYPE;
typedef double PCL_FP_CNT_TYPE;

/* A handle. It points to nothing that programs may look at. */
typedef struct pcl_descr *PCL_DESCR_TYPE;

/**
 * PCLinit() - allocate a handle for the calling thread
 * @addr_descr: receives the handle, which the caller gives to PCLexit(); NULL after an
 *	error, with which all other functions return PCL_FAILURE
 *
 * Return: PCL_SUCCESS; PCL_FAILURE (no driver, no memory, or @addr_descr is NULL).
 */
int PCLinit(PCL_DESCR_TYPE *addr_descr);

/**
 * PCLexit() - release a handle
 * @descr: from PCLinit()
 *
 * Ends what it counts.
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (no handle of this thread).
 */
int PCLexit(PCL_DESCR_TYPE descr);

/**
 * PCLquery() - ask whether events can be counted at the same time
 * @descr: from PCLinit()
 * @counter_list: the events, PCL_L1CACHE_READ to PCL_MEM_FP_RATIO
 * @ncounter: how many, 1 to PCL_MAX_EVENT_PER_CALL
 * @mode: PCL_MODE_*
 *
 * Starts nothing, and takes no counters. An event that the processor would never count
 * (the emulated one counts no misses of caches) is not supported.
 *
 * Return: PCL_SUCCESS, PCL_NOT_SUPPORTED, PCL_TOO_MANY_EVENTS, PCL_ILL_EVENT,
 * PCL_MODE_NOT_SUPPORTED, PCL_FAILURE (no handle of this thread, no events).
 */
int PCLquery(PCL_DESCR_TYPE descr, const int *counter_list, int ncounter,
	     unsigned int mode);

/**
 * PCLstart() - count events from zero
 * @descr: from PCLinit()
 * @counter_list: the events, as for PCLquery()
 * @ncounter: how many
 * @mode: PCL_MODE_*
 *
 * Each start belongs to the next PCLstop() that is left for it, as brackets do. Within
 * another one it has the same events, in any order, and the same mode; the outer counts
 * go on, and contain the inner ones.
 *
 * Return: PCL_SUCCESS, the errors of PCLquery(), PCL_TOO_MANY_NESTINGS,
 * PCL_TOO_ILL_NESTING; PCL_FAILURE also if somebody else uses the counters: the thread
 * counts already (perfex runs it), or PCL_driver_start() does.
 */
int PCLstart(PCL_DESCR_TYPE descr, const int *counter_list, int ncounter,
	     unsigned int mode);

/**
 * PCLread() - read counts, which go on
 * @descr: from PCLinit()
 * @i_result_list: receives the counts since the last PCLstart() that is under way, each
 *	at the place of its event
 * @fp_result_list: receives the ratios, likewise; a place of @i_result_list whose event
 *	is a ratio is left as it was, and one of this whose event is a count. It may be
 *	NULL if no event is a ratio, and @i_result_list if each one is.
 * @ncounter: how many events that start had
 *
 * A ratio whose divisor is 0 is not a number, or infinite.
 *
 * Return: PCL_SUCCESS; PCL_FAILURE (no handle of this thread, nothing was started, other
 * @ncounter, or the counters were taken away).
 */
int PCLread(PCL_DESCR_TYPE descr, PCL_CNT_TYPE *i_result_list,
	    PCL_FP_CNT_TYPE *fp_result_list, int ncounter);

/**
 * PCLstop() - end what the last PCLstart() began, and read its counts
 * @descr: from PCLinit()
 * @i_result_list: receives counts, as for PCLread()
 * @fp_result_list: receives ratios
 * @ncounter: how many events that start had
 *
 * If the counters were taken away, that ends all starts under way.
 *
 * Return: as PCLread().
 */
int PCLstop(PCL_DESCR_TYPE descr, PCL_CNT_TYPE *i_result_list,
	    PCL_FP_CNT_TYPE *fp_result_list, int ncounter);

/**
 * PCLeventname() - the name of an event
 * @event: its number
 *
 * Return: a constant string, such as "PCL_CYCLES"; NULL if there is no such event.
 */
const char *PCLeventname(int event);

/*
 * The low-level interface: the processor's counters and its own events.
 */

/* Bit n stands for hardware counter n. */
typedef uint32_t PCL_BIT_MASK_TYPE;

/* What a counter is to count: the event's code in the processor's manual. */
typedef uint64_t PCL_DRIVER_COMMAND_TYPE;

/**
 * PCL_PROCESSOR_INFO - the processor. The strings last as long as the calling thread.
 * @vendor: as CPUID spells it
 * @family: the family of its counters: "p5", "p5mmx", "p6", "intel" or "amd"
 * @model: CPUID's family, model and stepping
 * @mhz: its rate, 0 if the kernel does not tell
 * @ncounters: hardware counters
 */
typedef struct {
	const char *vendor;
	const char *family;
	const char *model;
	int mhz;
	int ncounters;
} PCL_PROCESSOR_INFO;

/**
 * PCL_driver_info() - describe the processor
 * @info: receives the description
 *
 * Return: PCL_SUCCESS; PCL_NOT_SUPPORTED (its counters are not known); PCL_FAILURE
 * (@info is NULL).
 */
int PCL_driver_info(PCL_PROCESSOR_INFO *info);

/**
 * PCL_driver_open() - begin to use the low-level interface
 * @descr: from PCLinit()
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (no handle of this thread, or it is open).
 */
int PCL_driver_open(PCL_DESCR_TYPE descr);

/**
 * PCL_driver_start() - count events on chosen counters, from zero
 * @descr: after PCL_driver_open()
 * @max_counter: the highest counter that is looked at, up to PCL_COUNTER_MAX. There is
 *	no counter of that number itself.
 * @counter_used_mask: which counters are to count
 * @commands: for each of these, at its number, the event
 * @count_mode: PCL_MODE_*
 *
 * Return: PCL_SUCCESS, PCL_NOT_SUPPORTED (no such counter, or it cannot count this),
 * PCL_MODE_NOT_SUPPORTED, PCL_FAILURE (not open, no counters, @max_counter is out of
 * range, or the thread counts already, by whatever means).
 */
int PCL_driver_start(PCL_DESCR_TYPE descr, int max_counter,
		     PCL_BIT_MASK_TYPE counter_used_mask,
		     const PCL_DRIVER_COMMAND_TYPE *commands,
		     unsigned int count_mode);

/**
 * PCL_driver_read() - read counters
 * @descr: after PCL_driver_start(), also when that has been stopped
 * @max_counter: as for PCL_driver_start()
 * @counter_used_mask: those to read, of those that were started
 * @counter_values: receives the count of each, at its number
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (nothing was started, or not all of these).
 */
int PCL_driver_read(PCL_DESCR_TYPE descr, int max_counter,
		    PCL_BIT_MASK_TYPE counter_used_mask,
		    PCL_CNT_TYPE *counter_values);

/**
 * PCL_driver_stop() - end counting
 * @descr: after PCL_driver_start()
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (nothing counts).
 */
int PCL_driver_stop(PCL_DESCR_TYPE descr);

/**
 * PCL_driver_close() - end the use of the low-level interface, and what it counts
 * @descr: after PCL_driver_open()
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (not open).
 */
int PCL_driver_close(PCL_DESCR_TYPE descr);

#ifdef __cplusplus
}
#endif

#endif /* PCL_H */
