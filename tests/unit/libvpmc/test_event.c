// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the parsing of events. */
#include "unit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "check_says.h"
#include "vpmc.h"

#define ANY VPMC_ANY_COUNTER
#define U   VPMC_USER
#define K   VPMC_KERNEL
#define P   VPMC_PRECISE

#define P4_FRONT_END 0xa00410000200

/* Each row has a text, and the event that it means if the caller's default is user mode. */
static const struct {
	const char *pmu;
	const char *text;
	struct vpmc_event_sel sel;
} good[] = {
	/* codes */
	{ "p5", "0x16", { 0x16, ANY, U } },
	{ "p5", "0X16", { 0x16, ANY, U } },
	{ "p5", "22", { 0x16, ANY, U } },
	{ "p5", "022", { 0x16, ANY, U } },
	{ "p5", "0", { 0x00, ANY, U } },
	{ "p5", "0x0", { 0x00, ANY, U } },
	{ "p5", "0x00", { 0x00, ANY, U } },
	{ "p5", "0x000000000016", { 0x16, ANY, U } },
	{ "p5", "0x29", { 0x29, ANY, U } },
	{ "p5", "0x1f", { 0x1f, ANY, U } },
	{ "p5", "0x1F", { 0x1f, ANY, U } },
	{ "p5", "0x100", { 0x100, ANY, U } },
	{ "p5", "256", { 0x100, ANY, U } },
	/* names, in upper and lower case */
	{ "p5", "instructions_executed", { 0x16, ANY, U } },
	{ "p5", "INSTRUCTIONS_EXECUTED", { 0x16, ANY, U } },
	{ "p5", "Data_Read", { 0x00, ANY, U } },
	{ "p5", "clocks", { 0x100, ANY, U } },
	{ "p5mmx", "instructions_executed", { 0x16, ANY, U } },
	/* modes */
	{ "p5", "0x16:u", { 0x16, ANY, U } },
	{ "p5", "0x16:k", { 0x16, ANY, K } },
	{ "p5", "0x16:uk", { 0x16, ANY, U | K } },
	{ "p5", "0x16:ku", { 0x16, ANY, U | K } },
	{ "p5", "branches:K", { 0x12, ANY, K } },
	{ "p5", "22:uk", { 0x16, ANY, U | K } },
	/* counters */
	{ "p5", "0x16@0", { 0x16, 0, U } },
	{ "p5", "0x16@1", { 0x16, 1, U } },
	{ "p5", "0x16@0x1", { 0x16, 1, U } },
	{ "p5", "clocks@1:k", { 0x100, 1, K } },
	/* MMX: one code, two events */
	{ "p5mmx", "0x2b@0", { 0x2b, 0, U } },
	{ "p5mmx", "0x2b@1:u", { 0x2b, 1, U } },
	{ "p5mmx", "mmx_instructions_u_pipe", { 0x2b, 0, U } },
	{ "p5mmx", "mmx_instructions_v_pipe", { 0x2b, 1, U } },
	{ "p5mmx", "mmx_instructions_v_pipe@1:uk", { 0x2b, 1, U | K } },
	{ "p5mmx", "0x3b@1", { 0x3b, 1, U } },
	/* precise samples: front_end_event in the group of its counters */
	{ "p4", "front_end_event:pp", { P4_FRONT_END, ANY, U | P } },
	{ "p4", "front_end_event@16:upp", { P4_FRONT_END, 16, U | P } },
	{ "p4", "front_end_event:ppu", { P4_FRONT_END, ANY, U | P } },
	/* cascades */
	{ "p4",
	  "front_end_event:after=1",
	  { P4_FRONT_END, ANY, U | VPMC_AFTER(1) } },
	{ "p4",
	  "Front_End_Event@16:K:After=268435455",
	  { P4_FRONT_END, 16, K | VPMC_AFTER(VPMC_AFTER_MAX) } },
};

static void every_form_of_an_event_is_understood(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		struct vpmc_event_sel sel = { 0 };
		struct vpmc_error err = { VPMC_OK, "" };

		if (vpmc_event_parse(vpmc_pmu_find(good[i].pmu), good[i].text,
				     U, &sel, &err))
			fail_msg("%s: %s", good[i].text, err.text);
		if (sel.code != good[i].sel.code ||
		    sel.counter != good[i].sel.counter ||
		    sel.modes != good[i].sel.modes)
			fail_msg("%s became 0x%" PRIx64 "@%d, modes %u",
				 good[i].text, sel.code, sel.counter,
				 sel.modes);
	}
}

