// SPDX-License-Identifier: GPL-2.0-only
/* Print the page of results of the self-test. */
#include "self_test/page.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "self_test/errata.h"

/* Words at the beginning of a line have this width. */
#define WORD 11

#define LINE_MAX_CPUINFO 256

static const char *const outcomes[NR_OUTCOMES] = {
	[CHECK_FAILED] = "FAILED",	   [CHECK_KNOWN] = "known",
	[CHECK_PASSED] = "passed",	   [CHECK_NOT_HERE] = "not here",
	[CHECK_NOT_JUDGED] = "not judged",
};

static void print_property(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%-*s %s\n", WORD, name, value);
}

/* Print the revision of the microcode, if the kernel knows it. */
static void print_microcode(FILE *out)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[LINE_MAX_CPUINFO], revision[32];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "microcode : %31s", revision) == 1) {
			print_property(out, "microcode", revision);
			break;
		}
	}
	if (file)
		fclose(file);
}

static void print_kernel(FILE *out)
{
	struct utsname name;

	if (!uname(&name))
		fprintf(out, "%-*s %s %s, perfex of %zu bits\n", WORD, "kernel",
			name.release, name.machine, 8 * sizeof(void *));
}

static void print_bench(FILE *out, const struct bench *bench)
{
	const struct vpmc_machine *machine = &bench->machine;

	fprintf(out, "%-*s %s family %u model %u stepping %u%s\n", WORD,
		"processor", machine->vendor, machine->family, machine->model,
		machine->stepping, machine->emulated ? ", emulated" : "");
	print_microcode(out);
	fprintf(out, "%-*s %d, of which perfex may use %d\n", WORD,
		"processors", (int)sysconf(_SC_NPROCESSORS_ONLN),
		CPU_COUNT(&bench->cpus));
	fprintf(out, "%-*s %s: %u of %u bits and %u fixed; RDPMC: %s\n", WORD,
		"counters", machine->pmu, machine->counters,
		machine->counter_bits, machine->fixed,
		machine->map ? "in user mode" : "no");
	print_kernel(out);
	fprintf(out, "%-*s vpmc, version %u of its interface; perfex %s\n",
		WORD, "driver", machine->abi, VPMC_VERSION);
}

static void print_check(FILE *out, const struct check *check,
			const struct verdict *verdict)
{
	fprintf(out, "%-*s %-12s %s: %s\n", WORD, outcomes[verdict->outcome],
		check->name, check->rule, verdict->detail);
	if (verdict->outcome == CHECK_FAILED)
		fprintf(out, "%-*s %s\n", WORD, "", check->failure);
}

static void print_errata(FILE *out, const struct vpmc_machine *machine)
{
	size_t i;

	for (i = 0; i < nr_errata; i++) {
		if (has_erratum(machine, &errata[i]))
			fprintf(out, "%-*s %s\n%-*s (%s)\n", WORD, "erratum",
				errata[i].text, WORD, "", errata[i].source);
	}
}

static void print_sum(FILE *out, const struct verdict verdicts[NR_CHECKS])
{
	unsigned int sum[NR_OUTCOMES] = { 0 };
	size_t i;

	for (i = 0; i < NR_CHECKS; i++)
		sum[verdicts[i].outcome]++;
	fprintf(out,
		"# %u passed, %u failed, %u known, %u not judged, %u not here\n",
		sum[CHECK_PASSED], sum[CHECK_FAILED], sum[CHECK_KNOWN],
		sum[CHECK_NOT_JUDGED], sum[CHECK_NOT_HERE]);
}

void print_page(FILE *out, const struct bench *bench,
		const struct verdict verdicts[NR_CHECKS])
{
	size_t i;

	print_bench(out, bench);
	print_errata(out, &bench->machine);
	fputc('\n', out);
	for (i = 0; i < NR_CHECKS; i++)
		print_check(out, &checks[i], &verdicts[i]);
	fputc('\n', out);
	print_sum(out, verdicts);
}
