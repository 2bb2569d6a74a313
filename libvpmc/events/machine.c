// SPDX-License-Identifier: LGPL-2.1-or-later
/* Identify the processor, and find out whether it is emulated. */
#include <string.h>

#include "base/internal.h"

enum { EAX, EBX, ECX, EDX };

/* Hypervisors and emulators set this bit of ECX in leaf 1. Processors never set it. */
#define HYPERVISOR_BIT (1U << 31)

/*
 * The emulator of this project has its own leaf. EBX is the word "VPMC". In EAX, bit 0 is
 * set if the emulator counts the event that ECX names. Bit 1 is set if it counts the
 * event by a model, and bit 2 if the event is clocks and each instruction takes one
 * clock. ECX is the event's code without the bits above the unit mask. The upper half of
 * ECX is the number of the counter from 1, or 0 for any counter.
 */
#define ANNOUNCEMENT	       0x40000002
#define ANNOUNCEMENT_SIGNATURE 0x434d5056
#define EVENT_AND_UNIT_MASK    0xffff
#define COUNTER_SHIFT	       16
#define COUNTED		       0x1
#define MODELLED	       0x2
#define PER_INSTRUCTION	       0x4

static int is_emulated(void)
{
	uint32_t regs[4];

	/* The range 40000000h is defined only with the hypervisor bit. */
	return vpmcint_cpuid(1, 0, regs) && regs[ECX] & HYPERVISOR_BIT &&
	       vpmcint_cpuid(ANNOUNCEMENT, 0, regs) &&
	       regs[EBX] == ANNOUNCEMENT_SIGNATURE;
}

void vpmcint_identify(struct vpmc_machine *machine)
{
	uint32_t regs[4];

	if (!vpmcint_cpuid(0, 0, regs))
		return;
	memcpy(machine->vendor, &regs[EBX], 4);
	memcpy(machine->vendor + 4, &regs[EDX], 4);
	memcpy(machine->vendor + 8, &regs[ECX], 4);

	if (!vpmcint_cpuid(1, 0, regs))
		return;
	machine->stepping = regs[EAX] & 0xf;
	machine->model = regs[EAX] >> 4 & 0xf;
	machine->family = regs[EAX] >> 8 & 0xf;
	/* The extended fields are valid only if the short fields are full. */
	if (machine->family == 6 || machine->family == 15)
		machine->model |= (regs[EAX] >> 16 & 0xf) << 4;
	if (machine->family == 15)
		machine->family += regs[EAX] >> 20 & 0xff;

	machine->emulated = is_emulated();
}

int vpmc_event_emulation(const struct vpmc_machine *machine,
			 const struct vpmc_event_sel *sel)
{
	uint32_t regs[4], event = (uint32_t)sel->code & EVENT_AND_UNIT_MASK;

	if (!machine->emulated)
		return VPMC_EXACT;
	/* A code of the Pentium 4 does not fit into the leaf. */
	if (machine->family == 15 &&
	    !strcmp(machine->vendor, vpmcint_p4.vendor))
		return vpmcint_p4_emulation(sel->code);
	/* The emulator does not have events of 12 bits. */
	if (sel->code >> 32)
		return VPMC_NOT_EMULATED;
	if (sel->counter != VPMC_ANY_COUNTER)
		event |= ((uint32_t)sel->counter + 1) << COUNTER_SHIFT;
	if (!vpmcint_cpuid(ANNOUNCEMENT, event, regs))
		return VPMC_EXACT;
	if (!(regs[EAX] & COUNTED))
		return VPMC_NOT_EMULATED;
	if (regs[EAX] & PER_INSTRUCTION)
		return VPMC_PER_INSTRUCTION;
	return regs[EAX] & MODELLED ? VPMC_MODELLED : VPMC_EXACT;
}
