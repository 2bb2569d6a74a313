// SPDX-License-Identifier: GPL-2.0-only
/* This file controls the emulator's adversary. */
#include <cpuid.h>
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "../../bench/totals.h"
#include "adversary.h"

/* These constants must equal those of adversary.h in tests/emulator/qemu. */
#define LEAF	  0x40000004
#define SIGNATURE 0x434d5056
#define INTERRUPT 0
#define TURNS	  1

/* Text of a module is mapped in whole pages. */
#define PAGE_END 0xfff

static bool is_text(char kind)
{
	return kind == 't' || kind == 'T';
}

struct range driver_text(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	struct range text = { UINT32_MAX, 0 };
	char line[256], *end;
	uint32_t address; /* the lower 32 bits */

	if (!file)
		err(2, "/proc/kallsyms");
	while (fgets(line, sizeof(line), file)) {
		address = (uint32_t)strtoul(line, &end, 16);
		if (!strstr(line, "\t[vpmc]") || !is_text(end[1]))
			continue;
		if (address < text.low)
			text.low = address;
		if (address > text.high)
			text.high = address;
	}
	fclose(file);
	if (!text.high)
		errx(2, "/proc/kallsyms shows nothing of the driver");
	text.high |= PAGE_END;
	return text;
}

struct range driver_function(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	struct range all = { 0, UINT32_MAX };
	char line[256], wanted[64], *end;
	uint32_t address;

	if (!file)
		err(2, "/proc/kallsyms");
	snprintf(wanted, sizeof(wanted), " %s\t[vpmc]", name);
	while (!all.low && fgets(line, sizeof(line), file)) {
		if (strstr(line, wanted))
			all.low = (uint32_t)strtoul(line, NULL, 16);
	}
	if (!all.low)
		errx(2, "/proc/kallsyms does not show %s", name);
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		address = (uint32_t)strtoul(line, &end, 16);
		if (is_text(end[1]) && address > all.low && address <= all.high)
			all.high = address - 1;
	}
	fclose(file);
	return all;
}

uint32_t *script_interrupt(struct script *s, enum adversary_irq irq,
			   struct range range)
{
	return script_cpuid(s, LEAF, INTERRUPT, 1, irq, range.low, range.high) +
	       2 * SCRIPT_STEP;
}

void script_interrupt_end(struct script *s, uint32_t *left)
{
	script_cpuid(s, LEAF, INTERRUPT, 0, IRQ_NONE);
	script_save(s, left);
}

void set_turns(uint32_t seed, uint32_t most)
{
	uint32_t eax = LEAF, ebx = seed, ecx = TURNS, edx = most;

	__asm__ volatile("cpuid" : "+a"(eax), "+b"(ebx), "+c"(ecx), "+d"(edx));
	if (ebx != SIGNATURE)
		errx(2, "no adversary: machine --adversary");
}

uint64_t kernel_instructions(void)
{
	uint32_t low, magic, high, unused;

	__cpuid_count(LEAF_TOTALS, TOTAL_KERNEL, low, magic, high, unused);
	if (magic != LEAF_MAGIC)
		errx(2, "this processor keeps no totals");
	return (uint64_t)high << 32 | low;
}
