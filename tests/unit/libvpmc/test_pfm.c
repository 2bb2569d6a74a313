// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests names of libpfm4: the translation of its codes, and events that vpmc cannot
 * count.
 *
 * LIBPFM_FORCE_PMU makes libpfm4 treat this machine as another processor. libpfm4 reads it only
 * once, so each question is asked in its own process.
 */
#include "unit.h"

#include <inttypes.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_says.h"
#include "events/homonym.h"
#include "fake_driver.h"
#include "vpmc.h"

#include "pmu/amd_events.h"
#include "pmu/intel_events.h"
#include "pmu/p6_events.h"

#define ANY VPMC_ANY_COUNTER
#define U   VPMC_USER
#define K   VPMC_KERNEL

/* A code consists of an event of up to 12 bits, unit mask, edge, inversion and counter mask. */
#define CODE 0xfff84ffffU

#define EVENTS_MAX 2000

/**
 * struct answer - the answer of a process
 * @ret: result of the function
 * @sel: the event
 * @err: the error
 * @nr: number of events in a list that can be counted
 * @refused: number of refused events in a list
 * @code: the codes of the @nr events
 * @name: the names of the @nr events
 * @bad: the name of a wrong event, if there is one
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
	return munmap(answer, sizeof(*answer));
}

/* Call a function in a process in which libpfm4 treats the machine as @processor. */
static void ask(const char *processor,
		void (*question)(const struct vpmc_pmu *pmu, const char *text),
		const char *pmu, const char *text)
{
	pid_t pid;

	answer->ret = 1;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		setenv("LIBPFM_FORCE_PMU", processor, 1);
		question(vpmc_pmu_find(pmu), text);
		_exit(0);
	}
	check_status(pid, 0);
}

static void parse(const struct vpmc_pmu *pmu, const char *text)
{
	answer->ret =
		vpmc_event_parse(pmu, text, U, &answer->sel, &answer->err);
}

/*
 * Each row has a text and the event that it means. The codes are those of the processors'
 * manuals.
 */
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
	/* The library's own names come first: libpfm4 takes this name for a fixed counter. */
	{ "skl", "intel", "unhalted_reference_cycles", { 0x13c, ANY, U } },
	{ "skl", "intel", "branches", { 0xc4, ANY, U } },
	/* other processors */
	{ "icl", "intel", "br_inst_retired:cond", { 0x11c4, ANY, U } },
	/* events of fixed counters */
	{ "icl", "intel", "inst_retired:any:k", { 0xc0, ANY, K } },
	{ "icl", "intel", "cpu_clk_unhalted:ref_tsc", { 0x300, ANY, U } },
	{ "icl", "intel", "cpu_clk_unhalted:ref_tsc@10", { 0x300, 10, U } },
	{ "icx", "intel", "inst_retired:any_p", { 0xc0, ANY, U } },
	/* libpfm4 leaves the event code, A4h, out of these codes */
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

