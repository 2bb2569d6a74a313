// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of perfex --regions. libvpmc's region_file.c describes the file.
 */
#include "regions.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "VPMC_REGIONS_FILE"

/* How lines of the file begin. */
#define PROCESS "process "
#define EVENT	"event "
#define REGION	"region "

/* A letter among a region's flags. */
#define NO_INCLUSIVE 'i'
#define NO_EXCLUSIVE 'e'
#define OPEN	     'o'

/**
 * struct process_line - a process, or the sum over all of them
 * @pid: its number
 * @events: how many counts its regions have
 * @running: threads that had not exited; likewise the next ones
 * @other_events: threads whose counts are of another generation
 * @mismatches: ends that did not match
 * @restarts: how often a thread started again
 * @lost: regions that there was no memory for
 */
struct process_line {
	uint64_t pid;
	uint64_t events;
	uint64_t running;
	uint64_t other_events;
	uint64_t mismatches;
	uint64_t restarts;
	uint64_t lost;
};

/**
 * struct state - how far the file has been read
 * @out: where to print
 * @events: what perfex counts
 * @raw: which counts to print
 * @process: whose regions the lines are
 * @event: which of its events the next line of one is
 * @other: the process has counted other events than perfex
 * @sum: of all processes so far
 * @processes: how many
 * @others: how many of these counted other events
 * @open: regions that were open when their process ended
 */
struct state {
	FILE *out;
	const struct events *events;
	bool raw;
	struct process_line process;
	size_t event;
	bool other;
	struct process_line sum;
	unsigned int processes;
	unsigned int others;
	unsigned int open;
};

int collect_regions(int *fd)
{
	const char *directory = getenv("TMPDIR");
	char *path;

	if (!directory || !directory[0])
		directory = "/tmp";
	if (asprintf(&path, "%s/perfex-regions-XXXXXX", directory) < 0)
		path = NULL;
	*fd = path ? mkostemp(path, O_CLOEXEC) : -1;
	if (*fd < 0 || setenv(VARIABLE, path, 1)) {
		complain("cannot create a file for the regions in \"%s\": %s"
			 " (TMPDIR names another directory)",
			 directory, strerror(errno));
		free(path);
		return PERFEX_OUTPUT;
	}
	free(path);
	return 0;
}

static uint64_t number(char **text)
{
	return strtoull(*text, text, 10);
}

static void read_process(struct state *state, char *text)
{
	struct process_line *process = &state->process;

	process->pid = number(&text);
	process->events = number(&text);
	process->running = number(&text);
	process->other_events = number(&text);
	process->mismatches = number(&text);
	process->restarts = number(&text);
	process->lost = number(&text);
	state->sum.running += process->running;
	state->sum.other_events += process->other_events;
	state->sum.mismatches += process->mismatches;
	state->sum.restarts += process->restarts;
	state->sum.lost += process->lost;
	state->processes++;
	state->event = 0;
	state->other = process->events != state->events->nr;
	state->others += state->other;
}

static bool is_counter(uint64_t counter, int wanted)
{
	return wanted == VPMC_ANY_COUNTER || counter == (unsigned int)wanted;
}

static void read_event(struct state *state, char *text)
{
	const struct vpmc_event_sel *sel;

	if (state->other || state->event == state->events->nr)
		return;
	sel = &state->events->sel[state->event++];
	state->other = number(&text) != sel->code ||
		       !is_counter(number(&text), sel->counter) ||
		       number(&text) != sel->modes;
	state->others += state->other;
}

static void print_count(FILE *out, uint64_t count, bool valid)
{
	if (valid)
		fprintf(out, "  %*" PRIu64, COUNT_WIDTH, count);
	else
		fprintf(out, "  %*s", COUNT_WIDTH, NO_COUNT);
}

static void print_region(struct state *state, char *text)
{
	const char *flags = strsep(&text, " ");
	uint64_t raw[2], net[2];
	size_t i;

	if (!text || state->other)
		return;
	fprintf(state->out, "region     %7" PRIu64 "  %*" PRIu64,
		state->process.pid, COUNT_WIDTH, number(&text));
	for (i = 0; i < state->events->nr; i++) {
		raw[0] = number(&text);
		raw[1] = number(&text);
		net[0] = number(&text);
		net[1] = number(&text);
		print_count(state->out, state->raw ? raw[0] : net[0],
			    !strchr(flags, NO_INCLUSIVE));
		print_count(state->out, state->raw ? raw[1] : net[1],
			    !strchr(flags, NO_EXCLUSIVE));
	}
	if (strchr(flags, OPEN))
		state->open++;
	fprintf(state->out, "  %s\n", *text ? text + 1 : "");
}

static void print_head(const struct state *state)
{
	char name[EVENT_NAME_MAX];
	size_t i;

	fprintf(state->out, "# region       pid  %*s", COUNT_WIDTH, "calls");
	for (i = 0; i < state->events->nr; i++) {
		event_name(state->events, i, name);
		fprintf(state->out, "  %*s  %*s", COUNT_WIDTH, name,
			COUNT_WIDTH, "exclusive");
	}
	fputs("  name\n", state->out);
}

static void print_notes(const struct state *state)
{
	const struct process_line *sum = &state->sum;
	FILE *out = state->out;

	if (!state->processes)
		fputs("# no process has left regions: they are collected when a"
		      " program with libvpmc's regions exits\n",
		      out);
	print_note(out, state->others, "process is", "processes are",
		   "not listed: other events were counted in its regions");
	print_note(out, state->open, "region was", "regions were",
		   "open at the end: these counts end there");
	print_note(out, (unsigned int)sum->mismatches, "end of a region",
		   "ends of regions", "did not match the region begun last");
	print_note(out, (unsigned int)sum->running, "thread is", "threads are",
		   "missing in regions: it had not exited");
	print_note(out, (unsigned int)sum->other_events, "thread is",
		   "threads are",
		   "missing in regions: other counts were started there");
	print_note(out, (unsigned int)sum->restarts, "time", "times",
		   "counts were started again: regions before that are"
		   " missing");
	print_note(out, (unsigned int)sum->lost, "region is", "regions are",
		   "missing: the process was out of memory");
}

static void read_line(struct state *state, char *line)
{
	if (!strncmp(line, PROCESS, strlen(PROCESS)))
		read_process(state, line + strlen(PROCESS));
	else if (!strncmp(line, EVENT, strlen(EVENT)))
		read_event(state, line + strlen(EVENT));
	else if (!strncmp(line, REGION, strlen(REGION)))
		print_region(state, line + strlen(REGION));
}

static int read_file(struct state *state, int fd)
{
	FILE *file = fdopen(dup(fd), "r");
	size_t size = 0;
	char *line = NULL;

	if (!file) {
		complain("cannot read the regions: %s", strerror(errno));
		return PERFEX_SYSTEM;
	}
	rewind(file);
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		read_line(state, line);
	}
	free(line);
	fclose(file);
	return 0;
}

int print_regions(FILE *out, int fd, const struct events *events, bool raw)
{
	struct state state = { .out = out, .events = events, .raw = raw };
	int status;

	print_head(&state);
	status = read_file(&state, fd);
	if (!status)
		print_notes(&state);
	return status;
}

void discard_regions(int fd)
{
	const char *path = getenv(VARIABLE);

	if (path)
		unlink(path);
	unsetenv(VARIABLE);
	close(fd);
}
