// SPDX-License-Identifier: GPL-2.0-only
#include "form.h"

#include <stdio.h>

#define AGREEMENT 95 /* per cent that must agree */

static const char *const pairings[] = { "NP", "UV", "PU", "PV" };

struct form form_read(const struct record *record, const char *name)
{
	return (struct form){
		.name = name,
		.least = record->argument[1] >> 16,
		.most = record->argument[1] & 0xffff,
		.pairing = record->argument[2],
		.flags = record->argument[3],
	};
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

void form_report(const struct form *f, const char *processor, bool all,
		 struct tally *t)
{
	unsigned int clocks = clocks_of(f), pairing = pairing_of(f);
	bool agrees = clocks >= f->least && clocks <= f->most &&
		      pairing == f->pairing;

	t->forms++;
	t->agree += agrees;
	if (all || !agrees)
		printf("%-4s%-22s%3u to %3u %s, here %3u %s%s\n", processor,
		       f->name, f->least, f->most, pairings[f->pairing], clocks,
		       pairings[pairing], agrees ? "" : "  differs");
}

int tally_report(const struct tally *t)
{
	if (!t->forms)
		return 1;
	printf("%u forms of instructions, %u agree with what is published: %u.%u %%\n",
	       t->forms, t->agree, 100 * t->agree / t->forms,
	       1000 * t->agree / t->forms % 10);
	return 100 * t->agree < AGREEMENT * t->forms;
}
