/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares a form of instruction with its published and its measured clocks. */
#ifndef FORM_H
#define FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "records.h"

/* Code with the instruction, without it, and with it next to a partner */
enum piece { WITHOUT, WITH, BEHIND, BEFORE, PIECES };

struct form {
	const char *name;
	unsigned int least, most; /* clocks */
	unsigned int pairing;	  /* enum record_pairing */
	unsigned int flags;	  /* enum record_form */
	struct {
		uint32_t clocks, v_pipe;
	} measured[PIECES];
};

struct tally {
	unsigned int forms, agree;
};

/* The contents of a record of RECORD_FORM; name is its string. */
struct form form_read(const struct record *record, const char *name);

/*
 * Count the form. Print one line about it if @all is set, or if it differs from the published
 * values.
 */
void form_report(const struct form *form, const char *processor, bool all,
		 struct tally *tally);

/* Prints the sum.  Returns 0 if at least 95 of 100 agree, or 1. */
int tally_report(const struct tally *tally);

#endif
