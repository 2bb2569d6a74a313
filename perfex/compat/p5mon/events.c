// SPDX-License-Identifier: GPL-2.0-only
/* List the events that run_p5mon has parameters for. */
#include "events.h"

/* The parameter of an event has the same name as the enumerator. */
#define EVENT(name)         \
	{                   \
#name, name \
	}

const struct event events[NR_EVENTS] = {
	EVENT(data_read),
	EVENT(data_write),
	EVENT(data_read_or_write),
	EVENT(data_tlb_miss),
	EVENT(data_read_miss),
	EVENT(data_write_miss),
	EVENT(data_read_or_write_miss),
	EVENT(write_to_M_or_E_lines),
	EVENT(data_cache_lines_written_back),
	EVENT(external_snoops),
	EVENT(data_cache_snooping_hits),
	EVENT(memory_accesses_in_both_pipes),
	EVENT(bank_conflicts),
	EVENT(misaligned_data_memory_or_IO_references),
	EVENT(code_read),
	EVENT(code_tlb_miss),
	EVENT(code_cache_miss),
	EVENT(segment_register_loaded),
	EVENT(branches),
	EVENT(btb_hits),
	EVENT(taken_branch_or_btb_hit),
	EVENT(pipeline_flushes),
	EVENT(instructions_executed),
	EVENT(instructions_executed_in_v_pipe),
	EVENT(clocks_while_bus_cycle_in_progress),
	EVENT(clocks_stalled_full_write_buffers),
	EVENT(clocks_stalled_waiting_data_read),
	EVENT(clocks_stalled_write_to_M_or_E_line),
	EVENT(locked_bus_cycle),
	EVENT(IO_read_or_write_cycle),
	EVENT(non_cacheable_memory_reads),
	EVENT(pipeline_stalled_address_generation_interlock),
	EVENT(flops),
	EVENT(breakpoint_match_DR0),
	EVENT(breakpoint_match_DR1),
	EVENT(breakpoint_match_DR2),
	EVENT(breakpoint_match_DR3),
	EVENT(hardware_interrupts),
	EVENT(count_clocks),
};