/* Each row has an invalid text, and words that the error must contain. */
static const struct {
	const char *processor;
	const char *pmu;
	const char *text;
	enum vpmc_code code;
	const char *words;
} bad[] = {
	{ "skl", "intel", "No_Such", VPMC_E_UNKNOWN_EVENT,
	  "\"No_Such\" ... neither here nor in libpfm4" },
	{ "skl", "intel", "No_Such:At_All:u", VPMC_E_UNKNOWN_EVENT,
	  "\"No_Such:At_All:u\" ... neither here nor in libpfm4" },
	{ "skl", "intel", "BR_INST_RETIRED:No_Such", VPMC_E_UNKNOWN_EVENT,
	  "\"BR_INST_RETIRED:No_Such\" ... no such unit mask or modifier" },
	{ "skl", "intel", "cycle_activity", VPMC_E_UNKNOWN_EVENT,
	  "\"cycle_activity\" ... needs another unit mask" },
	{ "skl", "intel", "inst_retired:c=256", VPMC_E_UNKNOWN_EVENT,
	  "\"inst_retired:c=256\" ... libpfm4 says" },
	/* These events need more than the code in an event select register. */
	{ "skl", "intel", "offcore_response_0:dmnd_data_rd:l3_miss",
	  VPMC_E_UNKNOWN_EVENT, "second register ... so choose" },
	{ "nhm", "intel", "mem_inst_retired:latency_above_threshold:ldlat=10",
	  VPMC_E_UNKNOWN_EVENT, "second register ... so choose" },
	{ "skl", "intel", "inst_retired:intx", VPMC_E_UNKNOWN_EVENT,
	  "guests or transactions ... so leave out" },
	{ "amd64_fam17h_zen1", "amd", "retired_uops:g", VPMC_E_UNKNOWN_EVENT,
	  "guests or transactions ... so leave out" },
	{ "icl", "intel", "topdown:slots", VPMC_E_UNKNOWN_EVENT,
	  "fixed counter that vpmc does not count" },
	{ "icl", "intel", "cpu_clk_unhalted:ref_tsc:c=1", VPMC_E_UNKNOWN_EVENT,
	  "it is of a fixed counter ... so leave out the modifiers" },
	{ "icl", "intel", "unhalted_reference_cycles:c=1", VPMC_E_UNKNOWN_EVENT,
	  "libpfm4 has no such unit mask or modifier" },
	{ "icl", "intel", "cpu_clk_unhalted:ref_tsc:e", VPMC_E_UNKNOWN_EVENT,
	  "it is of a fixed counter ... so leave out the modifiers" },
	{ "skl", "intel", "inst_retired:t", VPMC_E_UNKNOWN_EVENT,
	  "leave out the modifier t" },
	{ "skl", "intel", "inst_retired:e", VPMC_E_UNKNOWN_EVENT,
	  "\"inst_retired:e\" ... an edge (:e) needs a counter mask" },
	{ "nhm", "intel", "mem_inst_retired:loads:e=1:u", VPMC_E_UNKNOWN_EVENT,
	  "an edge (:e) needs a counter mask ... so add :c=1" },
	{ "skl", "intel", "inst_retired:e:no_such", VPMC_E_UNKNOWN_EVENT,
	  "no such unit mask or modifier" },
	{ "snbep_unc_ha", "intel", "unc_h_clockticks", VPMC_E_UNKNOWN_EVENT,
	  "not an event of the cores" },
	/* libpfm4 accepts modes anywhere in a name, but perfex only at the end. */
	{ "skl", "intel", "inst_retired:u:c=1", VPMC_E_UNKNOWN_EVENT,
	  "modes come last" },
	{ "skl", "intel", "inst_retired:k=1:c=1", VPMC_E_UNKNOWN_EVENT,
	  "modes come last" },
	{ "skl", "intel", "inst_retired:u:k", VPMC_E_UNKNOWN_EVENT,
	  "modes come last and together ... :uk" },
	{ "skl", "intel", "0xc0:c=1", VPMC_E_SYNTAX, "modes" },
	{ "skl", "intel", "branches:c=1", VPMC_E_SYNTAX, "modes" },
	{ "skl", "intel", "ref-cycles:c=1", VPMC_E_SYNTAX, "only a fixed" },
	{ "skl", "intel", "inst_retired@x", VPMC_E_SYNTAX, "@" },
	{ "skl", "intel", "inst_retired@1:c=1", VPMC_E_SYNTAX, "modes" },
	{ "skl", "intel", "inst_retired:any_p@11", VPMC_E_NO_COUNTER,
	  "counter 11" },
	/* libpfm4 has no names for the Pentium. */
	{ "skl", "p5", "inst_retired", VPMC_E_UNKNOWN_EVENT, "(p5)" },
	{ "skl", "p5mmx", "inst_retired:any_p", VPMC_E_SYNTAX, "modes" },
	{ "no_such", "intel", "inst_retired", VPMC_E_UNKNOWN_EVENT,
	  "\"inst_retired\" ... libpfm4, which may have it, does not know" },
};

static void what_cannot_be_counted_is_refused_with_the_reason(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ask(bad[i].processor, parse, bad[i].pmu, bad[i].text);
		if (answer->ret != (int)bad[i].code)
			fail_msg("%s: returned %d, not %d", bad[i].text,
				 answer->ret, bad[i].code);
		check_says(answer->err.text, bad[i].words);
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
	answer->refused += event->refusal != NULL;
	if (event->refusal || answer->nr == EVENTS_MAX)
		return;
	answer->code[answer->nr] = event->info.code;
	snprintf(answer->name[answer->nr++], VPMC_EVENT_NAME_MAX, "%s",
		 event->info.name);
	if (!*event->info.description || strchr(event->info.description, '\n'))
		mark_bad(event->info.name);
}

