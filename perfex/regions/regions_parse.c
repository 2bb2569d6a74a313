// SPDX-License-Identifier: GPL-2.0-only
/* Parse the regions that processes have written. */
#include "regions/regions_parse.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/stream.h"
#include "util/temporary.h"

/* Lines of the file begin with these words. */
#define START	"start "
#define PROCESS "process "
#define EVENT	"event "
#define REGION	"region "
#define END	"end "

/* These letters are flags of a region. Only regions_sums.c writes the last letter. */
#define NO_INCLUSIVE 'i'
#define NO_EXCLUSIVE 'e'
#define OPEN	     'o'
#define UNREAD	     'u'

static uint64_t number(char **text)
{
	return strtoull(*text, text, 10);
}

static int compare_pids(const void *a, const void *b)
{
	const struct started *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

/* Add a process. Returns false if there is no memory. */
static bool add_started(struct regions_left *left, struct started *started)
{
	struct started **place = tsearch(started, &left->by_pid, compare_pids);

	if (!place)
		return false;
	/* The same process may have started before, with an earlier program. */
	if (*place != started)
		started->before = *place;
	*place = started;
	if (left->last)
		left->last->next = started;
	else
		left->first = started;
	left->last = started;
	return true;
}

static void read_start(struct regions_left *left, char *text)
{
	struct started *started = calloc(1, sizeof(*started));

	if (!started) {
		left->no_memory = true;
		return;
	}
	started->pid = number(&text);
	snprintf(started->command, sizeof(started->command), "%s",
		 *text ? text + 1 : "");
	if (!add_started(left, started)) {
		left->no_memory = true;
		free(started);
	}
}

/* Return the process of a block, or NULL if it could not write its start line. */
static struct started *starter(const struct regions_left *left, uint64_t pid)
{
	const struct started key = { .pid = pid };
	struct started **place = tfind(&key, &left->by_pid, compare_pids);
	struct started *started = place ? *place : NULL;

	/* The block may be from an earlier program of the same process. */
	while (started && started->left && started->before)
		started = started->before;
	return started;
}

static void add_line(struct process_line *sum, const struct process_line *more)
{
	sum->running += more->running;
	sum->other_events += more->other_events;
	sum->mismatches += more->mismatches;
	sum->restarts += more->restarts;
	sum->lost += more->lost;
	sum->stopped += more->stopped;
	sum->open += more->open;
	sum->unread += more->unread;
}

static int compare_numbers(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* Return the key of a number. The tree has numbers instead of pointers. */
static const void *key_of(uint32_t number)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the key is not a pointer */
	return (const void *)(uintptr_t)number;
}

static void keep_number(struct regions_left *left, uint64_t number)
{
	if (number && number <= UINT32_MAX &&
	    !tsearch(key_of((uint32_t)number), &left->numbers, compare_numbers))
		left->no_memory = true;
}

bool was_left(const struct regions_left *left, uint32_t number)
{
	return tfind(key_of(number), &left->numbers, compare_numbers);
}

/* End a block. Print it only if it is complete. */
static void end_block(struct regions_left *left, bool complete, uint64_t number)
{
	struct block *block = &left->block;
	struct started *started = starter(left, block->process.pid);

	if (!block->out)
		return;
	if (!close_stream(block->out))
		left->no_memory = true;
	else if (complete)
		fputs(block->text, left->out);
	free(block->text);
	block->out = NULL;
	if (complete) {
		keep_number(left, number);
		add_line(&left->sum, &block->process);
		left->processes++;
		left->others += block->other;
	} else {
		left->cut_off++;
	}
	if (started) {
		started->left |= complete;
		started->cut_off |= !complete;
	}
}

/* Return the number of counts of a region. */
static size_t counts_of(const struct regions_left *left)
{
	return left->events->nr + (left->faults ? REGION_RESOURCES / 2 : 0);
}

static void read_process(struct regions_left *left, char *text)
{
	struct block *block = &left->block;
	struct process_line *process = &block->process;

	end_block(left, false, 0);
	memset(block, 0, sizeof(*block));
	process->pid = number(&text);
	process->events = number(&text);
	process->running = number(&text);
	process->other_events = number(&text);
	process->mismatches = number(&text);
	process->restarts = number(&text);
	process->lost = number(&text);
	process->stopped = number(&text);
	block->other = process->events != counts_of(left);
	block->out = open_memstream(&block->text, &block->size);
	if (!block->out)
		left->no_memory = true;
}

static void read_end(struct regions_left *left, char *text)
{
	const struct block *block = &left->block;

	/* Read the numbers in separate statements, because their order matters. */
	const uint64_t pid = number(&text);
	const uint64_t regions = number(&text);

	end_block(left, pid == block->process.pid && regions == block->regions,
		  number(&text));
}

static bool is_counter(uint64_t counter, int wanted)
{
	return wanted == VPMC_ANY_COUNTER || counter == (unsigned int)wanted;
}

static void read_event(struct regions_left *left, char *text)
{
	struct block *block = &left->block;
	const struct vpmc_event_sel *sel;

	if (block->other || block->event == left->events->nr)
		return;
	sel = &left->events->sel[block->event++];
	block->other = number(&text) != sel->code ||
		       !is_counter(number(&text), sel->counter) ||
		       number(&text) != sel->modes;
}

/*
 * Read numbers that contain two resources each: the first resource is in the lower half. The cost
 * of regions is not subtracted from resources.
 */
static void read_resources(struct region_line *line, size_t first, char **text)
{
	uint64_t both;
	size_t i;

	for (i = 0; i < 2; i++) {
		both = number(text);
		line->resource[first][i] = (uint32_t)both;
		line->resource[first + 1][i] = both >> 32;
	}
	number(text);
	number(text);
}

/* Read the counts of a region, and its name in the rest of the line. */
static void read_counts(const struct regions_left *left,
			struct region_line *line, char *text)
{
	size_t i;

	for (i = 0; i < left->events->nr; i++) {
		line->raw[i][0] = number(&text);
		line->raw[i][1] = number(&text);
		line->net[i][0] = number(&text);
		line->net[i][1] = number(&text);
	}
	for (i = 0; left->faults && i < REGION_RESOURCES; i += 2)
		read_resources(line, i, &text);
	line->name = *text ? text + 1 : "";
}

static void read_region(struct regions_left *left, char *text)
{
	const char *flags = strsep(&text, " ");
	struct block *block = &left->block;
	struct region_line line = { .pid = block->process.pid };

	block->regions++;
	if (!text || block->other)
		return;
	line.calls = number(&text);
	line.has_inclusive = !strchr(flags, NO_INCLUSIVE);
	line.has_exclusive = !strchr(flags, NO_EXCLUSIVE);
	read_counts(left, &line, text);
	left->print(block->out, &line, left->arg);
	if (strchr(flags, OPEN))
		block->process.open++;
	if (strchr(flags, UNREAD))
		block->process.unread++;
}

void parse_line(struct regions_left *left, char *line)
{
	if (!strncmp(line, START, strlen(START)))
		read_start(left, line + strlen(START));
	else if (!strncmp(line, PROCESS, strlen(PROCESS)))
		read_process(left, line + strlen(PROCESS));
	else if (!left->block.out)
		return;
	else if (!strncmp(line, EVENT, strlen(EVENT)))
		read_event(left, line + strlen(EVENT));
	else if (!strncmp(line, REGION, strlen(REGION)))
		read_region(left, line + strlen(REGION));
	else if (!strncmp(line, END, strlen(END)))
		read_end(left, line + strlen(END));
}

/**
 * struct line - a line that is being read
 * @text: its beginning, or NULL
 * @used: length of @text
 * @room: memory of @text
 */
struct line {
	char *text;
	size_t used;
	size_t room;
};

/* Append to a line, and terminate it. Returns false if there is no memory. */
static bool append(struct line *line, const char *text, size_t size)
{
	size_t room = line->room;
	char *grown;

	if (size >= room - line->used) {
		room = 2 * room + size + 1;
		grown = realloc(line->text, room);
		if (!grown)
			return false;
		line->text = grown;
		line->room = room;
	}
	memcpy(line->text + line->used, text, size);
	line->used += size;
	line->text[line->used] = '\0';
	return true;
}

static void end_line(struct regions_left *left, struct line *line)
{
	if (line->used)
		parse_line(left, line->text);
	line->used = 0;
}

/* Parse all lines that end in a part of the file, and keep the rest. */
static void parse_part(struct regions_left *left, struct line *line,
		       const char *text, size_t size)
{
	const char *end;

	while (size) {
		end = memchr(text, '\n', size);
		if (!append(line, text, end ? (size_t)(end - text) : size)) {
			left->no_memory = true;
			line->used = 0;
		}
		if (!end)
			return;
		end_line(left, line);
		size -= (size_t)(end + 1 - text);
		text = end + 1;
	}
}

/*
 * Read the data of the file up to @end, because a process that still runs may append more. A
 * hole, which a program may have made, ends a line. Returns false if the file cannot be read.
 */
static bool read_lines(struct regions_left *left, struct line *line, int fd,
		       off_t end)
{
	static char part[16384];
	off_t at, next = 0;
	ssize_t size;

	for (at = find_data(fd, 0); at >= 0 && at < end;
	     at = find_data(fd, next)) {
		if (at != next)
			end_line(left, line);
		size = pread(fd, part, sizeof(part), at);
		if (size <= 0)
			return !size;
		parse_part(left, line, part, (size_t)size);
		next = at + size;
	}
	return true;
}

int parse_regions(struct regions_left *left, int fd)
{
	struct line line = { .text = NULL };
	struct stat status;
	bool is_read;

	if (fstat(fd, &status))
		return PERFEX_SYSTEM;
	is_read = read_lines(left, &line, fd, status.st_size);
	end_line(left, &line);
	end_block(left, false, 0);
	free(line.text);
	return is_read ? 0 : PERFEX_SYSTEM;
}

static void keep(void *started)
{
	(void)started;
}

void free_regions(struct regions_left *left)
{
	struct started *started;

	tdestroy(left->by_pid, keep);
	tdestroy(left->numbers, keep);
	while ((started = left->first)) {
		left->first = started->next;
		free(started);
	}
}
