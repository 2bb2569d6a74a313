// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compose codes of the Pentium 4's registers ESCR and CCCR, and of the registers of replay tags,
 * IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT. A code also has bits for the replay tags that the
 * manual's metrics use.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/internal.h"

#include "../../vpmc/pmu/p4_events.h"
#include "../../vpmc/pmu/share.h"

/*
 * These bits of the registers do not belong to the event. libpfm4 sets them, but vpmc_start() sets
 * its own values.
 */
#define ESCR_MODES  0xfU
#define CCCR_ENABLE (1U << 12 | 3U << 16)

/* These are uop_type, and the number of its ESCRs. */
#define P4_TAG_EVENT  0x02
#define P4_TAG_NUMBER 2

/* A code has one bit for each of these values of the extra register. */
static const uint64_t tags[] = {
	0x1,	 0x2,	     0x4,	 0x200,	     0x400,
	0x18000, 1ULL << 32, 1ULL << 33, 1ULL << 36,
};

static uint64_t get_extra(uint64_t code)
{
	uint64_t extra = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		if (code >> (P4_CODE_TAGS_SHIFT + i) & 1)
			extra |= tags[i];
	}
	return extra;
}

static bool add_extra(uint64_t *code, uint64_t extra)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		if ((extra & tags[i]) != tags[i])
			continue;
		*code |= 1ULL << (P4_CODE_TAGS_SHIFT + i);
		extra &= ~tags[i];
	}
	return !extra;
}

/* If a code leaves the group open, its events are the same on all models. */
static uint32_t counters_of(uint64_t code)
{
	uint32_t counters;

	p4_constrain(code & ~P4_CODE_TAGS, 0, &counters);
	return counters;
}

static bool is_ambiguous(uint64_t code)
{
	return p4_is_ambiguous(counters_of(code));
}

static void complete(uint64_t *code, int counter)
{
	uint32_t counters = counters_of(*code);

	if (*code & P4_CODE_GROUP)
		return;
	if (counter >= 0 && counter < P4_NR_COUNTERS)
		counters = 1U << counter;
	if (counters && !p4_is_ambiguous(counters))
		*code |= (p4_group_of((unsigned int)__builtin_ctz(counters)) +
			  1ULL)
			 << P4_CODE_GROUP_SHIFT;
}

static bool p4_join(uint64_t *code, const uint64_t *values)
{
	*code = (values[0] & P4_CODE_ESCR) | (values[1] << 32 & P4_CODE_CCCR);
	return !(values[0] & ~(P4_CODE_ESCR | ESCR_MODES)) &&
	       !(values[1] & ~((P4_CODE_CCCR >> 32) | CCCR_ENABLE));
}

/* These are the names of the values in a text. ESCR and CCCR are required. */
enum { ESCR, CCCR, PEBS, MATRIX, NR_REGISTERS };

static const struct {
	const char *name;
	uint64_t allowed;
} registers[NR_REGISTERS] = {
	[ESCR] = { "escr", P4_CODE_ESCR },
	[CCCR] = { "cccr", P4_CODE_CCCR >> 32 },
	[PEBS] = { "pebs", P4_EXTRA_ENABLE },
	[MATRIX] = { "matrix", P4_EXTRA_BITS >> 32 },
};

static int fail_form(const char *quoted, struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_SYNTAX,
			    "no values of registers in " VPMCINT_QUOTE
			    ": write escr=NUMBER:cccr=NUMBER, and for"
			    " replay_event :pebs=NUMBER:matrix=NUMBER",
			    quoted);
}

/*
 * Read one value at *@text, and advance *@text to the next value. Returns the register of the
 * value.
 */
static unsigned int p4_take(const char **text, uint64_t *value)
{
	unsigned int i;
	char *end;

	for (i = 0; i < NR_REGISTERS; i++) {
		const size_t length = strlen(registers[i].name);

		if (strncmp(*text, registers[i].name, length) != 0 ||
		    (*text)[length] != '=')
			continue;
		*text += length + 1;
		*value = strtoull(*text, &end, 0);
		if (**text < '0' || **text > '9' || (*end && *end != ':'))
			return NR_REGISTERS;
		*text = *end ? end + 1 : end;
		return i;
	}
	return NR_REGISTERS;
}