/* Check that the library parses each name of the list, and that its code is in the list. */
static void list(const struct vpmc_pmu *pmu, const char *text)
{
	struct vpmc_event_sel sel;
	unsigned int i;

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
	answer->nr = (unsigned int)MB_CUR_MAX;
}

/* In a Turkish locale, libpfm4 would not find names with an i. */
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

/* Each row has a processor, an event of its list, and whether other events cannot be counted. */
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
	/* On these processors, UNHALTED_REFERENCE_CYCLES needs a fixed counter. */
	{ "core", "intel", "INST_RETIRED:LOADS", 0x1c0, true },
	{ "amd64_k7", "amd", "DATA_CACHE_MISSES", 0x41, false },
	{ "amd64_fam17h_zen1", "amd", "LS_DISPATCH:LD_DISPATCH", 0x129, false },
	{ "amd64_fam19h_zen4", "amd", "LS_DISPATCH:STORE_DISPATCH", 0x229,
	  false },
};

static void a_list_has_the_events_that_can_be_counted(void **state)
{
	size_t i;

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

/* These are the rules of the driver for processors that libpfm4 knows. */
static const struct rule {
	const char *processor;
	const char *pmu;
	uint32_t version;
} rules[] = {
	{ "core", "intel", 0x06f6 },
	{ "nhm", "intel", 0x106a5 },
	{ "nhm_ex", "intel", 0x206e6 },
	{ "wsm", "intel", 0x20652 },
	{ "wsm_dp", "intel", 0x206c2 },
	{ "snb", "intel", 0x206a7 },
	{ "snb_ep", "intel", 0x206d7 },
	{ "ivb", "intel", 0x306a9 },
	{ "ivb_ep", "intel", 0x306e4 },
	{ "hsw", "intel", 0x306c3 },
	{ "hsw_ep", "intel", 0x306f2 },
	{ "bdw", "intel", 0x306d4 },
	{ "bdw_ep", "intel", 0x406f1 },
	{ "skl", "intel", 0x506e3 },
	{ "skx", "intel", 0x50654 },
	{ "clx", "intel", 0x50657 },
	{ "icl", "intel", 0x706e5 },
	{ "icx", "intel", 0x606a6 },
	{ "amd64_k7", "amd", 0x0661 },
	{ "amd64_k8_revb", "amd", 0xf4a },
	{ "amd64_k8_revg", "amd", 0x60fb1 },
	{ "amd64_fam10h_barcelona", "amd", 0x100f22 },
	{ "amd64_fam10h_istanbul", "amd", 0x100f80 },
	{ "amd64_fam11h_turion", "amd", 0x200f31 },
	{ "amd64_fam12h_llano", "amd", 0x300f10 },
	{ "amd64_fam14h_bobcat", "amd", 0x500f10 },
	{ "amd64_fam15h_interlagos", "amd", 0x600f12 },
	{ "amd64_fam16h", "amd", 0x700f01 },
	{ "amd64_fam17h_zen1", "amd", 0x800f11 },
	{ "amd64_fam17h_zen2", "amd", 0x870f10 },
	{ "amd64_fam19h_zen3", "amd", 0xa20f10 },
	{ "amd64_fam19h_zen4", "amd", 0xa60f12 },
};

static void identify(const struct rule *rule)
{
	struct fake_cpuid leaves[] = {
		/* This is the vendor's name, "GenuineIntel", and below "AuthenticAMD". */
		{ 0, 0, { 1, 0x756e6547, 0x6c65746e, 0x49656e69 } },
		{ 1, 0, { rule->version } },
	};
	const uint32_t amd[4] = { 1, 0x68747541, 0x444d4163, 0x69746e65 };

	if (!strcmp(rule->pmu, "amd"))
		memcpy(leaves[0].regs, amd, sizeof(amd));
	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
}

/* Return the processor that CPUID describes. */
static struct vpmc_machine machine_of(const struct rule *rule)
{
	const unsigned int family = rule->version >> 8 & 0xf;
	struct vpmc_machine machine = {
		.family = family == 0xf ? family + (rule->version >> 20 & 0xff)
					: family,
		.model = (rule->version >> 4 & 0xf) |
			 (rule->version >> 12 & 0xf0),
	};

	snprintf(machine.vendor, sizeof(machine.vendor), "%s",
		 strcmp(rule->pmu, "amd") ? "GenuineIntel" : "AuthenticAMD");
	return machine;
}

/* Return the counters on which the driver accepts a code that needs no extra register, or 0. */
static uint32_t driver_counters(const struct rule *rule, uint64_t code)
{
	const struct vpmc_machine machine = machine_of(rule);
	uint32_t counters = 0x3f;

	if (!strcmp(rule->pmu, "amd"))
		return amd_constrain(machine.family, code, &counters)
			       ? 0
			       : counters;
	counters = 0x3;
	if (!strcmp(rule->pmu, "p6"))
		return p6_constrain(code, &counters) ? 0 : counters;
	if (code == intel_fixed[INTEL_REF_CLOCKS])
		return 1U << (8 + INTEL_REF_CLOCKS);
	counters = 0xff;
	if (intel_constrain(intel_find_uarch(machine.model), code, 8, 0,
			    &counters))
		return 0;
	return counters | intel_fixed_of(code, 3) << 8;
}

/* Each processor has more names than this. */
#define LISTED_AT_LEAST 25

static const struct rule *rule_of_list;

static void compare_with_driver(const struct vpmc_named_event *event, void *arg)
{
	const struct vpmc_pmu *pmu = arg;
	uint32_t driver;

	if (event->refusal) {
		answer->refused++;
		return;
	}
	answer->nr++;
	driver = driver_counters(rule_of_list, event->info.code);
	if (!driver || driver != vpmc_event_counters(pmu, &event->info)) {
		mark_bad(event->info.name);
		answer->code[0] = driver;
	}
}

/* Compare the library's own names on the processor that CPUID describes. */
static void compare_own(const struct vpmc_pmu *pmu, const struct rule *rule)
{
	const struct vpmc_machine machine = machine_of(rule);
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	unsigned int i;
	size_t nr;

	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--)
		assert_int_equal(vpmc_event_accepted(pmu, &machine, info),
				 driver_counters(rule, info->code));
	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++) {
		if (!generic->refusal)
			assert_int_equal(vpmc_event_accepted(pmu, &machine,
							     &generic->info),
					 driver_counters(rule,
							 generic->info.code));
	}
}

