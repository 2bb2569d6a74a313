// SPDX-License-Identifier: GPL-2.0-only
/* Run a command and count its hardware events, as perfex(1) describes. */
#include "cli/options.h"
#include "cli/options_check.h"
#include "cli/status_file.h"
#include "command.h"
#include "events/events.h"
#include "events/group_file.h"
#include "events/list.h"
#include "live/live.h"
#include "merge/merge.h"
#include "merge/merge_files.h"
#include "modes/attach_mode.h"
#include "modes/cgroup_mode.h"
#include "modes/optional.h"
#include "modes/system_mode.h"
#include "profile/profile.h"
#include "report/plot.h"
#include "run/address_layout.h"
#include "run/holders.h"
#include "run/result.h"
#include "self_test/self_test.h"
#include "util/perf_hint.h"
#include "util/stream.h"

static int list_events(const struct options *options,
		       const struct vpmc_pmu *pmu,
		       const struct vpmc_machine *machine)
{
	if (print_events(stdout, pmu, machine, options->request.count.modes,
			 options->request.count.command)) {
		printf("# the events are those of this processor (%s)\n",
		       vpmc_pmu_name(pmu));
		return finish_stdout();
	}
	complain("no event has \"%s\" in its name or description (perfex -l"
		 " lists all)",
		 options->request.count.command[0]);
	return PERFEX_UNKNOWN_EVENT;
}

static int list_all_groups(const struct vpmc_pmu *pmu)
{
	list_groups(stdout, pmu);
	return finish_stdout();
}

static int describe(struct vpmc *vpmc, const struct options *options)
{
	struct vpmc_machine machine;
	struct vpmc_error err;

	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	if (options->info) {
		print_machine(stdout, &machine);
		print_holders(stdout);
	}
	if (options->list_groups)
		return list_all_groups(vpmc_pmu_of(vpmc));
	return options->list ? list_events(options, vpmc_pmu_of(vpmc), &machine)
			     : finish_stdout();
}

/* Describe events without a driver, because their names are known without it. */
static int describe_without_driver(const struct options *options,
				   const struct vpmc_error *err)
{
	const struct vpmc_pmu *pmu = NULL;
	struct vpmc_machine machine;

	if ((options->list || options->list_groups) && !options->info)
		pmu = vpmc_pmu_here(&machine);
	if (!pmu)
		return complain_vpmc(err);
	printf("# without a driver: properties from CPUID of this processor"
	       " (%s)\n",
	       vpmc_pmu_name(pmu));
	return options->list_groups ? list_all_groups(pmu)
				    : list_events(options, pmu, &machine);
}

static int count_target(struct vpmc *vpmc, const struct events *events,
			const struct request *request, struct output *output,
			struct command *command)
{
	/* Samples belong to processes, so those of the whole system are those of a cgroup. */
	if (request->count.system && !request->count.profile)
		return count_system(vpmc, events, request, output, command);
	if (request->count.system || request->count.cgroup)
		return count_cgroup(vpmc, events, request, output, command);
	if (request->count.nr_pids)
		return count_processes(events, request, output);
	return count_command(vpmc, events, request, output, command);
}

/*
 * Count, and write a last exposition after a failure, so that monitoring does not take the
 * last counts for current ones.
 */
static int count_to(struct vpmc *vpmc, const struct events *events,
		    const struct request *request, struct output *output,
		    struct command *command)
{
	struct report report = report_of_lost(&request->count);
	int status = count_target(vpmc, events, request, output, command);

	if (status == PERFEX_INVALID && output->is_begun &&
	    is_exposition(output->format))
		write_report(output, &report);
	return status;
}

static int count_live(struct vpmc *vpmc, const struct events *events,
		      const struct request *request, struct output *output,
		      struct command *command)
{
	struct live live;
	int status = open_live(&live, events, request);

	if (status)
		return status;
	output->live = &live;
	status = count_to(vpmc, events, request, output, command);
	close_live(&live);
	return status;
}

static int count_and_plot(struct vpmc *vpmc, const struct events *events,
			  const struct request *request, struct output *output,
			  struct command *command)
{
	struct plot plot;
	int status, failure;

