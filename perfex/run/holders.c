// SPDX-License-Identifier: GPL-2.0-only
/* List the processes that have the counters, and take the counters away from them. */
#include "run/holders.h"

#include <stdlib.h>
#include <string.h>

#include "util/lease.h"

#define HOLDERS	 "/sys/class/misc/vpmc/holders"
#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"

/* A line of the file has at most this many bytes. */
#define LINE_MAX_HOLDERS 200

/* Print one line of the file: number, user, state, seconds, name. See vpmc(4). */
static void print_holder(FILE *out, char *line)
{
	const char *word[4];
	char *rest = line;
	size_t i;

	line[strcspn(line, "\n")] = '\0';
	for (i = 0; i < 4; i++)
		word[i] = strsep(&rest, " ");
	if (!rest)
		return;
	if (!strcmp(word[2], "more"))
		fprintf(out, "holder      and %s others\n", word[3]);
	else if (!strcmp(word[2], "system"))
		fprintf(out, "holder      system mode\n");
	else if (!strcmp(word[0], "0"))
		fprintf(out,
			"holder      a page of uid %s in memory whose process is gone\n",
			word[1]);
	else
		fprintf(out,
			"holder      pid %s uid %s %s, started %s s ago: %s\n",
			word[0], word[1], word[2], word[3], rest);
}

/* Return whether the number in a file of the kernel is not 0. Returns false without the file. */
static bool is_set(const char *path)
{
	FILE *file = fopen(path, "re");
	int first;

	if (!file)
		return false;
	first = fgetc(file);
	fclose(file);
	return first > '0' && first <= '9';
}

/*
 * Print that the watchdog is switched on but does not run, because processes have the counters. If
 * counters are leased, the watchdog has one of perf_event's.
 */
static void print_watchdog(FILE *out)
{
	if (is_set(WATCHDOG) && !leased_counters())
		fprintf(out, "watchdog    is switched on and does not run: the"
			     " counters are taken (perfex --release takes them"
			     " and starts it)\n");
}

void print_holders(FILE *out)
{
	FILE *file = fopen(HOLDERS, "re");
	char line[LINE_MAX_HOLDERS];
	bool any = false;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		print_holder(out, line);
		any = true;
	}
	fclose(file);
	if (any)
		print_watchdog(out);
}

int release_counters(struct vpmc *vpmc)
{
	struct vpmc_error err;

	if (vpmc_release(vpmc, &err))
		return complain_vpmc(&err);
	return EXIT_SUCCESS;
}