static void compare(const struct vpmc_pmu *pmu, const char *text)
{
	answer->nr = answer->refused = 0;
	answer->bad[0] = '\0';
	answer->ret = vpmc_pfm_events(pmu, compare_with_driver, (void *)pmu,
				      &answer->err);
}

/*
 * Each row has an event, and its counters in Intel's published lists (intel/perfmon, "Counter").
 * @all are the counters of a thread with Hyper-Threading. Other unit masks of the event have
 * other counters.
 */
static const struct {
	const char *processor;
	unsigned int model;
	uint64_t code;
	uint32_t all;
	uint32_t counters;
} published[] = {
	{ "sandybridge", 0x2a, 0x0148, 0xf, 0x4 },
	{ "sandybridge", 0x2a, 0x0248, 0xf, 0xf },
	{ "sandybridge", 0x2a, 0x02a3, 0xf, 0x4 },
	{ "sandybridge", 0x2a, 0x04a3, 0xf, 0xf },
	{ "haswell", 0x3c, 0x0248, 0xf, 0xf },
	{ "haswell", 0x3c, 0x0ca3, 0xf, 0x4 },
	{ "broadwell", 0x3d, 0x0148, 0xf, 0x4 },
	{ "broadwell", 0x3d, 0x0248, 0xf, 0xf },
	{ "broadwell", 0x3d, 0x08a3, 0xf, 0x4 },
	{ "broadwell", 0x3d, 0x0ca3, 0xf, 0x4 },
	{ "broadwell", 0x3d, 0x01a3, 0xf, 0xf },
	{ "broadwell", 0x3d, 0x06a3, 0xf, 0xf },
	{ "icelake", 0x7e, 0x04a3, 0xff, 0xff },
	{ "icelake", 0x7e, 0x06a3, 0xff, 0x0f },
	{ "icelake", 0x7e, 0x14a3, 0xff, 0xff },
};

static void an_event_has_the_counters_of_the_published_lists(void **state)
{
	uint32_t counters;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(published); i++) {
		counters = published[i].all;
		if (intel_constrain(intel_find_uarch(published[i].model),
				    published[i].code, 8, 0, &counters) ||
		    counters != published[i].counters)
			fail_msg("%s: 0x%" PRIx64 " is accepted on 0x%x",
				 published[i].processor, published[i].code,
				 counters);
	}
}

