// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of libpfm4: what becomes of its codes, and of what vpmc cannot count.
 *
 * LIBPFM_FORCE_PMU makes libpfm4 take this for another processor. It looks once, so
 * each question is asked in a process of its own.
 */
#include "unit.h"

#include <inttypes.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "vpmc.h"

#define ANY VPMC_ANY_COUNTER
#define U   VPMC_USER
#define K   VPMC_KERNEL

/* Event of up to 12 bits, unit mask, edge, inversion, counter mask. */
#define CODE 0xfff84ffffU

#define EVENTS_MAX 2000

/**
 * struct answer - what a process says
 * @ret: what the function returned
 * @sel: the event
 * @err: the error
 * @nr: how many events there were in a list
 * @refused: how many of them were refused
 * @code: the codes of the others
 * @name: their names
 * @bad: of these, one that is wrong
 */
struct answer {
	int ret;
	struct vpmc_event_sel sel;
	struct vpmc_error err;
	unsigned int nr;
	unsigned int refused;
	uint64_t code[EVENTS_MAX];
	char name[EVENTS_MAX][VPMC_EVENT_NAME_MAX];
	char bad[VPMC_EVENT_NAME_MAX];
};

static struct answer *answer;

static int share_answer(void **state)
{
	fake_setup(state);
	answer = mmap(NULL, sizeof(*answer), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return answer == MAP_FAILED ? -1 : 0;
}

static int drop_answer(void **state)
{
	(void)state;
	return munmap(answer, sizeof(*answer));
}

/* Call a function on a processor of libpfm4's. */
static void ask(const char *processor,
		void (*question)(const struct vpmc_pmu *pmu, const char *text),
		const char *pmu, const char *text)
{
	int status;
	pid_t pid;

	answer->ret = 1;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		setenv("LIBPFM_FORCE_PMU", processor, 1);
		question(vpmc_pmu_find(pmu), text);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void parse(const struct vpmc_pmu *pmu, const char *text)
{
	answer->ret =
		vpmc_event_parse(pmu, text, U, &answer->sel, &answer->err);
}

/* What a text means. The codes are those of the processors' manuals. */
static const struct {
	const char *processor;
	const char *pmu;
	const char *text;
	struct vpmc_event_sel sel;
} good[] = {
	{ "skl", "intel", "inst_retired:any_p", { 0xc0, ANY, U } },
	{ "skl", "intel", "INST_RETIRED:ANY_P", { 0xc0, ANY, U } },
	{ "skl", "intel", "inst_retired", { 0xc0, ANY, U } },
	{ "skl", "intel", "inst_retired:k", { 0xc0, ANY, K } },
	{ "skl", "intel", "inst_retired@3", { 0xc0, 3, U } },
	{ "skl", "intel", "inst_retired:any_p@2:uk", { 0xc0, 2, U | K } },
	{ "skl", "intel", "BR_INST_RETIRED:CONDITIONAL", { 0x1c4, ANY, U } },
	{ "skl", "intel", "br_inst_retired:near_call:k", { 0x2c4, ANY, K } },
	{ "skl", "intel", "mem_inst_retired:all_loads", { 0x81d0, ANY, U } },
	/* edge, inversion, counter mask */
	{ "skl", "intel", "inst_retired:any_p:c=3", { 0x030000c0, ANY, U } },
	{ "skl", "intel", "inst_retired:e:c=1:u", { 0x010400c0, ANY, U } },
	{ "skl", "intel", "inst_retired:i:c=255", { 0xff8000c0, ANY, U } },
	/* ours come first: libpfm4 takes this for a fixed counter */
	{ "skl", "intel", "unhalted_reference_cycles", { 0x13c, ANY, U } },
	{ "skl", "intel", "branches", { 0xc4, ANY, U } },
	/* other processors */
	{ "icl", "intel", "br_inst_retired:cond", { 0x11c4, ANY, U } },
	/* of fixed counters */
	{ "icl", "intel", "inst_retired:any:k", { 0xc0, ANY, K } },
	{ "icl", "intel", "cpu_clk_unhalted:ref_tsc", { 0x300, ANY, U } },
	{ "icl", "intel", "cpu_clk_unhalted:ref_tsc@10", { 0x300, 10, U } },
	{ "icx", "intel", "inst_retired:any_p", { 0xc0, ANY, U } },
	/* libpfm4 leaves out the event, A4h */
	{ "icl", "intel", "TOPDOWN:BACKEND_BOUND_SLOTS", { 0x02a4, ANY, U } },
	{ "icl", "intel", "topdown:br_mispredict_slots", { 0x08a4, ANY, U } },
	{ "icx",
	  "intel",
	  "topdown:backend_bound_slots:c=2:k",
	  { 0x020002a4, ANY, K } },
	{ "icl", "intel", "topdown:slots_p", { 0x01a4, ANY, U } },
	{ "hsw", "intel", "br_inst_retired:far_branch", { 0x40c4, ANY, U } },
	{ "snb", "intel", "mem_uops_retired:all_stores", { 0x82d0, ANY, U } },
	{ "nhm", "intel", "mem_inst_retired:loads", { 0x010b, ANY, U } },
	{ "core", "intel", "inst_retired:stores", { 0x02c0, ANY, U } },
	{ "amd64_k7", "amd", "data_cache_misses", { 0x41, ANY, U } },
	{ "amd64_k8_revb", "amd", "l2_cache_miss:data", { 0x027e, ANY, U } },
	{ "amd64_fam10h_barcelona",
	  "amd",
	  "retired_near_returns",
	  { 0xc8, ANY, U } },
	{ "amd64_fam19h_zen4",
	  "amd",
	  "p0_freq_cycles_not_in_halt",
	  { 0x100000120, ANY, U } },
	{ "amd64_fam17h_zen1",
	  "amd",
	  "ls_dispatch:store_dispatch",
	  { 0x0229, ANY, U } },
	{ "amd64_fam17h_zen1",
	  "amd",
	  "retired_instructions",
	  { 0xc0, ANY, U } },
	{ "amd64_fam19h_zen4",
	  "amd",
	  "retired_instructions:c=2:i:k",
	  { 0x028000c0, ANY, K } },
};

static void a_code_has_no_more_than_what_is_the_callers(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		ask(good[i].processor, parse, good[i].pmu, good[i].text);
		if (answer->ret)
			fail_msg("%s: %s: %s", good[i].processor, good[i].text,
				 answer->err.text);
		if (memcmp(&answer->sel, &good[i].sel, sizeof(answer->sel)) !=
		    0)
			fail_msg("%s: %s became 0x%" PRIx64 "@%d, modes %u",
				 good[i].processor, good[i].text,
				 answer->sel.code, answer->sel.counter,
				 answer->sel.modes);
	}
}

/* What is refused, and the words that the sentence has to have. */
static const struct {
	const char *processor;
	const char *pmu;
	const char *text;
	enum vpmc_code code;
	const char *words[2];
} bad[] = {
	{ "skl",
	  "intel",
	  "No_Such",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"No_Such\"", "neither here nor in libpfm4" } },
	{ "skl",
	  "intel",
	  "No_Such:At_All:u",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"No_Such:At_All:u\"", "neither here nor in libpfm4" } },
	{ "skl",
	  "intel",
	  "BR_INST_RETIRED:No_Such",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"BR_INST_RETIRED:No_Such\"", "no such unit mask or modifier" } },
	{ "skl",
	  "intel",
	  "cycle_activity",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"cycle_activity\"", "needs another unit mask" } },
	{ "skl",
	  "intel",
	  "inst_retired:c=256",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"inst_retired:c=256\"", "libpfm4 says" } },
	/* no code of an event select register alone */
	{ "skl",
	  "intel",
	  "offcore_response_0:dmnd_data_rd:l3_miss",
	  VPMC_E_UNKNOWN_EVENT,
	  { "second register", "so choose" } },
	{ "nhm",
	  "intel",
	  "mem_inst_retired:latency_above_threshold:ldlat=10",
	  VPMC_E_UNKNOWN_EVENT,
	  { "second register", "so choose" } },
	{ "skl",
	  "intel",
	  "inst_retired:intx",
	  VPMC_E_UNKNOWN_EVENT,
	  { "guests or transactions", "so leave out" } },
	{ "amd64_fam17h_zen1",
	  "amd",
	  "retired_uops:g",
	  VPMC_E_UNKNOWN_EVENT,
	  { "guests or transactions", "so leave out" } },
	{ "icl",
	  "intel",
	  "topdown:slots",
	  VPMC_E_UNKNOWN_EVENT,
	  { "fixed counter that vpmc does not count" } },
	{ "icl",
	  "intel",
	  "cpu_clk_unhalted:ref_tsc:c=1",
	  VPMC_E_UNKNOWN_EVENT,
	  { "fixed counter that vpmc does not count" } },
	{ "skl",
	  "intel",
	  "inst_retired:t",
	  VPMC_E_UNKNOWN_EVENT,
	  { "leave out the modifier t" } },
	{ "skl",
	  "intel",
	  "inst_retired:e",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"inst_retired:e\"", "an edge (:e) needs a counter mask" } },
	{ "nhm",
	  "intel",
	  "mem_inst_retired:loads:e=1:u",
	  VPMC_E_UNKNOWN_EVENT,
	  { "an edge (:e) needs a counter mask", "so add :c=1" } },
	{ "skl",
	  "intel",
	  "inst_retired:e:no_such",
	  VPMC_E_UNKNOWN_EVENT,
	  { "no such unit mask or modifier" } },
	{ "snbep_unc_ha",
	  "intel",
	  "unc_h_clockticks",
	  VPMC_E_UNKNOWN_EVENT,
	  { "no event of the cores" } },
	/* libpfm4 has modes, too */
	{ "skl",
	  "intel",
	  "inst_retired:u:c=1",
	  VPMC_E_UNKNOWN_EVENT,
	  { "modes come last" } },
	{ "skl",
	  "intel",
	  "inst_retired:k=1:c=1",
	  VPMC_E_UNKNOWN_EVENT,
	  { "modes come last" } },
	{ "skl",
	  "intel",
	  "inst_retired:u:k",
	  VPMC_E_UNKNOWN_EVENT,
	  { "modes come last and together", ":uk" } },
	{ "skl", "intel", "0xc0:c=1", VPMC_E_SYNTAX, { "modes" } },
	{ "skl", "intel", "branches:c=1", VPMC_E_SYNTAX, { "modes" } },
	{ "skl", "intel", "inst_retired@x", VPMC_E_SYNTAX, { "@" } },
	{ "skl", "intel", "inst_retired@1:c=1", VPMC_E_SYNTAX, { "modes" } },
	{ "skl",
	  "intel",
	  "inst_retired:any_p@11",
	  VPMC_E_NO_COUNTER,
	  { "counter 11" } },
	/* the Pentium is none of libpfm4's */
	{ "skl", "p5", "inst_retired", VPMC_E_UNKNOWN_EVENT, { "(p5)" } },
	{ "skl", "p5mmx", "inst_retired:any_p", VPMC_E_SYNTAX, { "modes" } },
	{ "no_such",
	  "intel",
	  "inst_retired",
	  VPMC_E_UNKNOWN_EVENT,
	  { "\"inst_retired\"", "libpfm4, which may have it, does not know" } },
};

