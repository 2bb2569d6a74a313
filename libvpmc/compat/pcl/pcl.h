/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares PCL, the Performance Counter Library, version 2.2, on vpmc's
 * counters.
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
 * A handle belongs to the thread that called PCLinit(). In other threads the functions
 * return PCL_FAILURE for it. A count belongs to the thread, not to a processor.
 *
 * The numbers of events and errors are the same as in PCL 2.2. The header can be used
 * from C11 and from C++.
 */
#ifndef PCL_H
#define PCL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* These limit the events of a call, the nested calls, and the hardware counters. */
#define PCL_MAX_EVENT_PER_CALL 16
#define PCL_MAX_NESTING_LEVEL  16
#define PCL_COUNTER_MAX	       19

/* Functions return these values. */
#define PCL_SUCCESS	       0
#define PCL_NOT_SUPPORTED      (-1) /* the processor does not have such an event */
#define PCL_TOO_MANY_EVENTS    (-2) /* more events than counters */
#define PCL_TOO_MANY_NESTINGS  (-3) /* more than PCL_MAX_NESTING_LEVEL */
#define PCL_TOO_ILL_NESTING    (-4) /* not the outer start's events */
#define PCL_ILL_EVENT	       (-5) /* no event has this number */
#define PCL_MODE_NOT_SUPPORTED (-6) /* no such mode, or no right to use it */
#define PCL_FAILURE	       (-7) /* any other error */

/* Old programs use this name. */
#define PCL_ILL_NESTING PCL_TOO_ILL_NESTING

/* Events are counted in these modes of the processor. PCL_MODE_SYSTEM needs CAP_PERFMON. */
#define PCL_MODE_USER	     0x1u
#define PCL_MODE_SYSTEM	     0x2u
#define PCL_MODE_USER_SYSTEM (PCL_MODE_USER | PCL_MODE_SYSTEM)

/*
 * Events below PCL_MFLOPS are counts, and the other events are ratios. docs/history/pcl.md
 * describes each event.
 */
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
	PCL_MAX_EVENT /* number of events */
};

/* Return whether the result of event E is an integer, and whether it is a rate or ratio. */
#define PCL_EVENT_IS_INT(e)  ((e) < PCL_MFLOPS)
#define PCL_EVENT_IS_RATE(e) ((e) >= PCL_MFLOPS)

typedef int64_t PCL_CNT_TYPE;
typedef double PCL_FP_CNT_TYPE;

/* A handle is a pointer to an object that programs must not access. */
typedef struct pcl_descr *PCL_DESCR_TYPE;

/**
 * PCLinit() - allocate a handle for the calling thread
 * @addr_descr: receives the handle, which the caller passes to PCLexit(). It is NULL
 *	after an error, so that all other functions return PCL_FAILURE.
 *
 * Return: PCL_SUCCESS; PCL_FAILURE (no driver, no memory, or @addr_descr is NULL).
 */
int PCLinit(PCL_DESCR_TYPE *addr_descr);

/**
 * PCLexit() - release a handle
 * @descr: from PCLinit()
 *
 * Ends the counts of the handle.
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (not a handle of this thread).
 */
int PCLexit(PCL_DESCR_TYPE descr);

/**
 * PCLquery() - ask whether events can be counted at the same time
 * @descr: from PCLinit()
 * @counter_list: the events, PCL_L1CACHE_READ to PCL_MEM_FP_RATIO
 * @ncounter: number of events, 1 to PCL_MAX_EVENT_PER_CALL
 * @mode: PCL_MODE_*
 *
 * The function neither counts nor takes counters. An event that the processor would never
 * count is not supported. For example, the emulated processor does not count misses of
 * caches.
 *
 * Return: PCL_SUCCESS, PCL_NOT_SUPPORTED, PCL_TOO_MANY_EVENTS, PCL_ILL_EVENT,
 * PCL_MODE_NOT_SUPPORTED, PCL_FAILURE (not a handle of this thread, no events).
 */
int PCLquery(PCL_DESCR_TYPE descr, const int *counter_list, int ncounter,
	     unsigned int mode);

/**
 * PCLstart() - count events from zero
 * @descr: from PCLinit()
 * @counter_list: the events, as for PCLquery()
 * @ncounter: number of events
 * @mode: PCL_MODE_*
 *
 * Starts and stops can be nested. An inner start has the same events as the outer start, in any
 * order, and the same mode. The outer counts continue, and contain the inner counts.
 *
 * Return: PCL_SUCCESS, the errors of PCLquery(), PCL_TOO_MANY_NESTINGS, PCL_TOO_ILL_NESTING; also
 * PCL_FAILURE if perfex or PCL_driver_start() already counts the thread.
 */