static int check_bits(unsigned int i, uint64_t value, const char *quoted,
		      struct vpmc_error *err)
{
	const uint64_t reserved = value & ~registers[i].allowed;

	if (!reserved)
		return 0;
	return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
			    "event " VPMCINT_QUOTE " cannot be counted: bits"
			    " 0x%" PRIx64
			    " of %s are reserved, or the driver sets"
			    " them, so leave them out",
			    quoted, reserved, registers[i].name);
}

static int p4_parse(const char *text, const char *quoted, uint64_t *code,
		    struct vpmc_error *err)
{
	uint64_t values[NR_REGISTERS] = { 0 }, value = 0;
	unsigned int i, seen = 0;
	int ret;

	while (*text) {
		i = p4_take(&text, &value);
		if (i == NR_REGISTERS || seen & 1U << i)
			return fail_form(quoted, err);
		ret = check_bits(i, value, quoted, err);
		if (ret)
			return ret;
		values[i] = value;
		seen |= 1U << i;
	}
	if (~seen & (1U << ESCR | 1U << CCCR))
		return fail_form(quoted, err);
	p4_join(code, values);
	if (add_extra(code,
		      (values[PEBS] & ~(1ULL << 24)) | values[MATRIX] << 32))
		return 0;
	return vpmcint_fail(
		err, VPMC_E_UNKNOWN_EVENT,
		"event " VPMCINT_QUOTE " cannot be counted: no"
		" metric of the manual has these tags, so choose one"
		" of replay_event's names",
		quoted);
}

/* These are the events of the emulator, by group and number of ESCRs: docs/guide/models.md. */
static const struct {
	uint8_t group;
	uint8_t number;
	enum vpmc_emulation how;
	uint64_t events;
} emulated[] = {
	{ 1, 6, VPMC_PER_INSTRUCTION, P4_BIT(0x13) },
	{ 2, 2, VPMC_EXACT, P4_BIT(0x04) },
	{ 3, 1, VPMC_MODELLED,
	  P4_BIT(0x02) | P4_BIT(0x04) | P4_BIT(0x08) | P4_BIT(0x0a) |
		  P4_BIT(0x0c) | P4_BIT(0x0e) | P4_BIT(0x1a) },
	{ 4, 4, VPMC_EXACT, P4_BIT(0x02) | P4_BIT(0x07) },
	{ 4, 4, VPMC_MODELLED, P4_BIT(0x01) },
	{ 4, 5, VPMC_EXACT, P4_BIT(0x06) | P4_BIT(0x08) },
	{ 4, 5, VPMC_MODELLED, P4_BIT(0x0c) },
};

int vpmcint_p4_emulation(uint64_t code)
{
	const unsigned int group = code >> P4_CODE_GROUP_SHIFT & 7;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(emulated); i++) {
		if (emulated[i].group == group &&
		    emulated[i].number == P4_CODE_NUMBER(code) &&
		    emulated[i].events >> P4_CODE_EVENT(code) & 1)
			return emulated[i].how;
	}
	return VPMC_NOT_EMULATED;
}

/* This is uop_type, which sets the tags of front_end_event. */
static bool sets_tags(uint64_t code)
{
	return (code >> P4_CODE_GROUP_SHIFT & 7) == P4_RETIREMENT_GROUP + 1 &&
	       P4_CODE_NUMBER(code) == P4_TAG_NUMBER &&
	       P4_CODE_EVENT(code) == P4_TAG_EVENT;
}

static uint32_t precise(uint64_t code)
{
	return p4_precise_counters(code, counters_of(code));
}

const struct vpmcint_registers vpmcint_p4_registers = {
	.open = P4_CODE_GROUP,
	.complete = complete,
	.join = p4_join,
	.ambiguous = is_ambiguous,
	.parse = p4_parse,
	.prefix = "escr=",
	.extra = get_extra,
	.add_extra = add_extra,
	.own = P4_CODE_TAGS,
	.sharing = &p4_sharing,
	.sets_tags = sets_tags,
	.precise = precise,
	.precise_events = "front_end_event, execution_event and replay_event",
};
