// SPDX-License-Identifier: GPL-2.0-only
/* Print the report as an OpenMetrics exposition, with the families that perfex(1) lists. */
#include "report/openmetrics.h"

#include <inttypes.h>
#include <limits.h>

#include "report/json.h"
#include "report/metric_value.h"
#include "report/sample_labels.h"
#include "run/per_cpu.h"
#include "run/present_rusage.h"
#include "stats/event_value.h"
#include "util/clock.h"

/*
 * Any name of a file or a metric fits into this many bytes after vpmc_escape(), so that names are
 * never cut off and stay different.
 */
#define VALUE_MAX (4 * PATH_MAX + 1)

/**
 * struct family - a family: all metrics of one name
 * @name: its name, without the suffix that counters have
 * @is_counter: true for a counter, false for a gauge
 * @of_usage: true if the family is present only with --faults
 * @help: its description
 * @print: function that prints its samples
 */
struct family {
	const char *name;
	bool is_counter;
	bool of_usage;
	const char *help;
	void (*print)(FILE *out, const char *name, const struct report *report);
};

static void print_label(FILE *out, char separator, const struct label *label)
{
	char value[VALUE_MAX];

	vpmc_escape(label->value, value, sizeof(value));
	fprintf(out, "%c%s=", separator, label->name);
	/* Quotes and backslashes are written as in JSON. */
	print_json_string(out, value);
}

/*
 * Print the beginning of a line: the name, the labels of @label up to a label without a name, the
 * process or command, and the label of the exposition.
 */
static void begin_sample(FILE *out, const char *name, const struct label *label,
			 const struct report *report)
{
	struct label whose = { .name = "command", .value = report->program };
	const struct label output = { "output", report->output };
	char number[16], separator = '{';

	fputs(name, out);
	for (; label->name; label++) {
		print_label(out, separator, label);
		separator = ',';
	}
	if (report->pid || report->tid) {
		snprintf(number, sizeof(number), "%d",
			 report->pid ? report->pid : report->tid);
		whose = (struct label){ .name = report->pid ? "pid" : "tid",
					.value = number };
	}
	if (whose.value) {
		print_label(out, separator, &whose);
		separator = ',';
	}
	if (output.value && *output.value) {
		print_label(out, separator, &output);
		separator = ',';
	}
	fputs(separator == '{' ? " " : "} ", out);
}

static bool is_without_counts(const struct report *report)
{
	return report->is_lost || report->is_uncounted;
}

static const struct label no_labels[] = { { NULL, NULL } };

static void print_counting(FILE *out, const char *name,
			   const struct report *report)
{
	begin_sample(out, name, no_labels, report);
	fprintf(out, "%d\n", !report->is_last && !is_without_counts(report));
}

static void print_elapsed(FILE *out, const char *name,
			  const struct report *report)
{
	begin_sample(out, name, no_labels, report);
	fprintf(out, "%" PRIu64 ".%03" PRIu64 "\n",
		report->counted_us / US_PER_S,
		report->counted_us / 1000 % 1000);
}

/* Print the labels of an event, and @more unless it has no name. */
static void begin_event(FILE *out, const char *name,
			const struct report *report, size_t i,
			struct label more)
{
	char modes[EVENT_MODES_MAX];
	struct label labels[DISTINCT_MAX + 4] = {
		{ "event", event_title(report->events, i) },
		{ "mode", event_modes(report->events, i, modes) },
	};
	struct distinct distinct;
	size_t nr = 2, j;

	distinguish_event(report->events, i, &distinct);
	for (j = 0; j < distinct.nr; j++)
		labels[nr++] = distinct.label[j];
	labels[nr] = more;
	begin_sample(out, name, labels, report);
}

static void print_cpus(FILE *out, const char *name, const struct report *report,
		       size_t i)
{
	const struct cpus *cpus = report->cpus;
	char number[16];
	size_t j;

	for (j = 0; j < cpus->nr; j++) {
		snprintf(number, sizeof(number), "%d", cpus->cpu[j].number);
		begin_event(out, name, report, i,
			    (struct label){ "cpu", number });
		fprintf(out, "%" PRIu64 "\n", cpus->cpu[j].count[i]);
	}
}

static void print_event_counts(FILE *out, const char *name,
			       const struct report *report)
{
	struct figure figure;
	size_t i;

	for (i = 0; i < report->events->nr; i++) {
		figure = figure_of_whole(report, i);
		if (figure.missing)
			continue;
		if (report->cpus) {
			print_cpus(out, name, report, i);
			continue;
		}
		begin_event(out, name, report, i, *no_labels);
		fprintf(out, "%" PRIu64 "\n", figure.count);
	}
}

static void print_missing_events(FILE *out, const char *name,
				 const struct report *report)
{
	struct figure figure;
	size_t i;

	for (i = 0; i < report->events->nr; i++) {
		figure = figure_of_whole(report, i);
		if (!figure.missing)
			continue;
		begin_event(out, name, report, i,
			    (struct label){ "reason", figure.missing });
		fputs("1\n", out);
	}
}

