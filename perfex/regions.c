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
#define START	"start "
#define PROCESS "process "
#define EVENT	"event "
#define REGION	"region "
#define END	"end "

/* Space for the lines of many starts; without it nobody would know what is missing. */
#define RESERVED (64L * 1024)

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
 * @open: regions that were open when the process ended
 */
struct process_line {
	uint64_t pid;
	uint64_t events;
	uint64_t running;
	uint64_t other_events;
	uint64_t mismatches;
	uint64_t restarts;
	uint64_t lost;
	uint64_t open;
};

/**
 * struct block - what a process leaves at its end
 * @process: its first line
 * @event: which of its events the next line of one is
 * @other: the process has counted other events than perfex
 * @regions: how many of them there are so far
 * @text: what to print
 * @size: bytes of it
 * @out: where that is written; NULL outside of a block
 */
struct block {
	struct process_line process;
	size_t event;
	bool other;
	uint64_t regions;
	char *text;
	size_t size;
	FILE *out;
};

/**
 * struct started - a process that has regions
 * @pid: its number
 * @left: it has left all of them
 * @cut_off: it has left some of them
 * @command: its name
 */
struct started {
	uint64_t pid;
	bool left;
	bool cut_off;
	char command[16];
};

/**
 * struct state - how far the file has been read
 * @out: where to print
 * @events: what perfex counts
 * @raw: which counts to print
 * @block: what is being read
 * @started: who has regions
 * @nr_started: how many these are
 * @sum: of all processes so far
 * @processes: how many
 * @others: how many of these counted other events
 * @cut_off: how often something is missing
 * @no_memory: could not go on
 */
struct state {
	FILE *out;
	const struct events *events;
	bool raw;
	struct block block;
	struct started *started;
	size_t nr_started;
	struct process_line sum;
	unsigned int processes;
	unsigned int others;
	unsigned int cut_off;
	bool no_memory;
};

/* Returns a descriptor, or -1 and errno. @path becomes absolute. */
static int create_file(char **path)
{
	int fd = mkostemp(*path, O_CLOEXEC);
	char *whole;

	if (fd < 0)
		return -1;
	/* Not every file system can reserve. */
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED) &&
	    errno != EOPNOTSUPP && errno != ENOSYS)
		goto remove;
	whole = realpath(*path, NULL);
	if (!whole)
		goto remove;
	free(*path);
	*path = whole;
	if (!setenv(VARIABLE, whole, 1))
		return fd;
remove:
	unlink(*path);
	close(fd);
	return -1;
}