static void the_default_modes_are_the_callers(void **state)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5");
	struct vpmc_event_sel sel;

	assert_int_equal(vpmc_event_parse(pmu, "0x16", U | K, &sel, NULL), 0);
	assert_int_equal(sel.modes, U | K);
	assert_int_equal(vpmc_event_parse(pmu, "0x16:u", U | K, &sel, NULL), 0);
	assert_int_equal(sel.modes, U);
}

/* Each row has an invalid text, the reason, and words that the error must contain. */
static const struct {
	const char *pmu;
	const char *text;
	enum vpmc_code code;
	const char *words;
} bad[] = {
	{ "p5", "", VPMC_E_SYNTAX, "no event" },
	{ "p5", ":u", VPMC_E_SYNTAX, "no event ... \":u\"" },
	{ "p5", "@0", VPMC_E_SYNTAX, "no event ... \"@0\"" },
	{ "p5", "0x16:", VPMC_E_SYNTAX, "modes ... \"0x16:\"" },
	{ "p5", "0x16:x", VPMC_E_SYNTAX, "modes ... \"0x16:x\"" },
	{ "p5", "0x16:uu", VPMC_E_SYNTAX, "modes ... \"0x16:uu\"" },
	{ "p5", "0x16:u:k", VPMC_E_SYNTAX, "modes ... \"0x16:u:k\"" },
	{ "p5", "0x16:u@0", VPMC_E_SYNTAX, "modes ... \"0x16:u@0\"" },
	{ "p5", "0x16@0:x", VPMC_E_SYNTAX, "modes ... \"0x16@0:x\"" },
	{ "p6", "0xc0@1:c=1:k", VPMC_E_SYNTAX,
	  "\"0xc0@1:c=1:k\" ... modifiers stand before the @" },
	{ "p5", "loads:x", VPMC_E_SYNTAX, "modes ... \"loads:x\"" },
	{ "p5", "No_Such:x", VPMC_E_SYNTAX, "modes ... \"No_Such:x\"" },
	{ "p5", "0x16:p", VPMC_E_SYNTAX, "modes ... \"0x16:p\"" },
	{ "p5", "0x16:pup", VPMC_E_SYNTAX, "modes ... \"0x16:pup\"" },
	{ "p5", "0x16:ppp", VPMC_E_SYNTAX, "modes ... \"0x16:ppp\"" },
	{ "p5", "0x16:pp", VPMC_E_UNSUPPORTED,
	  "\"0x16:pp\" ... (p5), so leave :pp out" },
	{ "p4", "instr_retired:pp", VPMC_E_UNSUPPORTED,
	  "\"instr_retired:pp\" ... only of front_end_event" },
	{ "p4", "front_end_event:ukpp", VPMC_E_UNSUPPORTED,
	  "kernel mode: give :upp" },
	{ "p5", "0x16:after=1", VPMC_E_UNSUPPORTED,
	  "\"0x16:after=1\" ... (p5) no counter starts another" },
	{ "p4", "instr_retired:after=0", VPMC_E_SYNTAX,
	  "\"instr_retired:after=0\" ... from 1 to 268435455" },
	{ "p4", "instr_retired:after=268435456", VPMC_E_SYNTAX,
	  "from 1 to 268435455" },
	{ "p4", "instr_retired:after=", VPMC_E_SYNTAX, "number of events" },
	{ "p4", "instr_retired:after=9:u", VPMC_E_SYNTAX, "at the end" },
	{ "p5", "0x16@", VPMC_E_SYNTAX, "@ ... \"0x16@\"" },
	{ "p5", "0x16@x", VPMC_E_SYNTAX, "@ ... \"0x16@x\"" },
	{ "p5", "0x16@-1", VPMC_E_SYNTAX, "@ ... \"0x16@-1\"" },
	{ "p5", "0x16@0@1", VPMC_E_SYNTAX, "@ ... \"0x16@0@1\"" },
	{ "p5", "-1", VPMC_E_UNKNOWN_EVENT, "\"-1\" ... p5" },
	{ "p5", " 0x16", VPMC_E_UNKNOWN_EVENT, "\" 0x16\"" },
	{ "p5", "0x16 ", VPMC_E_UNKNOWN_EVENT, "\"0x16 \"" },
	{ "p5", "0x", VPMC_E_UNKNOWN_EVENT, "\"0x\"" },
	{ "p5", "0xg", VPMC_E_UNKNOWN_EVENT, "\"0xg\"" },
	{ "p5", "16h", VPMC_E_UNKNOWN_EVENT, "\"16h\"" },
	{ "p5", "instruction", VPMC_E_UNKNOWN_EVENT, "\"instruction\"" },
	{ "p5", "No_Such", VPMC_E_UNKNOWN_EVENT, "\"No_Such\" ... p5" },
	/*
	 * The longest accepted text is quoted as a whole, and the sentence is not cut off after
	 * it.
	 */
	{ "p5",
	  "A_Name_of_122_characters_56789_123456789_123456789_123456789_"
	  "123456789_123456789_123456789_123456789_123456789_123456789_1@1:uk",
	  VPMC_E_UNKNOWN_EVENT, "has no event of that name" },
	/* codes that the manuals reserve, and none at all */
	{ "p5", "0x10", VPMC_E_UNKNOWN_EVENT, "0x10 ... p5" },
	{ "p5", "0x11", VPMC_E_UNKNOWN_EVENT, "0x11 ... p5" },
	{ "p5", "0x20", VPMC_E_UNKNOWN_EVENT, "0x20 ... p5" },
	{ "p5", "33", VPMC_E_UNKNOWN_EVENT, "33 (0x21): ... p5" },
	{ "p5mmx", "0x3c", VPMC_E_UNKNOWN_EVENT, "0x3c ... p5mmx" },
	{ "p5mmx", "0x3f", VPMC_E_UNKNOWN_EVENT, "0x3f ... p5mmx" },
	{ "p5mmx", "0x40", VPMC_E_UNKNOWN_EVENT, "0x40" },
	{ "p5mmx", "0x116", VPMC_E_UNKNOWN_EVENT, "0x116" },
	{ "p5mmx", "0x216", VPMC_E_UNKNOWN_EVENT, "0x216" },
	{ "p5mmx", "0x100000016", VPMC_E_UNKNOWN_EVENT, "unknown" },
	{ "p5mmx", "99999999999999999999", VPMC_E_UNKNOWN_EVENT,
	  "unknown event 99999999999999999999: " },
	/* MMX events without MMX */
	{ "p5", "0x2a", VPMC_E_UNKNOWN_EVENT, "0x2a ... p5mmx ... is p5" },
	{ "p5", "emms_executed", VPMC_E_UNKNOWN_EVENT,
	  "\"emms_executed\" ... p5mmx ... is p5" },
	/* counters */
	{ "p5", "0x16@2", VPMC_E_NO_COUNTER,
	  "counter 2 ... instructions_executed ... 0 to 1" },
	{ "p5", "0x16@4294967295", VPMC_E_NO_COUNTER, "counter ... 0 to 1" },
	{ "p5", "branches@32", VPMC_E_NO_COUNTER, "counter 32 ... branches" },
	{ "p5", "22@2:k", VPMC_E_NO_COUNTER, "22@2:k (instructions_exec" },
	{ "p5", "Branches@2", VPMC_E_NO_COUNTER, "event Branches@2: " },
	{ "p5", "33:uk", VPMC_E_UNKNOWN_EVENT, "33:uk (0x21): " },
	{ "p5", "0X2A@1", VPMC_E_UNKNOWN_EVENT, "0X2A@1: only p5mmx" },
	{ "p5", "Instructions@2", VPMC_E_NO_COUNTER, "event Instructions@2: " },
	{ "p5", "Ref-Cycles:k", VPMC_E_UNKNOWN_EVENT, "event Ref-Cycles:k" },
	{ "p6", "0xC1@1", VPMC_E_WRONG_COUNTER, "event 0xC1@1 (flops) " },
	{ "p6", "0x1234@2", VPMC_E_NO_COUNTER, "event 0x1234@2: " },
	{ "p5mmx", "43", VPMC_E_AMBIGUOUS, "43 (0x2b): ... (0x2b@0 is" },
	{ "p5mmx", "0x2b@2", VPMC_E_NO_COUNTER, "counter 2" },
	{ "p5mmx", "mmx_instructions_v_pipe@0", VPMC_E_WRONG_COUNTER,
	  "mmx_instructions_v_pipe ... counter 0 ... choose counter 1" },
	{ "p5mmx", "0x2b", VPMC_E_AMBIGUOUS,
	  "0x2b ... 0x2b@0 is mmx_instructions_u_pipe ... 0x2b@1 is mmx_instructions_v_pipe" },
};

