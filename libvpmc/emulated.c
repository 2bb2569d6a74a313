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
 * The emulator of this project has a leaf of its own: EBX is the word "VPMC", and
 * EAX is 1 if it counts the event that ECX names: its code without the bits above
 * the unit mask.
 */
#define HYPERVISOR_BASE	       0x40000000
#define ANNOUNCEMENT	       0x40000002
#define ANNOUNCEMENT_SIGNATURE 0x434d5056
#define EVENT_AND_UNIT_MASK    0xffff

static int is_emulated(void)
{
	uint32_t regs[4];

	/* The range 40000000h is only defined with the hypervisor bit. */
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
	/* The extended fields count only where the short ones are full. */
	if (machine->family == 6 || machine->family == 15)
		machine->model |= (regs[EAX] >> 16 & 0xf) << 4;
	if (machine->family == 15)
		machine->family += regs[EAX] >> 20 & 0xff;

	machine->emulated = is_emulated();
}

int vpmc_event_emulated(const struct vpmc_machine *machine, uint64_t code)
{
	uint32_t regs[4];

	if (!machine->emulated)
		return 1;
	/* It has no events of 12 bits. */
	if (code >> 32)
		return 0;
	return !vpmcint_cpuid(ANNOUNCEMENT,
			      (uint32_t)code & EVENT_AND_UNIT_MASK, regs) ||
	       regs[EAX] & 1;
}