	status = open_plot(&plot, request, output);
	if (status)
		return status;
	status = count_to(vpmc, events, request, output, command);
	failure = close_plot(&plot);
	return status ? status : failure;
}

/*
 * Count events. The output is opened before the command runs, so that no counts are lost if
 * FILE cannot be opened.
 */
static int count_events(struct vpmc *vpmc, const struct events *events,
			const struct request *request,
			const struct output *beside, struct command *command)
{
	struct output output;
	int status, failure;

	status = open_report_output(&output, &request->report, beside);
	if (status)
		return status;
	status = request->report.live
			 ? count_live(vpmc, events, request, &output, command)
			 : count_and_plot(vpmc, events, request, &output,
					  command);
	if (goes_uncounted(request, command, status))
		status = run_uncounted(request, &output, command, status);
	failure = close_output(&output);
	return status ? status : failure;
}

static int count(struct vpmc *vpmc, const struct request *request,
		 const struct output *beside, struct command *command)
{
	static struct metrics metrics;
	static struct events events;
	int status = request->count.fixed_layout ? fix_layout() : 0;
	size_t i;

	for (i = 0; !status && i < request->count.nr_groups; i++)
		status = load_group(&metrics, vpmc_pmu_of(vpmc),
				    request->count.groups[i]);
	if (!status)
		status =
			choose_events(vpmc, &request->count, &metrics, &events);
	if (!status)
		status = count_events(vpmc, &events, request, beside, command);
	free_groups(&metrics);
	/* The events are now invalid, so make the library forget them. */
	vpmc_event_call(NULL, NULL, 0);
	return status;
}

/* Run perfex. The caller has opened the output of the status, which may be NULL. */
static int run(const struct options *options, const struct output *beside,
	       struct command *command)
{
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	if (options->self_test)
		return self_test(options->self_test);
	if (options->merge && options->request.count.profile)
		return merge_profiles(&options->request, beside);
	if (options->merge)
		return merge_reports(&options->request, beside);
	if (vpmc_open(&vpmc, &err))
		return describe_without_driver(options, &err);
	if (options->release)
		status = release_counters(vpmc);
	else if (describes_only(options))
		status = describe(vpmc, options);
	else
		status = count(vpmc, &options->request, beside, command);
	vpmc_close(vpmc);
	return status;
}

static int run_even_uncounted(const struct options *options,
			      const struct output *beside,
			      struct command *command)
{
	const int status = run(options, beside, command);

	return goes_uncounted(&options->request, command, status)
		       ? open_and_run_uncounted(&options->request, beside,
						command, status)
		       : status;
}

static int run_with_status(const struct options *options,
			   struct command *command)
{
	struct output output;
	int status, failure;

	status = open_output(&output, options->request.report.status_file,
			     "--status-file", false, FORMAT_TEXT, NULL);
	if (status)
		return status;
	status = run_even_uncounted(options, &output, command);
	failure = write_status(&output, command,
			       status ? status : command->uncounted);
	if (!failure)
		failure = close_output(&output);
	return status ? status : failure;
}

/*
 * Return the exit status, and print a hint for users of perf: "perfex stat" executes a program
 * stat, which its user seldom wants.
 */
static int exit_status_with_hint(const struct options *options,
				 const struct command *command)
{
	const int status = exit_status(command);

	if (status && is_subcommand(options->request.count.command[0]))
		complain("the program \"%s\" was counted, because perfex does"
			 " not have subcommands: leave the word out if you mean"
			 " the command after it",
			 options->request.count.command[0]);
	return status;
}

int main(int argc, char **argv)
{
	/* The stack can be as small as 64 KB (ulimit -s), and the large structures are not on it. */
	static struct options options = {
		.request.count = { .modes = VPMC_USER, .cpu = VPMC_EVERY_CPU }
	};
	struct command command = { .has_ended = false };
	int status;

	status = parse_options(&options, argc, argv);
	if (!status && options.merge)
		status = check_merge_files(&options.request);
	if (status)
		return status;
	status = options.request.report.status_file
			 ? run_with_status(&options, &command)
			 : run_even_uncounted(&options, NULL, &command);
	if (status || !command.has_ended)
		return status;
	return exit_status_with_hint(&options, &command);
}