static void each_event_has_the_counters_that_the_driver_accepts(void **state)
{
	const struct rule p6 = { .pmu = "p6" };
	size_t i;

	/* libpfm4 does not have names for the P6. */
	compare_own(vpmc_pmu_find("p6"), &p6);
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		identify(&rules[i]);
		compare_own(vpmc_pmu_find(rules[i].pmu), &rules[i]);
		rule_of_list = &rules[i];
		ask(rules[i].processor, compare, rules[i].pmu, NULL);
		if (answer->ret)
			fail_msg("%s: %s", rules[i].processor,
				 answer->err.text);
		if (*answer->bad)
			fail_msg("%s: the driver accepts %s on 0x%" PRIx64,
				 rules[i].processor, answer->bad,
				 answer->code[0]);
		/* Check the length, because an empty list would pass without a comparison. */
		assert_true(answer->nr >= LISTED_AT_LEAST);
		print_message("%s: %u listed, %u not\n", rules[i].processor,
			      answer->nr, answer->refused);
	}
	fake->nr_cpuid = 0;
}

/* These are the counters that the list shows for each name in the answer. */
static uint32_t listed_counters[EVENTS_MAX];

/* List the events that the driver accepts, like perfex -l. */
static void keep(const struct vpmc_pmu *pmu,
		 const struct vpmc_named_event *event)
{
	const struct vpmc_machine machine = machine_of(rule_of_list);

	if (event->refusal)
		return;
	assert_true(answer->nr < EVENTS_MAX);
	listed_counters[answer->nr] =
		vpmc_event_accepted(pmu, &machine, &event->info);
	answer->code[answer->nr] = event->info.code;
	snprintf(answer->name[answer->nr++], VPMC_EVENT_NAME_MAX, "%s",
		 event->info.name);
}

static void keep_pfm(const struct vpmc_named_event *event, void *arg)
{
	keep(arg, event);
}

static void keep_all(const struct vpmc_pmu *pmu)
{
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	unsigned int i;
	size_t nr;

	answer->nr = 0;
	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++)
		keep(pmu, generic);
	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--)
		keep(pmu, &(struct vpmc_named_event){ .info = *info });
	answer->ret = vpmc_pfm_events(pmu, keep_pfm, (void *)pmu, &answer->err);
}

static bool is_first_of_its_name(unsigned int i)
{
	unsigned int j = 0;

	while (strcasecmp(answer->name[j], answer->name[i]) != 0)
		j++;
	return j == i;
}

/*
 * Return whether the name of event @i in the answer stands for this event, on this counter or on
 * any counter.
 */
static bool means(const struct vpmc_pmu *pmu, unsigned int i, int counter)
{
	char text[VPMC_EVENT_NAME_MAX + 16];
	struct vpmc_event_sel sel;

	snprintf(text, sizeof(text), counter < 0 ? "%s" : "%s@%d",
		 answer->name[i], counter);
	return !vpmc_event_parse(pmu, text, U, &sel, &answer->err) &&
	       sel.code == answer->code[i] &&
	       (counter < 0 || sel.counter == counter);
}

static void check_listed_name(const struct vpmc_pmu *pmu, unsigned int i)
{
	const uint32_t counters = listed_counters[i];
	int counter;

	if (!counters || !means(pmu, i, ANY))
		mark_bad(answer->name[i]);
	for (counter = 0; counter < VPMC_COUNTS_MAX; counter++) {
		if (counters & 1U << counter && !means(pmu, i, counter))
			mark_bad(answer->name[i]);
	}
}

/* Return the family with this number of general counters and without fixed counters. */
static const struct vpmc_pmu *pmu_of(const struct rule *rule,
				     unsigned int general)
{
	const struct vpmc_pmu *pmu;
	struct vpmc *vpmc;

	snprintf(fake->info.pmu, sizeof(fake->info.pmu), "%s", rule->pmu);
	fake->info.nr_fixed = strcmp(rule->pmu, "intel") ? 0 : 3;
	fake->info.nr_counters = general;
	vpmc = fake_open();
	pmu = vpmc_pmu_of(vpmc);
	vpmc_close(vpmc);
	return pmu;
}