int collect_regions(int *fd)
{
	const char *directory = getenv("TMPDIR");
	char *path;

	if (!directory || !directory[0])
		directory = "/tmp";
	if (asprintf(&path, "%s/perfex-regions-XXXXXX", directory) < 0)
		path = NULL;
	*fd = path ? create_file(&path) : -1;
	if (*fd < 0) {
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

static void read_start(struct state *state, char *text)
{
	struct started *started = reallocarray(
		state->started, state->nr_started + 1, sizeof(*started));

	if (!started) {
		state->no_memory = true;
		return;
	}
	state->started = started;
	started += state->nr_started++;
	memset(started, 0, sizeof(*started));
	started->pid = number(&text);
	snprintf(started->command, sizeof(started->command), "%s",
		 *text ? text + 1 : "");
}

/* The process that a block is of, or NULL if its start could not be written. */
static struct started *starter(const struct state *state, uint64_t pid)
{
	size_t i = state->nr_started;

	while (i-- > 0) {
		if (state->started[i].pid == pid)
			return &state->started[i];
	}
	return NULL;
}

static void add_line(struct process_line *sum, const struct process_line *more)
{
	sum->running += more->running;
	sum->other_events += more->other_events;
	sum->mismatches += more->mismatches;
	sum->restarts += more->restarts;
	sum->lost += more->lost;
	sum->open += more->open;
}

/* Only what is complete is printed. */
static void end_block(struct state *state, bool complete)
{
	struct block *block = &state->block;
	struct started *started = starter(state, block->process.pid);

	if (!block->out)
		return;
	if (fclose(block->out))
		state->no_memory = true;
	else if (complete)
		fputs(block->text, state->out);
	free(block->text);
	block->out = NULL;
	if (complete) {
		add_line(&state->sum, &block->process);
		state->processes++;
		state->others += block->other;
	} else {
		state->cut_off++;
	}
	if (started) {
		started->left |= complete;
		started->cut_off |= !complete;
	}
}

static void read_process(struct state *state, char *text)
{
	struct block *block = &state->block;
	struct process_line *process = &block->process;

	end_block(state, false);
	memset(block, 0, sizeof(*block));
	process->pid = number(&text);
	process->events = number(&text);
	process->running = number(&text);
	process->other_events = number(&text);
	process->mismatches = number(&text);
	process->restarts = number(&text);
	process->lost = number(&text);
	block->other = process->events != state->events->nr;
	block->out = open_memstream(&block->text, &block->size);
	if (!block->out)
		state->no_memory = true;
}

static void read_end(struct state *state, char *text)
{
	const struct block *block = &state->block;

	/* In this order. */
	const uint64_t pid = number(&text);
	const uint64_t regions = number(&text);

	end_block(state,
		  pid == block->process.pid && regions == block->regions);
}

static bool is_counter(uint64_t counter, int wanted)
{
	return wanted == VPMC_ANY_COUNTER || counter == (unsigned int)wanted;
}

static void read_event(struct state *state, char *text)
{
	struct block *block = &state->block;
	const struct vpmc_event_sel *sel;

	if (block->other || block->event == state->events->nr)
		return;
	sel = &state->events->sel[block->event++];
	block->other = number(&text) != sel->code ||
		       !is_counter(number(&text), sel->counter) ||
		       number(&text) != sel->modes;
}

static void print_count(FILE *out, uint64_t count, bool valid)
{
	if (valid)
		fprintf(out, "  %*" PRIu64, COUNT_WIDTH, count);
	else
		fprintf(out, "  %*s", COUNT_WIDTH, NO_COUNT);
}

static void read_region(struct state *state, char *text)
{
	const char *flags = strsep(&text, " ");
	struct block *block = &state->block;
	uint64_t raw[2], net[2];
	size_t i;

	block->regions++;
	if (!text || block->other)
		return;
	fprintf(block->out, "region     %7" PRIu64 "  %*" PRIu64,
		block->process.pid, COUNT_WIDTH, number(&text));
	for (i = 0; i < state->events->nr; i++) {
		raw[0] = number(&text);
		raw[1] = number(&text);
		net[0] = number(&text);
		net[1] = number(&text);
		print_count(block->out, state->raw ? raw[0] : net[0],
			    !strchr(flags, NO_INCLUSIVE));
		print_count(block->out, state->raw ? raw[1] : net[1],
			    !strchr(flags, NO_EXCLUSIVE));
	}
	if (strchr(flags, OPEN))
		block->process.open++;
	fprintf(block->out, "  %s\n", *text ? text + 1 : "");
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

	if (!state->processes && !state->nr_started)
		fputs("# no process has left regions: they are collected when a"
		      " program with libvpmc's regions exits\n",
		      out);
	print_note(out, state->others, "process is", "processes are",
		   "not listed: other events were counted there");
	print_note(out, (unsigned int)sum->open, "region was", "regions were",
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

/* Name the processes whose regions are missing. Returns how many these are. */
static unsigned int print_missing(const struct state *state)
{
	const struct started *started = state->started;
	unsigned int missing = 0;
	size_t i;

	for (i = 0; i < state->nr_started; i++, started++) {
		if (started->left)
			continue;
		missing++;
		fprintf(state->out,
			"# process %" PRIu64 " (%s) is not listed: %s\n",
			started->pid, started->command,
			started->cut_off ? "its regions are cut off"
					 : "it has left no regions");
	}
	return missing;
}

/* Returns 0, or an enum perfex_status. */
static int check_complete(const struct state *state)
{
	const unsigned int missing = print_missing(state);

	if (state->no_memory)
		return PERFEX_SYSTEM;
	return missing || state->cut_off ? PERFEX_INVALID : 0;
}

static void read_line(struct state *state, char *line)
{
	if (!strncmp(line, START, strlen(START)))
		read_start(state, line + strlen(START));
	else if (!strncmp(line, PROCESS, strlen(PROCESS)))
		read_process(state, line + strlen(PROCESS));
	else if (!state->block.out)
		return;
	else if (!strncmp(line, EVENT, strlen(EVENT)))
		read_event(state, line + strlen(EVENT));
	else if (!strncmp(line, REGION, strlen(REGION)))
		read_region(state, line + strlen(REGION));
	else if (!strncmp(line, END, strlen(END)))
		read_end(state, line + strlen(END));
}

static int read_file(struct state *state, int fd)
{
	FILE *file = fdopen(dup(fd), "r");
	size_t size = 0;
	char *line = NULL;

	if (!file)
		return PERFEX_SYSTEM;
	rewind(file);
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		read_line(state, line);
	}
	end_block(state, false);
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
	if (!status) {
		print_notes(&state);
		status = check_complete(&state);
	}
	free(state.started);
	return status;
}

void complain_of_regions(int failure)
{
	if (failure == PERFEX_SYSTEM)
		complain("cannot list all regions: out of memory");
	else
		complain(
			"regions are missing: a process leaves them when it exits by"
			" exit(3), not by _exit(2), a signal or execve(2), and if"
			" there is space for them (TMPDIR names another directory)");
}

void discard_regions(int fd)
{
	const char *path = getenv(VARIABLE);

	if (path)
		unlink(path);
	unsetenv(VARIABLE);
	close(fd);
}
