// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which processor this is, and whether it is made of silicon.
 */
#include <string.h>

#include "internal.h"

enum { EAX, EBX, ECX, EDX };

/* Leaf 1, ECX: set by hypervisors and emulators, never by a processor. */
#define HYPERVISOR_BIT (1U << 31)

/*
 * The emulated Pentium of this project announces its counters in a leaf of
 * its own: EBX is the word "VPMC", EDX:ECX has a bit per emulated event code.
 */
#define HYPERVISOR_BASE	       0x40000000
#define ANNOUNCEMENT	       0x40000002
#define ANNOUNCEMENT_SIGNATURE 0x434d5056

static void identify_emulator(struct vpmc_machine *machine)
{
	uint32_t regs[4];

	/* The range 40000000h is only defined with the hypervisor bit. */
	if (!vpmcint_cpuid(1, regs) || !(regs[ECX] & HYPERVISOR_BIT))
		return;
	if (!vpmcint_cpuid(ANNOUNCEMENT, regs) ||
	    regs[EBX] != ANNOUNCEMENT_SIGNATURE)
		return;

	machine->emulated = 1;
	machine->emulated_codes = (uint64_t)regs[EDX] << 32 | regs[ECX];
}

void vpmcint_identify(struct vpmc_machine *machine)
{
	uint32_t regs[4];

	if (!vpmcint_cpuid(0, regs))
		return;
	memcpy(machine->vendor, &regs[EBX], 4);
	memcpy(machine->vendor + 4, &regs[EDX], 4);
	memcpy(machine->vendor + 8, &regs[ECX], 4);

	if (!vpmcint_cpuid(1, regs))
		return;
	machine->stepping = regs[EAX] & 0xf;
	machine->model = regs[EAX] >> 4 & 0xf;
	machine->family = regs[EAX] >> 8 & 0xf;
	/* The extended fields count only where the short ones are full. */
	if (machine->family == 6 || machine->family == 15)
		machine->model |= (regs[EAX] >> 16 & 0xf) << 4;
	if (machine->family == 15)
		machine->family += regs[EAX] >> 20 & 0xff;

	identify_emulator(machine);
}

int vpmc_event_emulated(const struct vpmc_machine *machine, uint32_t code)
{
	if (!machine->emulated)
		return 1;
	/* The mask has no bit for clocks, which the emulator always counts. */
	if (code >= 64)
		return 1;
	return machine->emulated_codes >> code & 1;
}