static void check_refusal(size_t row)
{
	const struct vpmc_event_sel before = { 0x55, 5, 5 };
	struct vpmc_event_sel sel = before;
	struct vpmc_error err;
	int ret;

	ret = vpmc_event_parse(vpmc_pmu_find(bad[row].pmu), bad[row].text, U,
			       &sel, &err);
	if (ret != (int)bad[row].code || err.code != bad[row].code)
		fail_msg("%s: returned %d, not %d", bad[row].text, ret,
			 bad[row].code);
	if (memcmp(&sel, &before, sizeof(sel)) != 0)
		fail_msg("%s: changed its result", bad[row].text);
	/* The error quotes the user's text, even if the table has another name for the event. */
	if (!strstr(err.text, bad[row].text))
		fail_msg("\"%s\" does not say \"%s\"", err.text, bad[row].text);
	check_says(err.text, bad[row].words);
}

static void a_bad_event_is_refused_with_its_name(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		check_refusal(i);
}

static void a_very_long_event_is_refused(void **state)
{
	struct vpmc_event_sel sel;
	struct vpmc_error err;
	char text[1000];

	memset(text, 'e', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5"), text, U, &sel,
					  &err),
			 VPMC_E_UNKNOWN_EVENT);
	check_says(err.text, "eeeeeeee");
	assert_true(strlen(err.text) < sizeof(err.text) - 1);
}

