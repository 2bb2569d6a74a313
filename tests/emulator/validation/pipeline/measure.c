// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure [-v]: measure each form of instruction in forms.S with the counters of this Pentium,
 * and compare it with the published clocks. -v prints all forms. Fails if fewer than 95 of 100
 * agree.
 *
 * The program needs realistic clocks, so an emulated Pentium must model its pipes.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <vpmc.h>

#include "form.h"

#define ROUNDS \
	4 /* measure 4 times, because an interrupt may disturb a measurement; take the shortest */

/* forms.S and call.S, which are 32-bit code, define these symbols. */
extern const struct record __start_records[], __stop_records[];
extern const char __start_strings[];
/* Jump to a piece of code, which jumps back. The code may change the memory at @data. */
void forms_call(uint32_t piece, void *data);

char forms_data[4096] __attribute__((aligned(64)));

static struct vpmc *vpmc;

static void start(void)
{
	struct vpmc_event_sel events[2];
	struct vpmc_error e;

	if (vpmc_open(&vpmc, &e) ||
	    vpmc_event_parse(vpmc_pmu_of(vpmc), "clocks", VPMC_USER, &events[0],
			     &e) ||
	    vpmc_event_parse(vpmc_pmu_of(vpmc), "0x17", VPMC_USER, &events[1],
			     &e) ||
	    vpmc_start(vpmc, events, 2, 0, &e))
		errx(2, "%s", e.text);
}

static void read_counts(struct vpmc_counts *counts)
{
	struct vpmc_error e;

	if (vpmc_read(vpmc, VPMC_THREAD, counts, &e))
		errx(2, "%s", e.text);
}

static void measure(const struct record *piece, struct form *f,
		    enum piece which)
{
	f->measured[which].clocks = UINT32_MAX;
	for (int i = 0; i < ROUNDS; i++) {
		struct vpmc_counts before, after;
		uint64_t clocks;

		read_counts(&before);
		forms_call(piece->argument[0], forms_data);
		read_counts(&after);
		clocks = after.count[0] - before.count[0];
		if (clocks < f->measured[which].clocks) {
			f->measured[which].clocks = clocks;
			f->measured[which].v_pipe =
				after.count[1] - before.count[1];
		}
	}
}

static const char *string_at(uint32_t address)
{
	return __start_strings +
	       (address - (uint32_t)(uintptr_t)__start_strings);
}

static void try(const struct record *r, bool mmx, bool all, struct tally *t)
{
	struct form f = form_read(r, string_at(r->argument[0]));

	if (f.flags & (FORM_ONLY_HOST | (mmx ? FORM_ONLY_P5 : FORM_ONLY_MMX)))
		return;
	for (enum piece which = 0; which < PIECES; which++)
		measure(r + 1 + which, &f, which);
	form_report(&f, mmx ? "mmx" : "p5", all, t);
}

static bool has_mmx(void)
{
	return __builtin_cpu_supports("mmx");
}

int main(int argc, char **argv)
{
	bool all = argc == 2 && !strcmp(argv[1], "-v");
	struct tally t = { 0 };

	if (argc != 1 + all)
		errx(2, "usage: measure [-v]");
	start();
	for (const struct record *r = __start_records; r < __stop_records;
	     r++) {
		if (r->kind == RECORD_FORM)
			try(r, has_mmx(), all, &t);
	}
	return tally_report(&t);
}
