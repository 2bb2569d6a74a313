/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares a form of an instruction, with its published and its measured clocks. */
#ifndef FORM_H
#define FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "records.h"

/*
 * These pieces of code are without the instruction, with it, and with it after or before a
 * partner.
 */
enum piece { WITHOUT, WITH, BEHIND, BEFORE, PIECES };

struct form {
	const char *name;
	unsigned int least, most; /* numbers of clocks */
	unsigned int pairing;	  /* enum record_pairing */
	unsigned int flags;	  /* enum record_form */
	struct {
		uint32_t clocks, v_pipe;
	} measured[PIECES];
};

struct tally {
	unsigned int forms, agree;
};

/* Return the contents of a record of type RECORD_FORM, with the name that its string has. */
struct form form_read(const struct record *record, const char *name);

/*
 * Measure the form. Print a line about it if it differs from the published values, or if @all
 * is set.
 */
void form_report(const struct form *form, const char *processor, bool all,
		 struct tally *tally);

/* Print the sum. Return 0 if at least 95 of 100 forms agree, and 1 otherwise. */
int tally_report(const struct tally *tally);

#endif
