// SPDX-License-Identifier: GPL-2.0-only
/* See options_check.h. */
#include "options_check.h"

#include <string.h>

#include "screen.h"
#include "statistics.h"

/* How long an interval of --live is if nothing is said. */
#define LIVE_MS 1000

static int usage_error(const char *sentence)
{
	complain("%s (perfex -h shows how)", sentence);
	return PERFEX_USAGE;
}

/* Is there an option that only --system has? */
static bool is_of_system(const struct options *options)
{
	return options->cpu != VPMC_EVERY_CPU;
}

/* Is there an option that --system does not have? */
static bool is_of_process(const struct options *options)
{
	return options->nr_pids || options->for_ms || options->all ||
	       options->alone || options->processes || options->multiplex;
}

/* Is the count started or stopped while it lasts? */
static bool is_in_parts(const struct options *options)
{
	return options->control || options->signals || options->start_stopped ||
	       options->delay_ms;
}

bool describes_only(const struct options *options)
{
	return options->list || options->list_groups || options->info;
}

/* Regions are of a command, and need exact counts. */
static int check_regions(const struct options *options)
{
	if (describes_only(options) || options->system || options->nr_pids ||
	    options->multiplex || options->format != FORMAT_TEXT)
		return usage_error("--regions cannot be combined with -l, -i,"
				   " -p, -t, --system, --multiplex, --csv,"
				   " --json, --openmetrics or --prometheus");
	return 0;
}

/* It is of the regions of one run. */
static int check_timeline(const struct options *options)
{
	if (describes_only(options) || options->system || options->nr_pids ||
	    options->multiplex || options->runs || options->exactly ||
	    options->separator)
		return usage_error(
			"--timeline cannot be combined with -l, -i,"
			" -p, -t, -r, --compare, --multiplex, --runs or"
			" --system");
	return 0;
}

/* How a count is reported. */
static bool is_of_report(const struct options *options)
{
	return options->output || options->append || options->resources ||
	       options->strict || options->status_file ||
	       options->interval_ms || options->live ||
	       options->format != FORMAT_TEXT;
}

static int check_no_count(const struct options *options)
{
	if (options->nr_events || options->nr_groups || is_of_report(options))
		return usage_error("-l, -i and -g help cannot be combined with"
				   " -e, -o, other groups, --append, --csv,"
				   " --interval, --json, --live,"
				   " --openmetrics, --prometheus,"
				   " --status-file, --strict or --times");
	if (options->command[0] && options->list_groups)
		return usage_error("-g help cannot be combined with a command");
	if (options->command[0] && !options->list)
		return usage_error("-i cannot be combined with a command");
	if (is_of_process(options))
		return usage_error("-l and -i cannot be combined with -a, -m,"
				   " -n, -p, -t, --for or --multiplex");
	if (options->system || options->force || is_of_system(options))
		return usage_error("-l and -i cannot be combined with"
				   " --system or its options");
	return 0;
}

static int check_system(struct options *options)
{
	if (is_of_process(options))
		return usage_error("--system cannot be combined with -a, -m,"
				   " -n, -p, -t, --for or --multiplex");
	options->modes |= VPMC_KERNEL;
	return 0;
}

/* Counting a command, or with -p a process. */
static int check_process(const struct options *options)
{
	if (is_of_system(options))
		return usage_error("--cpu needs --system");
	if (options->alone && (options->all || options->processes))
		return usage_error("-n cannot be combined with -a or -m");
	if (options->thread && options->nr_pids > 1)
		return usage_error("-t cannot be combined with -p: count"
				   " processes, or one thread");
	if (options->nr_pids)
		return options->command[0]
			       ? usage_error("-p cannot be combined with a"
					     " command")
			       : 0;
	if (!options->command[0])
		return usage_error("give a command to count, or a process with"
				   " -p");
	return 0;
}

/* Each run is a whole one, of a command, and has some of the events. */
static int check_exactly(const struct options *options)
{
	if (options->exactly &&
	    (options->system || options->nr_pids || options->processes ||
	     options->regions || options->multiplex || options->interval_ms ||
	     describes_only(options)))
		return usage_error(
			"--runs cannot be combined with -i, -l, -m,"
			" -p, -t, --interval, --multiplex, --regions or"
			" --system");
	return 0;
}

/* There is one list, and one region, of each run. */
static int check_runs(const struct options *options)
{
	if (options->warmups && !options->runs && !options->exactly &&
	    !options->separator)
		return usage_error("--warmup needs -r, --runs or --compare");
	if (options->confidence != CONFIDENCE && !options->runs)
		return usage_error("--confidence needs -r");
	if (options->runs &&
	    (options->system || options->nr_pids || options->processes ||
	     options->regions || describes_only(options)))
		return usage_error(
			"-r cannot be combined with -i, -l, -m, -p, -t,"
			" --regions or --system");
	return 0;
}

/* The runs of a command are compared with those of another one, from begin to end. */
static int check_compare(const struct options *options)
{
	if (options->separator &&
	    (options->system || options->nr_pids || options->processes ||
	     options->regions || options->interval_ms ||
	     describes_only(options)))
		return usage_error("--compare cannot be combined with -i, -l,"
				   " -m, -p, -t, --interval, --regions or"
				   " --system");
	return 0;
}

