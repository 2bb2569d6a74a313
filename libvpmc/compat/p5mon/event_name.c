// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the names of p5mon's events. If p5mon's description shows a name in a report, this
 * name is used. The other names are from its list of events.
 */
#include "libp5mon.h"

const char *const p5mon_event_name[P5MON_EVENTS] = {
	[data_read] = "Data Read",
	[data_write] = "Data Write",
	[data_tlb_miss] = "Data TLB Miss",
	[data_read_miss] = "Data Read Miss",
	[data_write_miss] = "Data Write Miss",
	[write_to_M_or_E_lines] = "Write (hit) to M or E state lines",
	[data_cache_lines_written_back] = "Data Cache Lines Written Back",
	[external_snoops] = "External Snoops",
	[data_cache_snooping_hits] = "Data Cache Snoop Hits",
	[memory_accesses_in_both_pipes] = "Memory Accesses in Both Pipes",
	[bank_conflicts] = "Bank Conflicts",
	[misaligned_data_memory_or_IO_references] =
		"Misaligned Data Memory or I/O References",
	[code_read] = "Code Read",
	[code_tlb_miss] = "Code TLB Miss",
	[code_cache_miss] = "Code Cache Miss",
	[segment_register_loaded] = "Any Segment Register Loaded",
	[branches] = "Branches",
	[btb_hits] = "BTB Hits",
	[taken_branch_or_btb_hit] = "Taken Branch or BTB Hit",
	[pipeline_flushes] = "Pipeline Flushes",
	[instructions_executed] = "Instructions Executed",
	[instructions_executed_in_v_pipe] =
		"Instructions Executed in the v-pipe",
	[clocks_while_bus_cycle_in_progress] =
		"Clocks while a Bus Cycle is in Progress",
	[clocks_stalled_full_write_buffers] =
		"Number of Clocks Stalled due to Full Write Buffers",
	[clocks_stalled_waiting_data_read] =
		"Pipeline Stalled Waiting for Data Memory Read",
	[clocks_stalled_write_to_M_or_E_line] =
		"Stall on Write to an E or M State Line",
	[locked_bus_cycle] = "Locked Bus Cycle",
	[IO_read_or_write_cycle] = "I/O Read or Write Cycle",
	[non_cacheable_memory_reads] = "Non-cacheable Memory Reads",
	[pipeline_stalled_address_generation_interlock] =
		"Pipeline Stalled because of an Address Generation Interlock",
	[flops] = "Floating Point Operations (FLOPs)",
	[breakpoint_match_DR0] = "Breakpoint Match on DR0 Register",
	[breakpoint_match_DR1] = "Breakpoint Match on DR1 Register",
	[breakpoint_match_DR2] = "Breakpoint Match on DR2 Register",
	[breakpoint_match_DR3] = "Breakpoint Match on DR3 Register",
	[hardware_interrupts] = "Hardware Interrupts",
	[data_read_or_write] = "Data Read or Write",
	[data_read_or_write_miss] = "Data Read or Write Miss",
	[count_clocks] = "Clock cycles",
	[event_disable] = "None",
};