static void what_cannot_be_counted_is_refused_with_the_reason(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ask(bad[i].processor, parse, bad[i].pmu, bad[i].text);
		if (answer->ret != (int)bad[i].code)
			fail_msg("%s: returned %d, not %d", bad[i].text,
				 answer->ret, bad[i].code);
		for (j = 0; j < ARRAY_SIZE(bad[i].words) && bad[i].words[j];
		     j++) {
			if (!strstr(answer->err.text, bad[i].words[j]))
				fail_msg("%s: \"%s\" does not say \"%s\"",
					 bad[i].text, answer->err.text,
					 bad[i].words[j]);
		}
		assert_true(strlen(answer->err.text) <
			    sizeof(answer->err.text) - 1);
	}
}

static void mark_bad(const char *name)
{
	snprintf(answer->bad, sizeof(answer->bad), "%s", name);
}

static void take(const struct vpmc_named_event *event, void *arg)
{
	(void)arg;
	answer->refused += event->refusal != NULL;
	if (event->refusal || answer->nr == EVENTS_MAX)
		return;
	answer->code[answer->nr] = event->info.code;
	snprintf(answer->name[answer->nr++], VPMC_EVENT_NAME_MAX, "%s",
		 event->info.name);
	if (!*event->info.description || strchr(event->info.description, '\n'))
		mark_bad(event->info.name);
}