/* It shows several numbers of an event. */
static int check_plot(const struct options *options)
{
	if (options->plot &&
	    (describes_only(options) ||
	     (!options->runs && !options->separator && !options->interval_ms)))
		return usage_error("--plot needs -r, --compare or --interval");
	return 0;
}

/* They belong to the runs of a command that is counted. */
static int check_around(const struct options *options)
{
	if ((options->before || options->after) &&
	    (options->system || !options->command[0] ||
	     describes_only(options)))
		return usage_error("--pre and --post need a command that is"
				   " counted, without --system");
	return 0;
}

/* What the lists, the regions and each of several runs have are of all the time. */
static int check_parts(const struct options *options)
{
	if (!is_in_parts(options))
		return 0;
	if (describes_only(options) || options->system || options->processes ||
	    options->regions || options->timeline || options->runs ||
	    options->exactly || options->separator)
		return usage_error(
			"--control, --delay, --signals and"
			" --start-stopped cannot be combined with -i,"
			" -l, -m, -r, --compare, --regions, --runs,"
			" --system or --timeline");
	if (options->start_stopped && options->delay_ms)
		return usage_error("--start-stopped and --delay cannot be"
				   " combined: give one of them");
	if (options->start_stopped && !options->control && !options->signals)
		return usage_error("--start-stopped needs --control or"
				   " --signals, to start the count");
	return 0;
}

/*
 * What a process had counted comes to its parent as a whole, when that waits for it: it
 * would be in the wrong part, and be there twice if both are counted by themselves.
 */
static int check_processes(struct options *options)
{
	if (options->nr_pids > 1 && options->processes)
		return usage_error("-m cannot be combined with several"
				   " processes");
	if ((options->nr_pids > 1 || is_in_parts(options)) && !options->alone &&
	    !options->thread)
		options->all = true;
	return 0;
}

static int check_append(const struct options *options)
{
	if (options->append &&
	    (!options->output || !strcmp(options->output, "-")))
		return usage_error("--append needs -o with a FILE");
	return 0;
}

/* What is projected can become less, and a counter cannot. */
static int check_exposition(const struct options *options)
{
	if (is_exposition(options->format) &&
	    (options->append || options->multiplex || options->processes ||
	     options->resources || options->runs || options->exactly ||
	     options->separator || options->nr_pids > 1))
		return usage_error("--openmetrics and --prometheus cannot be"
				   " combined with -m, -r, --append,"
				   " --compare, --multiplex, --runs, --times or"
				   " several processes");
	return 0;
}

static int check_live(struct options *options)
{
	if (!options->live)
		return 0;
	if (options->processes || options->runs || options->exactly ||
	    options->regions || options->separator || options->plot)
		return usage_error("--live cannot be combined with -m, -r,"
				   " --compare, --plot, --regions or --runs");
	if (!has_curses()) {
		complain("--live needs ncurses, and this perfex was built"
			 " without: build it where libncurses-dev is"
			 " installed, or use --interval");
		return PERFEX_USAGE;
	}
	if (!options->interval_ms)
		options->interval_ms = LIVE_MS;
	return 0;
}

static int check_report(const struct options *options)
{
	if (options->interval_ms &&
	    (options->runs || options->processes || options->regions))
		return usage_error("--interval cannot be combined with -m, -r"
				   " or --regions");
	if (check_append(options))
		return PERFEX_USAGE;
	if (options->resources && !options->command[0])
		return usage_error("--times needs a command");
	return 0;
}

/* It counts nothing, and has reports in place of a command. */
static int check_merge(const struct options *options)
{
	if (describes_only(options) || options->nr_events ||
	    options->nr_groups || is_of_process(options) || options->system ||
	    is_of_system(options) || options->force ||
	    options->modes != VPMC_USER || options->resources ||
	    options->strict || options->interval_ms || options->exactly ||
	    options->runs || options->warmups || options->regions ||
	    options->confidence != CONFIDENCE || options->timeline ||
	    options->before || options->after || options->separator ||
	    options->plot || options->live || is_exposition(options->format) ||
	    is_in_parts(options))
		return usage_error("--merge goes with -o, --append, --csv,"
				   " --json and --status-file alone");
	if (!options->command[0])
		return usage_error("give the reports to merge after --merge");
	return check_append(options);
}

int check_options(struct options *options)
{
	int status;

	if (options->merge)
		return check_merge(options);
	if ((options->regions && check_regions(options)) ||
	    (options->timeline && check_timeline(options)) ||
	    check_runs(options) || check_exactly(options) ||
	    check_around(options) || check_compare(options) ||
	    check_plot(options) || check_parts(options))
		return PERFEX_USAGE;
	if (describes_only(options))
		return check_no_count(options);
	status = options->system ? check_system(options)
				 : check_process(options);
	if (!status && !options->system)
		status = check_processes(options);
	if (!status)
		status = check_report(options);
	if (!status)
		status = check_exposition(options);
	return status ? status : check_live(options);
}
