// SPDX-License-Identifier: GPL-2.0-only
/*
 * forms [-v] IMAGE: what the model of the pipes makes of each form of
 * instruction in forms.S, beside what is published.  -v prints all of them.
 * Fails if fewer than 95 of 100 agree.
 */
#include <stdio.h>

#include "qemu/osdep.h"

#include "image.h"
#include "p5_pipe.h"
#include "records.h"

enum piece { WITHOUT, WITH, BEHIND, BEFORE, PIECES };

#define ITERATIONS 10 /* of REP in forms.S */
#define AGREEMENT  95 /* at least so many of 100 */

struct form {
	const char *name;
	unsigned int least, most, pairing, flags;
	struct {
		uint32_t clocks, v_pipe;
	} measured[PIECES];
};

struct tally {
	unsigned int forms, agree;
};

static const char *const pairings[] = { "NP", "UV", "PU", "PV" };

static void measure(const struct image *image, const struct record *piece,
		    const P5Rules *rules, struct form *f, enum piece which)
{
	static P5Pipe pipe;
	uint32_t end = piece->argument[1];

	p5_pipe_reset(&pipe, rules, &p5_bus_66);
	f->measured[which].clocks = f->measured[which].v_pipe = 0;
	for (uint32_t pc = piece->argument[0]; pc < end;) {
		P5Insn insn;
		P5Step step = { .insn = &insn, .iterations = ITERATIONS };
		P5Cost cost;

		if (!p5_decode(&insn, image->bytes + pc, end - pc, true)) {
			fprintf(stderr, "forms: %s: no instruction\n", f->name);
			return;
		}
		p5_pipe_step(&pipe, &step, &cost);
		f->measured[which].clocks += cost.counts[P5_CLOCKS];
		f->measured[which].v_pipe += cost.counts[P5_V_PIPE];
		pc += insn.length;
	}
}

static unsigned int clocks_of(const struct form *f)
{
	return f->measured[WITH].clocks - f->measured[WITHOUT].clocks;
}

static unsigned int pairing_of(const struct form *f)
{
	bool second = f->measured[BEHIND].v_pipe > f->measured[WITHOUT].v_pipe;
	bool first = f->measured[BEFORE].v_pipe > f->measured[WITHOUT].v_pipe;

	return first && second ? PAIRS_IN_BOTH
	       : first	       ? PAIRS_IN_U
	       : second	       ? PAIRS_IN_V
			       : PAIRS_NOT;
}

static void report(const struct form *f, const char *processor, struct tally *t,
		   bool all)
{
	unsigned int clocks = clocks_of(f), pairing = pairing_of(f);
	bool agrees = clocks >= f->least && clocks <= f->most &&
		      pairing == f->pairing;

	t->forms++;
	t->agree += agrees;
	if (all || !agrees)
		printf("%-4s %-20s %3u to %3u %s, here %3u %s%s\n", processor,
		       f->name, f->least, f->most, pairings[f->pairing], clocks,
		       pairings[pairing], agrees ? "" : "  differs");
}

static void try(const struct image *image, const struct record *r, bool mmx,
		struct tally *t, bool all)
{
	const P5Rules *rules = mmx ? &p5_rules_mmx : &p5_rules;
	struct form f = {
		.name = image_string(image, r->argument[0]),
		.least = r->argument[1] >> 16,
		.most = r->argument[1] & 0xffff,
		.pairing = r->argument[2],
		.flags = r->argument[3],
	};

	if (f.flags & (mmx ? FORM_ONLY_P5 : FORM_ONLY_MMX))
		return;
	for (enum piece which = 0; which < PIECES; which++)
		measure(image, r + 1 + which, rules, &f, which);
	report(&f, mmx ? "MMX" : "P5", t, all);
}

int main(int argc, char **argv)
{
	bool all = argc == 3 && !strcmp(argv[1], "-v");
	struct tally t = { 0 };
	struct image image;

	if (argc != 2 + all) {
		fprintf(stderr, "usage: forms [-v] IMAGE\n");
		return 2;
	}
	image_read(&image, argv[1 + all]);
	for (const struct record *r = image_records(&image); r->kind; r++) {
		if (r->kind != RECORD_FORM)
			continue;
		try(&image, r, false, &t, all);
		try(&image, r, true, &t, all);
	}
	image_free(&image);
	if (!t.forms)
		return 1;
	printf("%u forms of instructions, %u agree with what is published: %.1f %%\n",
	       t.forms, t.agree, 100.0 * t.agree / t.forms);
	return 100 * t.agree < AGREEMENT * t.forms;
}