static void check_list(const struct vpmc_pmu *pmu, const char *general)
{
	unsigned int i;

	pmu = pmu_of(rule_of_list, (unsigned int)strtoul(general, NULL, 10));
	answer->bad[0] = '\0';
	keep_all(pmu);
	for (i = 0; i < answer->nr; i++) {
		if (is_first_of_its_name(i))
			check_listed_name(pmu, i);
	}
}

static void check_list_of(const struct rule *rule, const char *general)
{
	identify(rule);
	rule_of_list = rule;
	ask(rule->processor, check_list, rule->pmu, general);
	fake->nr_cpuid = 0;
	/* libpfm4 does not know the P6. */
	if (answer->ret && strcmp(rule->pmu, "p6") != 0)
		fail_msg("%s: %s", rule->processor, answer->err.text);
	if (*answer->bad)
		fail_msg("%s with %s counters: %s is listed, but: %s",
			 rule->processor, general, answer->bad,
			 answer->err.text);
	assert_true(answer->nr >= LISTED_AT_LEAST);
}

/* Each name that perfex -l lists is accepted, on each counter that the list shows for it. */
static void each_listed_name_is_understood_on_its_counters(void **state)
{
	static const struct rule without_pfm[] = {
		{ "p5", "p5", 0x525 },
		{ "p5mmx", "p5mmx", 0x543 },
		{ "p6", "p6", 0x673 },
	};
	static const char *const intel[] = { "8", "4", "2", "1" };
	static const char *const amd[] = { "6", "4" };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(without_pfm); i++)
		check_list_of(&without_pfm[i], "2");
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		const bool is_amd = !strcmp(rules[i].pmu, "amd");

		for (j = 0; j < (is_amd ? ARRAY_SIZE(amd) : ARRAY_SIZE(intel));
		     j++)
			check_list_of(&rules[i], is_amd ? amd[j] : intel[j]);
	}
}

/* Each row has an event that the driver refuses on all counters, and an event that it counts. */
static const struct {
	uint32_t version;
	const char *processor;
	const char *refused;
	const char *words;
	const char *counted;
} driver_refuses[] = {
	{ 0xf4a, "amd64_k8_revb", "DRAM_ACCESSES_PAGE:HIT", "other processors",
	  "RETIRED_INSTRUCTIONS" },
	{ 0x100f22, "amd64_fam10h_barcelona", "DRAM_ACCESSES_PAGE:HIT",
	  "other processors", "RETIRED_NEAR_RETURNS" },
	{ 0x100f22, "amd64_fam10h_barcelona",
	  "READ_REQUEST_TO_L3_CACHE:ANY_READ", "other processors",
	  "RETIRED_NEAR_RETURNS" },
	{ 0x800f11, "amd64_fam17h_zen1",
	  "RETIRED_SSE_AVX_OPERATIONS:SP_MULT_FLOPS", "more registers",
	  "LS_DISPATCH:LD_DISPATCH" },
};

static bool is_in_list(const char *name)
{
	unsigned int i;

	for (i = 0; i < answer->nr; i++) {
		if (!strcmp(answer->name[i], name))
			return true;
	}
	return false;
}

static void what_the_driver_refuses_is_not_listed(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(driver_refuses); i++) {
		identify(&(struct rule){
			.pmu = "amd", .version = driver_refuses[i].version });
		ask(driver_refuses[i].processor, list, "amd", NULL);
		assert_int_equal(answer->ret, 0);
		assert_false(is_in_list(driver_refuses[i].refused));
		assert_true(is_in_list(driver_refuses[i].counted));
		ask(driver_refuses[i].processor, parse, "amd",
		    driver_refuses[i].refused);
		assert_int_equal(answer->ret, VPMC_E_UNKNOWN_EVENT);
		check_says(answer->err.text, driver_refuses[i].words);
		check_says(answer->err.text, driver_refuses[i].refused);
		/* CPUID does not name AMD as the vendor, so no event is refused. */
		fake->nr_cpuid = 0;
		ask(driver_refuses[i].processor, list, "amd", NULL);
		assert_true(is_in_list(driver_refuses[i].refused));
	}
}