static void print_derived(FILE *out, const char *name,
			  const struct report *report)
{
	struct distinct distinct;
	struct derived derived;
	size_t i, j;

	for (i = 0; get_metric(report, i, &derived); i++) {
		struct label labels[DISTINCT_MAX + 3] = {
			{ "metric", derived.name },
			{ "unit", derived.unit },
		};

		if (!derived.has_value)
			continue;
		distinguish_metric(report->events, i, &distinct);
		for (j = 0; j < distinct.nr; j++)
			labels[2 + j] = distinct.label[j];
		begin_sample(out, name, labels, report);
		fprintf(out, "%s\n", derived.value);
	}
}

/* Print how many threads are missing. System mode does not count threads. */
static void print_missing_threads(FILE *out, const char *name,
				  const struct report *report)
{
	const struct {
		struct label label[2];
		unsigned int nr;
	} missing[] = {
		{ { { "reason", "other events" } },
		  report->whole->other_events },
		{ { { "reason", "privileged program" } },
		  report->whole->revoked },
	};
	size_t i;

	for (i = 0; !report->cpus && i < sizeof(missing) / sizeof(missing[0]);
	     i++) {
		begin_sample(out, name, missing[i].label, report);
		fprintf(out, "%u\n", missing[i].nr);
	}
}

static void print_running(FILE *out, const char *name,
			  const struct report *report)
{
	if (report->cpus)
		return;
	begin_sample(out, name, no_labels, report);
	fprintf(out, "%u\n", report->whole->running);
}

/* Print how many processes are missing. System mode does not have processes or stops. */
static void print_missing_processes(FILE *out, const char *name,
				    const struct report *report)
{
	if (report->cpus)
		return;
	begin_sample(out, name, no_labels, report);
	fprintf(out, "%u\n", report->whole->unwaited);
}

static void print_stopped(FILE *out, const char *name,
			  const struct report *report)
{
	if (report->cpus)
		return;
	begin_sample(out, name, no_labels, report);
	fprintf(out, "%u\n", report->whole->stopped);
}

static void print_usage(FILE *out, const char *name,
			const struct report *report, const char *kind,
			enum present_number number)
{
	const struct label labels[] = { { "kind", kind }, { NULL, NULL } };

	begin_sample(out, name, labels, report);
	fprintf(out, "%" PRIu64 "\n", report->usage->count[number]);
}

static void print_faults(FILE *out, const char *name,
			 const struct report *report)
{
	print_usage(out, name, report, "minor", MINOR_FAULTS);
	print_usage(out, name, report, "major", MAJOR_FAULTS);
}

static void print_switches(FILE *out, const char *name,
			   const struct report *report)
{
	print_usage(out, name, report, "voluntary", VOLUNTARY_SWITCHES);
	print_usage(out, name, report, "involuntary", INVOLUNTARY_SWITCHES);
}

static const struct family families[] = {
	{ "vpmc_counting", false, false, "Whether it is still being counted.",
	  print_counting },
	{ "vpmc_elapsed_seconds", true, false, "Time for which it was counted.",
	  print_elapsed },
	{ "vpmc_events", true, false, "Hardware events that were counted.",
	  print_event_counts },
	{ "vpmc_event_missing", false, false,
	  "Events without a count, and the reasons.", print_missing_events },
	{ "vpmc_gaps", false, false,
	  "Times that counting was stopped and something followed.",
	  print_stopped },
	{ "vpmc_metric", false, false,
	  "Numbers derived from the counts of the last interval.",
	  print_derived },
	{ "vpmc_missing_processes", false, false,
	  "Processes that the counts do not contain, since nobody has waited"
	  " for them.",
	  print_missing_processes },
	{ "vpmc_missing_threads", false, false,
	  "Threads that the counts do not contain, by reason.",
	  print_missing_threads },
	{ "vpmc_page_faults", true, true,
	  "Page faults of the command, without and with input.", print_faults },
	{ "vpmc_running_processes", false, false,
	  "Processes that are counted with -a and have not ended.",
	  print_running },
	{ "vpmc_switches", true, true,
	  "Context switches of the command, voluntary and involuntary.",
	  print_switches },
};

static void print_family(FILE *out, enum format format,
			 const struct family *family,
			 const struct report *report)
{
	const char *suffix = family->is_counter ? "_total" : "";
	char name[64];

	snprintf(name, sizeof(name), "%s%s", family->name, suffix);
	if (format == FORMAT_OPENMETRICS)
		suffix = "";
	fprintf(out, "# HELP %s%s %s\n# TYPE %s%s %s\n", family->name, suffix,
		family->help, family->name, suffix,
		family->is_counter ? "counter" : "gauge");
	family->print(out, name, report);
}

void print_openmetrics(FILE *out, enum format format,
		       const struct report *report)
{
	const size_t nr = sizeof(families) / sizeof(families[0]);
	size_t i;

	/*
	 * Without counts, print only the first family, whose value 0 means that nothing is being
	 * counted.
	 */
	for (i = 0; i < (is_without_counts(report) ? 1 : nr); i++) {
		if (report->usage || !families[i].of_usage)
			print_family(out, format, &families[i], report);
	}
	fputs("# EOF\n", out);
}