/* Each name of the list is understood, and its code is in the list. */
static void list(const struct vpmc_pmu *pmu, const char *text)
{
	struct vpmc_event_sel sel;
	unsigned int i;

	(void)text;
	answer->nr = answer->refused = 0;
	answer->bad[0] = '\0';
	answer->ret = vpmc_pfm_events(pmu, take, NULL, &answer->err);
	for (i = 0; i < answer->nr; i++) {
		if (vpmc_event_parse(pmu, answer->name[i], U, &sel, NULL) ||
		    sel.code != answer->code[i] || sel.code & ~CODE)
			mark_bad(answer->name[i]);
	}
}

static void note_locale(const struct vpmc_named_event *event, void *arg)
{
	(void)event;
	(void)arg;
	answer->nr = (unsigned int)MB_CUR_MAX;
}

/* In a Turkish one libpfm4 would not find names with an i. */
static void list_in_locale(const struct vpmc_pmu *pmu, const char *text)
{
	locale_t caller = newlocale(LC_ALL_MASK, text, NULL);

	uselocale(caller);
	if (MB_CUR_MAX == 1)
		_exit(1);
	answer->ret = vpmc_pfm_events(pmu, note_locale, NULL, NULL);
	if (uselocale(NULL) != caller)
		_exit(1);
}