/* The driver counts the event, but not on the chosen counter. */
static void a_wrong_counter_is_refused_by_the_name_that_was_given(void **state)
{
	static const char name[] = "RETIRED_INSTRUCTIONS";
	static const char wrong[] = "DISPATCHED_FPU_OPS:OPS_PIPE0@0";
	const struct rule rule = { .pmu = "amd", .version = 0x600f12 };

	identify(&rule);
	ask("amd64_fam15h_interlagos", parse, "amd", name);
	assert_int_equal(answer->ret, 0);
	ask("amd64_fam15h_interlagos", parse, "amd", wrong);
	assert_int_equal(answer->ret, VPMC_E_WRONG_COUNTER);
	check_says(answer->err.text, wrong);
	check_says(answer->err.text, "choose counter 3");
	fake->nr_cpuid = 0;
}

static void there_is_nothing_to_list_of_other_processors(void **state)
{
	ask("no_such", list, "intel", NULL);
	assert_int_equal(answer->ret, VPMC_E_UNSUPPORTED);
	check_says(answer->err.text,
		   "libpfm4, which may have more events, does not");
	ask("skl", list, "p5", NULL);
	assert_int_equal(answer->ret, 0);
	assert_int_equal(answer->nr + answer->refused, 0);
}

/* These are all processors of libpfm4 with counters that vpmc can use. */
static const struct {
	const char *pmu;
	const char *processors[32];
} families[] = {
	{ "intel",
	  { "core",   "atom", "nhm",	"nhm_ex", "wsm",     "wsm_dp", "snb",
	    "snb_ep", "ivb",  "ivb_ep", "hsw",	  "hsw_ep",  "bdw",    "bdw_ep",
	    "skl",    "skx",  "clx",	"icl",	  "icx",     "spr",    "slm",
	    "glm",    "tmt",  "knl",	"knm",	  "ix86arch" } },
	{ "amd",
	  { "amd64_k7", "amd64_k8_revb", "amd64_k8_revg",
	    "amd64_fam10h_barcelona", "amd64_fam11h_turion",
	    "amd64_fam12h_llano", "amd64_fam14h_bobcat",
	    "amd64_fam15h_interlagos", "amd64_fam16h", "amd64_fam17h_zen1",
	    "amd64_fam17h_zen2", "amd64_fam19h_zen3", "amd64_fam19h_zen4" } },
};

/*
 * Check that the library reports a name if and only if libpfm4 uses the name for a different
 * event.
 */
static void check_homonym(const struct vpmc_pmu *pmu, const char *processor,
			  const char *name)
{
	char prefixed[VPMC_EVENT_NAME_MAX], found[VPMC_EVENT_NAME_MAX] = "";
	const uint64_t homonym = vpmc_event_homonym(pmu, name, found);
	struct vpmc_event_sel own, other;
	bool differ;

	snprintf(prefixed, sizeof(prefixed), "%s::%s", processor, name);
	differ = !vpmc_event_parse(pmu, name, U, &own, NULL) &&
		 !vpmc_event_parse(pmu, prefixed, U, &other, NULL) &&
		 own.code != other.code;
	if (differ ? homonym != other.code || strcmp(found, prefixed) != 0
		   : homonym != 0)
		mark_bad(name);
	/* A name with a prefix means only one event. */
	if (vpmc_event_homonym(pmu, prefixed, found))
		mark_bad(prefixed);
	answer->nr += homonym != 0;
}

static void check_homonyms(const struct vpmc_pmu *pmu, const char *processor)
{
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	unsigned int i;
	size_t nr;

	answer->bad[0] = '\0';
	answer->nr = 0;
	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--)
		check_homonym(pmu, processor, info->name);
	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++)
		check_homonym(pmu, processor, generic->info.name);
}

static void a_name_that_libpfm4_has_for_another_event_is_told(void **state)
{
	unsigned int found = 0;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		for (j = 0; families[i].processors[j]; j++) {
			ask(families[i].processors[j], check_homonyms,
			    families[i].pmu, families[i].processors[j]);
			if (*answer->bad)
				fail_msg("%s: %s", families[i].processors[j],
					 answer->bad);
			found += answer->nr;
		}
	}
	/*
	 * Nearly all of Intel's processors have such a name for clocks. Sandy Bridge also has
	 * such a name for branches.
	 */
	assert_true(found > 10);
}

/*
 * Each row has a processor, a text, the event that libpfm4 has under that name, and its name
 * there.
 */
