// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfex: run a command and count its hardware events. See perfex(1).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "process.h"
#include "records.h"
#include "regions.h"
#include "result.h"
#include "system_mode.h"

static int describe(struct vpmc *vpmc, const struct options *options)
{
	struct vpmc_machine machine;
	struct vpmc_error err;

	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	if (options->info)
		print_machine(stdout, &machine);
	if (options->list)
		print_events(stdout, vpmc_pmu_of(vpmc), &machine);
	if (fflush(stdout) || ferror(stdout)) {
		complain("cannot write to standard output: %s",
			 strerror(errno));
		return PERFEX_OUTPUT;
	}
	return EXIT_SUCCESS;
}

/* The option for what libvpmc calls letting events share counters. */
static const char *sharing_hint(const struct vpmc_error *err,
				const struct options *options)
{
	if (options->multiplex || options->system)
		return "";
	return err->code == VPMC_E_TOO_MANY || err->code == VPMC_E_COUNTER_TAKEN
		       ? " (perfex --multiplex)"
		       : "";
}

/* Where the driver chooses, they may. */
static bool share_counters(const struct events *events, bool may)
{
	uint32_t taken = 0;
	size_t i;

	for (i = 0; i < events->nr; i++) {
		if (events->sel[i].counter == VPMC_ANY_COUNTER)
			return may;
		if (taken & 1U << events->sel[i].counter)
			return true;
		taken |= 1U << events->sel[i].counter;
	}
	return false;
}

/* The default is not the user's word for it, so the report has the table's. */
static int parse_event(const struct options *options, struct events *events,
		       size_t i, struct vpmc_error *err)
{
	int ret = vpmc_event_parse(events->pmu, options->events[i],
				   options->modes, &events->sel[i], err);

	events->name[i][0] = '\0';
	if (ret || options->by_default)
		return ret;
	return vpmc_event_name(events->pmu, options->events[i], events->name[i],
			       err);
}

static int choose_events(struct vpmc *vpmc, const struct options *options,
			 struct events *events)
{
	struct vpmc_error err;
	size_t i;
	int ret;

	events->pmu = vpmc_pmu_of(vpmc);
	events->nr = options->nr_events;
	for (i = 0; i < events->nr; i++) {
		if (parse_event(options, events, i, &err))
			return complain_vpmc(&err);
	}
	ret = options->multiplex
		      ? vpmc_event_distribute(events->pmu, events->sel,
					      events->nr, &err)
		      : vpmc_event_assign(events->pmu, events->sel, events->nr,
					  &err);
	if (ret)
		return complain_hint(&err, sharing_hint(&err, options));
	events->shared = share_counters(events, options->multiplex);
	return 0;
}

/* Takes the records of the threads that have ended, repeatedly. */
static int record_command(struct vpmc *vpmc, pid_t pid, struct records *records)
{
	int status = 0;

	while (!status && !wait_for_command(pid, RECORDS_MS))
		status = take_records(vpmc, records);
	return status;
}

static int count_command(struct vpmc *vpmc, const struct events *events,
			 const struct options *options, FILE *out)
{
	struct records records = { .nr = 0 };
	int regions = -1;
	int status, failure = 0;
	pid_t pid;

	if (options->regions) {
		status = collect_regions(&regions);
		if (status)
			return status;
	}
	pid = start_command(vpmc, events, start_flags(options),
			    options->command, &status);
	if (pid >= 0) {
		if (options->processes)
			failure = record_command(vpmc, pid, &records);
		status = finish_command(pid);
		if (!failure && options->regions)
			failure = print_regions(out, regions, events,
						options->raw);
		if (!failure)
			failure = report_result(vpmc, options, events, &records,
						out);
	}
	if (options->regions)
		discard_regions(regions);
	free(records.record);
	return failure ? failure : status;
}

static int count(struct vpmc *vpmc, const struct options *options)
{
	struct events events;
	FILE *out = stderr;
	int status;

	status = choose_events(vpmc, options, &events);
	if (status)
		return status;

	/* Opened before the command runs, so that a bad FILE loses no counts. */
	if (options->output)
		out = fopen(options->output, "we");
	if (!out)
		return complain_output(options->output);

	if (options->system)
		status = count_system(vpmc, &events, options, out);
	else if (options->pid)
		status = count_process(vpmc, &events, options, out);
	else
		status = count_command(vpmc, &events, options, out);
	if (out != stderr)
		fclose(out);
	return status;
}

int main(int argc, char **argv)
{
	struct options options = { .modes = VPMC_USER, .cpu = VPMC_EVERY_CPU };
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	status = parse_options(&options, argc, argv);
	if (status)
		return status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	if (options.list || options.info)
		status = describe(vpmc, &options);
	else
		status = count(vpmc, &options);
	vpmc_close(vpmc);
	return status;
}