static void libpfm4_works_in_the_locale_of_its_names(void **state)
{
	(void)state;
	ask("skl", list_in_locale, "intel", "C.UTF-8");
	assert_int_equal(answer->ret, 0);
	assert_int_equal(answer->nr, 1);
}

static bool is_listed(const char *name, uint64_t code)
{
	unsigned int i;

	for (i = 0; i < answer->nr; i++) {
		if (!strcmp(answer->name[i], name))
			return answer->code[i] == code;
	}
	return false;
}

/* A processor, an event of the list, and whether some cannot be counted. */
static const struct {
	const char *processor;
	const char *pmu;
	const char *name;
	uint32_t code;
	bool some;
} lists[] = {
	{ "skl", "intel", "BR_INST_RETIRED:CONDITIONAL", 0x1c4, true },
	{ "icl", "intel", "MEM_INST_RETIRED:ALL_LOADS", 0x81d0, true },
	{ "icl", "intel", "TOPDOWN:BACKEND_BOUND_SLOTS", 0x02a4, true },
	{ "nhm", "intel", "MEM_INST_RETIRED:STORES", 0x20b, true },
	{ "core", "intel", "INST_RETIRED:LOADS", 0x1c0, false },
	{ "amd64_k7", "amd", "DATA_CACHE_MISSES", 0x41, false },
	{ "amd64_fam17h_zen1", "amd", "LS_DISPATCH:LD_DISPATCH", 0x129, false },
	{ "amd64_fam19h_zen4", "amd", "LS_DISPATCH:STORE_DISPATCH", 0x229,
	  false },
};

static void a_list_has_the_events_that_can_be_counted(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		ask(lists[i].processor, list, lists[i].pmu, NULL);
		assert_int_equal(answer->ret, 0);
		if (*answer->bad)
			fail_msg("%s: %s is listed wrongly", lists[i].processor,
				 answer->bad);
		if (!is_listed(lists[i].name, lists[i].code))
			fail_msg("%s: %s is not listed among %u",
				 lists[i].processor, lists[i].name, answer->nr);
		if (!answer->refused == lists[i].some)
			fail_msg("%s: %u events are refused",
				 lists[i].processor, answer->refused);
	}
}

static void there_is_nothing_to_list_of_other_processors(void **state)
{
	(void)state;
	ask("no_such", list, "intel", NULL);
	assert_int_equal(answer->ret, VPMC_E_UNSUPPORTED);
	assert_non_null(
		strstr(answer->err.text,
		       "libpfm4, which may have more events, does not"));
	ask("skl", list, "p5", NULL);
	assert_int_equal(answer->ret, 0);
	assert_int_equal(answer->nr + answer->refused, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_code_has_no_more_than_what_is_the_callers),
	cmocka_unit_test(what_cannot_be_counted_is_refused_with_the_reason),
	cmocka_unit_test(a_list_has_the_events_that_can_be_counted),
	cmocka_unit_test(there_is_nothing_to_list_of_other_processors),
	cmocka_unit_test(libpfm4_works_in_the_locale_of_its_names),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, share_answer, drop_answer);
}
