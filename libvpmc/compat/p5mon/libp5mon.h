/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares libp5mon, the library of p5mon (K. D. Safford, "A Framework for Using the
 * Pentium's Performance Monitoring Hardware", University of Illinois, 1997, section 3.3), on the
 * counters of vpmc.
 *
 *	CNT_CONFIG config = {
 *		.event0 = data_read, .ctrl0 = evt_user,
 *		.event1 = branches, .ctrl1 = evt_user,
 *		.clr = clr_0_1,
 *	};
 *	ULONG result[3];
 *
 *	if (p5mon_init() || p5mon_config(&config) || p5mon_read(result))
 *		errx(1, "%s", p5mon_error());
 *	printf("%llu reads, %llu branches\n", result[0], result[1]);
 *	p5mon_close();
 *
 * The original p5mon counted everything that ran on the processor. Here the two counters belong to
 * the process that calls p5mon_config(). They count the calling thread, all threads that are
 * created later, and the descendants that the process has waited for. A process that has not
 * configured counters reads the counters that it inherited.
 *
 * The processor and the events must be those of a Pentium. A process has one device, and calls must
 * not overlap. fork(2) and exec(2) work as described in <vpmc.h>.
 */
#ifndef LIBP5MON_H
#define LIBP5MON_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long long ULONG;

/* These are the codes of the events, and two events without a code. */
typedef enum {
	data_read = 0x00,
	data_write = 0x01,
	data_tlb_miss = 0x02,
	data_read_miss = 0x03,
	data_write_miss = 0x04,
	write_to_M_or_E_lines = 0x05,
	data_cache_lines_written_back = 0x06,
	external_snoops = 0x07,
	data_cache_snooping_hits = 0x08,
	memory_accesses_in_both_pipes = 0x09,
	bank_conflicts = 0x0a,
	misaligned_data_memory_or_IO_references = 0x0b,
	code_read = 0x0c,
	code_tlb_miss = 0x0d,
	code_cache_miss = 0x0e,
	segment_register_loaded = 0x0f,
	branches = 0x12,
	btb_hits = 0x13,
	taken_branch_or_btb_hit = 0x14,
	pipeline_flushes = 0x15,
	instructions_executed = 0x16,
	instructions_executed_in_v_pipe = 0x17,
	clocks_while_bus_cycle_in_progress = 0x18,
	clocks_stalled_full_write_buffers = 0x19,
	clocks_stalled_waiting_data_read = 0x1a,
	clocks_stalled_write_to_M_or_E_line = 0x1b,
	locked_bus_cycle = 0x1c,
	IO_read_or_write_cycle = 0x1d,
	non_cacheable_memory_reads = 0x1e,
	pipeline_stalled_address_generation_interlock = 0x1f,
	flops = 0x22,
	breakpoint_match_DR0 = 0x23,
	breakpoint_match_DR1 = 0x24,
	breakpoint_match_DR2 = 0x25,
	breakpoint_match_DR3 = 0x26,
	hardware_interrupts = 0x27,
	data_read_or_write = 0x28,
	data_read_or_write_miss = 0x29,
	count_clocks = 0x40, /* clock cycles */
	event_disable = 0x41 /* no event */
} EVENT;

/* This is the size of the range of event numbers. Some numbers are unused. */
#define P5MON_EVENTS 0x42

/* These are the names of events in a report; NULL for unused numbers. */
extern const char *const p5mon_event_name[P5MON_EVENTS];

/* These are the values of a counter's control field in CESR. */
typedef enum {
	evt_disable = 0,
	evt_kernel = 1, /* kernel mode; needs CAP_PERFMON or CAP_SYS_ADMIN */
	evt_user = 2,
	evt_all = 3,
	clk_kernel = 5, /* clock cycles instead of events */
	clk_user = 6,
	clk_all = 7
} CNT_CTRL;

/* These are the changes to the values of counters 0 and 1. */
typedef enum {
	clr_none = 0,
	clr_0 = 1,
	clr_1 = 2,
	clr_0_1 = 3,
	init_0_clr_1 = 4,
	init_1_clr_0 = 5,
	init_0 = 6,
	init_1 = 7,
	init_0_1 = 8,
	clear_only = 9 /* clear both, which continue to count the same */
} CNT_CLR;

/**
 * CNT_CONFIG - the events of the counters, and their initial values
 * @event0: event of counter 0. It is ignored if the counter is disabled or counts clock
 *	cycles.
 * @event1: event of counter 1. It is ignored under the same conditions. Both counters may
 *	have the same event.
 * @ctrl0: mode of counter 0. With the event count_clocks, the counter counts clock cycles
 *	in this mode. With event_disable, it does not count.
 * @ctrl1: mode of counter 1, in the same way
 * @clr: change to the present values of the counters
 * @init0: initial value of counter 0 with 40 bits, if @clr sets the counter
 * @init1: initial value of counter 1 with 40 bits, if @clr sets the counter
 */
typedef struct {
	EVENT event0;
	EVENT event1;
	CNT_CTRL ctrl1;
	CNT_CTRL ctrl0;
	CNT_CLR clr;
	ULONG init0;
	ULONG init1;
} CNT_CONFIG;

/*
 * All functions that return int return 0 on success. If they fail, they change nothing and return
 * -1, and p5mon_error() returns the reason.
 */

/**
 * p5mon_init() - open the counters
 *
 * Fails without the driver, and on processors that are not a Pentium.
 */
int p5mon_init(void);

/* p5mon_close() - close the counters, which continue to count */
int p5mon_close(void);

/* p5mon_clear() - set both counters to zero; they continue to count */
int p5mon_clear(void);

/**
 * p5mon_config() - configure the counters
 * @config: the configuration; the function fails if an event, control, change or value in
 *	it is invalid
 *
 * From now on, the counters count the calling thread, and the threads and processes that
 * it creates.
 */
int p5mon_config(CNT_CONFIG *config);

/**
 * p5mon_read() - read both counters
 * @result: receives counter 0, counter 1, and CESR. Counters have 40 bits. Both are read
 *	at the same moment.
 */
int p5mon_read(ULONG *result);

/**
 * p5mon_gen_config() - find out the events and modes of a value of CESR
 * @cesr: from p5mon_read()
 * @config: receives events and controls, with clr_none. A disabled counter has the event
 *	event_disable, and a counter of clock cycles has count_clocks.
 */
void p5mon_gen_config(ULONG cesr, CNT_CONFIG *config);

/*
 * p5mon_error() - get a sentence with the reason why the last function failed; valid
 * until the next call
 */
const char *p5mon_error(void);

/*
 * Insert the following calls into assembler code to define regions for run_p5mon(1). They
 * preserve all registers and flags, and vector registers up to 128 bits. 64-bit code must
 * not use a red zone around the calls (-mno-red-zone).
 *
 *	call p5mon_asm_init
 *	call p5mon_asm_begreg_N		N from 0 to 99
 *	call p5mon_asm_endreg_N
 *
 * Call the first function once, before the others. A region has the counts of the thread
 * that executes it. Only one thread at a time may be in a region. Regions may overlap.
 * They are written when the program returns from main() or calls exit(3).
 */
#define P5MON_REGIONS 100

void p5mon_asm_init(void);

#ifdef __cplusplus
}
#endif

#endif /* LIBP5MON_H */