static void errors_need_no_place_to_go(void **state)
{
	struct vpmc_event_sel sel;

	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5"), "nonsense", U,
					  &sel, NULL),
			 VPMC_E_UNKNOWN_EVENT);
}

static bool turkish;

/*
 * Replace the C library's function in this program. In a Turkish locale, the lower case of I
 * is not i.
 */
const __int32_t **__ctype_tolower_loc(void)
{
	static __int32_t table[384];
	static const __int32_t *zero = table + 128;
	int c;

	for (c = -128; c < 256; c++) {
		const bool capital = c >= 'A' && c <= 'Z';

		table[c + 128] = capital && !(turkish && c == 'I') ? c + 32 : c;
	}
	return &zero;
}

static void names_are_the_same_in_a_turkish_locale(void **state)
{
	struct vpmc_event_sel sel;
	char name[VPMC_EVENT_NAME_MAX];

	turkish = true;
	assert_int_equal(tolower('I'), 'I');
	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5"), "INSTRUCTIONS",
					  U, &sel, NULL),
			 0);
	assert_int_equal(vpmc_event_name(vpmc_pmu_find("p5"),
					 "MISALIGNED_REFERENCES", name, NULL),
			 0);
	turkish = false;
	assert_string_equal(name, "misaligned_references");
}

/* Quoted text must not control the terminal. */
static void errors_hold_no_control_characters(void **state)
{
	static const char all[] = "a\x1b[2J\n\x7f\xc2\x9b\xff\xc3\xa9";
	struct vpmc_event_sel sel;
	struct vpmc_error err;
	char cut[6];

	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5"), all, U, &sel,
					  &err),
			 VPMC_E_UNKNOWN_EVENT);
	check_says(err.text, "\"a\\x1b[2J\\x0a\\x7f"
			     "\\xc2\\x9b\\xff\xc3\xa9\"");
	assert_int_equal(vpmc_escape("a\n\n", cut, sizeof(cut)), 5);
	assert_string_equal(cut, "a\\x0a");
	assert_int_equal(vpmc_escape("abcd\xc3\xa9", cut, sizeof(cut)), 4);
	assert_string_equal(cut, "abcd");
}

/*
 * Each row has a valid character at a limit, which is kept, and the adjacent invalid sequence,
 * which is escaped.
 */
static const struct {
	const char *good;
	const char *bad;
} forms[] = {
	{ "\xc2\xa0", "\xc1\xbf" },
	{ "\xe0\xa0\x80", "\xe0\x9f\xbf" },
	{ "\xed\x9f\xbf", "\xed\xa0\x80" },
	{ "\xee\x80\x80", "\xed\xbf\xbf" },
	{ "\xef\xbf\xbd", "\xef\xbf\xbe" },
	{ "\xf0\x90\x80\x80", "\xf0\x8f\xbf\xbf" },
	{ "\xf4\x8f\xbf\xbd", "\xf4\x90\x80\x80" },
};

/* Readers of a report would refuse it if it contained invalid UTF-8. */
static void what_is_no_utf_8_is_escaped(void **state)
{
	char text[20];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		vpmc_escape(forms[i].good, text, sizeof(text));
		assert_string_equal(text, forms[i].good);
		assert_int_equal(vpmc_escape(forms[i].bad, text, sizeof(text)),
				 4 * strlen(forms[i].bad));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_form_of_an_event_is_understood),
	cmocka_unit_test(the_default_modes_are_the_callers),
	cmocka_unit_test(a_bad_event_is_refused_with_its_name),
	cmocka_unit_test(a_very_long_event_is_refused),
	cmocka_unit_test(errors_need_no_place_to_go),
	cmocka_unit_test(names_are_the_same_in_a_turkish_locale),
	cmocka_unit_test(errors_hold_no_control_characters),
	cmocka_unit_test(what_is_no_utf_8_is_escaped),
};

UNIT_MAIN(tests)
