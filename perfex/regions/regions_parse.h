/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the parser of the regions that processes have written. libvpmc's
 * region_file.c describes the file.
 */
#ifndef PERFEX_REGIONS_PARSE_H
#define PERFEX_REGIONS_PARSE_H

#include "util/perfex.h"

/* The resources are page faults and switches. libvpmc packs two resources into one count. */
#define REGION_RESOURCES 4

/**
 * struct process_line - a process, or the sum over all processes
 * @pid: number of the process
 * @events: number of counts of each region
 * @running: number of threads that had not exited
 * @other_events: number of threads whose counts are of another generation
 * @mismatches: number of ends that did not match the region begun last
 * @restarts: number of restarts of a thread
 * @lost: number of regions that were lost for lack of memory
 * @stopped: number of gaps in the counts
 * @open: number of regions that were open when the process ended
 * @unread: number of open regions whose counts were not read at the end
 */
struct process_line {
	uint64_t pid;
	uint64_t events;
	uint64_t running;
	uint64_t other_events;
	uint64_t mismatches;
	uint64_t restarts;
	uint64_t lost;
	uint64_t stopped;
	uint64_t open;
	uint64_t unread;
};

/**
 * struct started - a process with regions, from its start line
 * @pid: number of the process
 * @left: true if it has written all regions
 * @cut_off: true if it has written some of its regions
 * @command: its name
 * @before: the previous process with the same number, or NULL
 * @next: the process with the next start line
 */
struct started {
	uint64_t pid;
	bool left;
	bool cut_off;
	char command[16];
	struct started *before;
	struct started *next;
};

/**
 * struct region_line - a region of a process
 * @pid: the process
 * @calls: number of calls
 * @raw: inclusive and exclusive counts of each event
 * @net: inclusive and exclusive counts without the cost of the regions
 * @resource: inclusive and exclusive numbers of page faults without and with input, and of
 *	voluntary and involuntary switches
 * @has_inclusive: true if the region was counted all the time
 * @has_exclusive: true if the region and the regions within it were counted all the time
 * @name: its name
 */
struct region_line {
	uint64_t pid;
	uint64_t calls;
	uint64_t raw[VPMC_COUNTS_MAX][2];
	uint64_t net[VPMC_COUNTS_MAX][2];
	uint64_t resource[REGION_RESOURCES][2];
	bool has_inclusive;
	bool has_exclusive;
	const char *name;
};

/**
 * struct block - the lines that a process writes when it exits
 * @process: the first line
 * @event: index of the event that the next event line describes
 * @other: true if the process has counted other events than perfex
 * @regions: number of regions so far
 * @text: the output for the lines of the block
 * @size: length of @text
 * @out: stream that writes to @text; NULL outside of a block
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
 * struct regions_left - the regions that processes have written
 * @out: stream to print regions to
 * @events: the events that perfex counts
 * @faults: true if regions have page faults and switches
 * @print: function that prints a region with @events to the stream of its first argument
 * @arg: last argument of @print
 * @block: the block that is being read
 * @first: the processes that have regions, in the order of their starts; free_regions()
 *	frees them
 * @last: the last of these processes
 * @by_pid: a tree of tsearch(3): for each number, the last process that has started with it
 * @numbers: a tree of tsearch(3): the numbers that printed processes have in the file of sums
 * @sum: the sum over all processes
 * @processes: number of processes
 * @others: number of processes that counted other events
 * @cut_off: number of blocks that are incomplete
 * @missing: number of processes that could not write to either file
 * @no_memory: true if memory was lacking
 */
struct regions_left {
	FILE *out;
	const struct events *events;
	bool faults;
	void (*print)(FILE *out, const struct region_line *line, void *arg);
	void *arg;
	struct block block;
	struct started *first;
	struct started *last;
	void *by_pid;
	void *numbers;
	struct process_line sum;
	unsigned int processes;
	unsigned int others;
	unsigned int cut_off;
	uint32_t missing;
	bool no_memory;
};

/**
 * parse_regions() - read all regions, and print them
 * @left: the caller sets the first five members, and zeroes the others
 * @fd: the file
 *
 * Only processes that are complete are printed.
 *
 * Return: 0, or PERFEX_SYSTEM if the file could not be read.
 */
int parse_regions(struct regions_left *left, int fd);

/**
 * parse_line() - parse one line of the file that parse_regions() reads
 * @left: the regions
 * @line: the line, without its newline. The function changes it.
 */
void parse_line(struct regions_left *left, char *line);

/*
 * was_left() - tell whether the process with number @number in the file of sums has written its
 * regions
 */
bool was_left(const struct regions_left *left, uint32_t number);

/* free_regions() - free the memory that parse_regions() has allocated */
void free_regions(struct regions_left *left);

#endif /* PERFEX_REGIONS_PARSE_H */