static const struct {
	const char *processor;
	const char *pmu;
	const char *text;
	uint32_t code;
	const char *name;
} homonyms[] = {
	{ "icl", "intel", "unhalted_reference_cycles", 0x300,
	  "icl::unhalted_reference_cycles" },
	{ "skl", "intel", "Unhalted_Reference_Cycles@1:uk", 0x300,
	  "skl::unhalted_reference_cycles" },
	{ "snb", "intel", "branch_instructions_retired:k", 0x4c4,
	  "snb::branch_instructions_retired" },
	/*
	 * With modifiers, the library takes the name from libpfm4, so the other event is the
	 * library's own.
	 */
	{ "snb", "intel", "branch_instructions_retired:c=1", 0x010000c4,
	  "0x10000c4" },
	{ "snb", "intel", "Branch_Instructions_Retired:e:c=2@1:uk", 0x020400c4,
	  "0x20400c4" },
	{ "snb", "intel", "snb::branch_instructions_retired:c=1", 0, "" },
	{ "snb", "intel", "branch_instructions_retired:all_branches", 0, "" },
	{ "snb", "intel", "branch_instructions_retired:all_branches:c=1", 0,
	  "" },
	{ "skl", "intel", "branch_instructions_retired:c=1", 0, "" },
	{ "skl", "intel", "unhalted_reference_cycles:c=1", 0, "" },
	{ "skl", "intel", "unhalted_core_cycles:c=1", 0, "" },
	{ "skl", "intel", "branch_instructions_retired", 0, "" },
	{ "skl", "intel", "0x13c", 0, "" },
	{ "skl", "intel", "ref-cycles", 0, "" },
	{ "skl", "intel", "no_such", 0, "" },
	{ "amd64_fam17h_zen1", "amd", "retired_instructions", 0, "" },
	{ "skl", "p5", "data_read", 0, "" },
};

static void look_for_homonym(const struct vpmc_pmu *pmu, const char *text)
{
	answer->name[0][0] = '\0';
	answer->code[0] = vpmc_event_homonym(pmu, text, answer->name[0]);
	if (!answer->code[0])
		answer->name[0][0] = '\0';
}

static void the_other_event_has_the_name_of_its_pmu(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(homonyms); i++) {
		ask(homonyms[i].processor, look_for_homonym, homonyms[i].pmu,
		    homonyms[i].text);
		assert_int_equal(answer->code[0], homonyms[i].code);
		assert_string_equal(answer->name[0], homonyms[i].name);
	}
}

static void let_perfex_warn(const struct vpmc_pmu *pmu, const char *text)
{
	int to[2];
	ssize_t length;

	answer->err.text[0] = '\0';
	if (pipe(to) || dup2(to[1], STDERR_FILENO) < 0)
		return;
	warn_of_homonym("", pmu, text);
	warn_of_homonym("", pmu, "0xc4");
	length = read(to[0], answer->err.text, sizeof(answer->err.text) - 1);
	answer->err.text[length > 0 ? length : 0] = '\0';
}

static void perfex_names_the_event_of_the_table_by_its_code(void **state)
{
	ask("snb", let_perfex_warn, "intel",
	    "Branch_Instructions_Retired:e:c=2@1:uk");
	assert_string_equal(
		answer->err.text,
		"perfex: event \"Branch_Instructions_Retired:e:c=2@1:uk\" is"
		" counted as 0x20404c4, but vpmc itself has 0x20400c4 under"
		" that name: write 0x20400c4 to count that one, or 0x20404c4"
		" to count this one without a warning\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_code_has_no_more_than_what_is_the_callers),
	cmocka_unit_test(what_cannot_be_counted_is_refused_with_the_reason),
	cmocka_unit_test(a_list_has_the_events_that_can_be_counted),
	cmocka_unit_test(what_the_driver_refuses_is_not_listed),
	cmocka_unit_test(a_wrong_counter_is_refused_by_the_name_that_was_given),
	cmocka_unit_test(an_event_has_the_counters_of_the_published_lists),
	cmocka_unit_test(each_event_has_the_counters_that_the_driver_accepts),
	cmocka_unit_test(each_listed_name_is_understood_on_its_counters),
	cmocka_unit_test(there_is_nothing_to_list_of_other_processors),
	cmocka_unit_test(a_name_that_libpfm4_has_for_another_event_is_told),
	cmocka_unit_test(the_other_event_has_the_name_of_its_pmu),
	cmocka_unit_test(perfex_names_the_event_of_the_table_by_its_code),
	cmocka_unit_test(libpfm4_works_in_the_locale_of_its_names),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, share_answer, drop_answer);
}
