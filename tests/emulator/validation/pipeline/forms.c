// SPDX-License-Identifier: GPL-2.0-only
/*
 * forms [-v] IMAGE: compare the model of the pipes with the published clocks of each form of an
 * instruction in forms.S. -v prints all forms. Fails if fewer than 95 of 100 agree.
 */
#include <stdio.h>

#include "qemu/osdep.h"

#include "form.h"
#include "image.h"
#include "p5_pipe.h"

#define ITERATIONS 10 /* iterations of REP in forms.S */

static void measure(const struct image *image, const struct record *piece,
		    const P5Rules *rules, struct form *f, enum piece which)
{
	static P5Pipe pipe;
	uint32_t end = piece->argument[1];
	P5Insn insns[2];
	unsigned int n = 0;

	p5_pipe_reset(&pipe, rules, &p5_bus_66);
	for (uint32_t pc = piece->argument[0]; pc < end;) {
		P5Insn *insn = &insns[n++ % 2];
		P5Step step = { .insn = insn, .iterations = ITERATIONS };
		P5Cost cost;

		if (!p5_decode(insn, image->bytes + pc, end - pc, true)) {
			fprintf(stderr, "forms: %s: no instruction\n", f->name);
			return;
		}
		p5_pipe_step(&pipe, &step, &cost);
		f->measured[which].clocks += cost.counts[P5_CLOCKS];
		f->measured[which].v_pipe += cost.counts[P5_V_PIPE];
		pc += insn->length;
	}
}

static void try(const struct image *image, const struct record *r, bool mmx,
		struct tally *t, bool all)
{
	const P5Rules *rules = mmx ? &p5_rules_mmx : &p5_rules;
	struct form f = form_read(r, image_string(image, r->argument[0]));

	if (f.flags & (mmx ? FORM_ONLY_P5 : FORM_ONLY_MMX))
		return;
	for (enum piece which = 0; which < PIECES; which++)
		measure(image, r + 1 + which, rules, &f, which);
	form_report(&f, mmx ? "mmx" : "p5", all, t);
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
	return tally_report(&t);
}
