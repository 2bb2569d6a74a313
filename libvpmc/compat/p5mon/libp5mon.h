/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libp5mon: the library of p5mon (K. D. Safford, "A Framework for Using the
 * Pentium's Performance Monitoring Hardware", University of Illinois, 1997,
 * section 3.3), on the counters of vpmc.
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
 * p5mon counted whatever ran on the processor. Here the two counters are those of
 * the process that calls p5mon_config(): they count all of its threads that were
 * created since, and the descendants that it has waited for. A process that has not
 * configured them reads those that it inherited.
 *
 * The events are those of the Pentium, and so is the processor. There is one device
 * for a process: calls must not overlap. fork(2) and exec(2) as in <vpmc.h>.
 */
#ifndef LIBP5MON_H
#define LIBP5MON_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long long ULONG;

/* Events by their codes, and the two that have none. */
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
	event_disable = 0x41 /* nothing */
} EVENT;

/* How many numbers of events there are, unused ones included. */
#define P5MON_EVENTS 0x42

/* What to call an event in a report; NULL where a number is none. */
extern const char *const p5mon_event_name[P5MON_EVENTS];

/* How a counter counts: the values of its control field in CESR. */
typedef enum {
	evt_disable = 0,
	evt_kernel = 1, /* of the kernel: needs CAP_PERFMON or CAP_SYS_ADMIN */
	evt_user = 2,
	evt_all = 3,
	clk_kernel = 5, /* clock cycles in place of events */
	clk_user = 6,
	clk_all = 7
} CNT_CTRL;

/* What becomes of the values of counters 0 and 1. */
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
	clear_only = 9 /* both are cleared, and go on counting the same */
} CNT_CLR;

/**
 * CNT_CONFIG - what the counters count, and from which values
 * @event0: of counter 0; likewise the others. It does not matter where the counter is
 *	disabled or counts clock cycles.
 * @event1: of counter 1. The same event may be on both.
 * @ctrl0: in which mode. For the events count_clocks and event_disable the counter
 *	counts clock cycles in that mode, or nothing.
 * @ctrl1: likewise
 * @clr: what to do with the values that the counters have
 * @init0: value of 40 bits, where @clr wants one
 * @init1: likewise
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
 * All functions that return int return 0, or -1 if they have failed and changed
 * nothing; p5mon_error() says why.
 */

/**
 * p5mon_init() - open the counters
 *
 * Fails without the driver, and on processors that are no Pentium.
 */
int p5mon_init(void);

/* p5mon_close() - close them. What is being counted goes on. */
int p5mon_close(void);

/* p5mon_clear() - both counters go on from zero */
int p5mon_clear(void);

/**
 * p5mon_config() - count what a structure says
 * @config: fails if it has an event, a control, a clearing or a value that there is
 *	not
 *
 * The calling thread counts from now on, and what it creates.
 */
int p5mon_config(CNT_CONFIG *config);

/**
 * p5mon_read() - read both counters
 * @result: receives counter 0, counter 1, and CESR. Counters have 40 bits, and are
 *	both of one moment.
 */
int p5mon_read(ULONG *result);

/**
 * p5mon_gen_config() - what a value of CESR counts
 * @cesr: from p5mon_read()
 * @config: receives events and controls, with clr_none. A counter that is disabled has
 *	the event event_disable, one that counts clock cycles count_clocks.
 */
void p5mon_gen_config(ULONG cesr, CNT_CONFIG *config);

/* p5mon_error() - why the last function failed, in a sentence; valid until the next */
const char *p5mon_error(void);

/*
 * Regions, for run_p5mon(1): calls to be inserted into assembler code. All registers
 * and flags are as they were, vector registers up to 128 bits. 64-bit code must have
 * no red zone there (-mno-red-zone).
 *
 *	call p5mon_asm_init
 *	call p5mon_asm_begreg_N		N from 0 to 99
 *	call p5mon_asm_endreg_N
 *
 * The first comes before the others, once. A region counts what the thread counts that
 * executes it; only one thread at a time may be in it. Regions may overlap. They are
 * written when the program returns from main() or calls exit(3).
 */
#define P5MON_REGIONS 100

void p5mon_asm_init(void);

#ifdef __cplusplus
}
#endif

#endif /* LIBP5MON_H */
