/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the records that records.inc writes and linked.lds puts at address
 * 0.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdint.h>

enum record_kind {
	RECORD_NONE,   /* end of the records */
	RECORD_BEGIN,  /* address, name, rules */
	RECORD_EXPECT, /* name of the count, value */
	RECORD_READ, /* address of the instruction, of the data, size, flags */
	RECORD_WRITE,
	RECORD_FLOW,  /* address of the instruction, flags */
	RECORD_END,   /* address */
	RECORD_FORM,  /* name, least clocks << 16 | most, pairing, flags */
	RECORD_PIECE, /* address, end */
};

enum record_pairing {
	PAIRS_NOT,
	PAIRS_IN_BOTH,
	PAIRS_IN_U,
	PAIRS_IN_V,
};

enum record_form {
	FORM_ONLY_MMX = 1,
	FORM_ONLY_P5 = 2,
	FORM_ONLY_HOST = 4,
};

enum record_access {
	ACCESS_MISS = 1,
	ACCESS_UNCACHED = 2,
	ACCESS_WRITES_BACK = 4,
	ACCESS_WALK = 8,
	ACCESS_WALK_MISS = 16,
};

enum record_flow {
	FLOW_TAKEN = 1,
	FLOW_MISPREDICTED = 2,
	FLOW_CODE_MISS = 4,
	FLOW_FIRST_TIME = 8,
};

struct record {
	uint32_t kind;
	uint32_t argument[4];
};

#endif