int PCLstart(PCL_DESCR_TYPE descr, const int *counter_list, int ncounter,
	     unsigned int mode);

/**
 * PCLread() - read counts, which continue
 * @descr: from PCLinit()
 * @i_result_list: receives the counts since the last PCLstart() that has not been stopped. Each
 *	count is at the index of its event.
 * @fp_result_list: receives the ratios in the same way. An element of @i_result_list does not
 *	change if its event is a ratio, and an element of this array does not change if its event is
 *	a count. This array may be NULL if no event is a ratio. @i_result_list may be NULL if all
 *	events are ratios.
 * @ncounter: number of events of the last start
 *
 * A ratio whose divisor is 0 is infinite or not a number.
 *
 * Return: PCL_SUCCESS; PCL_FAILURE (not a handle of this thread, no start, another
 * @ncounter, or the counters were taken away).
 */
int PCLread(PCL_DESCR_TYPE descr, PCL_CNT_TYPE *i_result_list,
	    PCL_FP_CNT_TYPE *fp_result_list, int ncounter);

/**
 * PCLstop() - stop the counts of the last PCLstart(), and read them
 * @descr: from PCLinit()
 * @i_result_list: receives counts, as for PCLread()
 * @fp_result_list: receives ratios
 * @ncounter: number of events of the last start
 *
 * If the counters were taken away, this ends all current starts.
 *
 * Return: as PCLread().
 */
int PCLstop(PCL_DESCR_TYPE descr, PCL_CNT_TYPE *i_result_list,
	    PCL_FP_CNT_TYPE *fp_result_list, int ncounter);

/**
 * PCLeventname() - get the name of an event
 * @event: its number
 *
 * Return: a constant string, such as "PCL_CYCLES"; NULL if there is no such event.
 */
const char *PCLeventname(int event);

/* The low-level interface gives access to the processor's counters and events. */

/* Bit n stands for hardware counter n. */
typedef uint32_t PCL_BIT_MASK_TYPE;

/* The command of a counter is the event's code in the processor's manual. */
typedef uint64_t PCL_DRIVER_COMMAND_TYPE;

/**
 * PCL_PROCESSOR_INFO - a processor. The strings are valid until the calling thread exits.
 * @vendor: CPUID's name for the vendor
 * @family: the family of its counters: "p5", "p5mmx", "p6", "intel" or "amd"
 * @model: CPUID's family, model and stepping
 * @mhz: clock rate in MHz, 0 if the kernel does not report it
 * @ncounters: number of hardware counters
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
 * Return: PCL_SUCCESS, PCL_FAILURE (not a handle of this thread, or already opened).
 */
int PCL_driver_open(PCL_DESCR_TYPE descr);

/**
 * PCL_driver_start() - count events on chosen counters, from zero
 * @descr: from PCLinit(), after PCL_driver_open()
 * @max_counter: the highest number of a counter to use. It may be as large as PCL_COUNTER_MAX, even
 *	if no counter has this number.
 * @counter_used_mask: the counters to use, as bits
 * @commands: the event of each counter, indexed by its number
 * @count_mode: PCL_MODE_*
 *
 * Return: PCL_SUCCESS, PCL_NOT_SUPPORTED (no such counter, or the counter cannot count the event),
 * PCL_MODE_NOT_SUPPORTED, PCL_FAILURE (not open, no counters, @max_counter is out of range, or the
 * thread counts already).
 */
int PCL_driver_start(PCL_DESCR_TYPE descr, int max_counter,
		     PCL_BIT_MASK_TYPE counter_used_mask,
		     const PCL_DRIVER_COMMAND_TYPE *commands,
		     unsigned int count_mode);

/**
 * PCL_driver_read() - read counters
 * @descr: from PCLinit(), after PCL_driver_start(), even after a stop
 * @max_counter: as for PCL_driver_start()
 * @counter_used_mask: the counters to read, which must have been started
 * @counter_values: receives the count of each counter, indexed by its number
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (some or all of these counters were not started).
 */
int PCL_driver_read(PCL_DESCR_TYPE descr, int max_counter,
		    PCL_BIT_MASK_TYPE counter_used_mask,
		    PCL_CNT_TYPE *counter_values);

/**
 * PCL_driver_stop() - end counting
 * @descr: from PCLinit(), after PCL_driver_start()
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (not counting).
 */
int PCL_driver_stop(PCL_DESCR_TYPE descr);

/**
 * PCL_driver_close() - end the use of the low-level interface, and its counts
 * @descr: from PCLinit(), after PCL_driver_open()
 *
 * Return: PCL_SUCCESS, PCL_FAILURE (not open).
 */
int PCL_driver_close(PCL_DESCR_TYPE descr);

#ifdef __cplusplus
}
#endif

#endif /* PCL_H */
