// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read the page faults and context switches of a running command.
 *
 * The kernel shows sums of page faults in /proc/PID/stat. They include threads that have ended,
 * and children that were waited for. The kernel shows switches only for threads that have not
 * ended.
 */
#include "run/present_rusage.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 64
#define LINE_SIZE 1024

/* The threads of a process are read this often, at most, if some of them end each time. */
#define READ_TRIES 10

/*
 * Raise a sum. A sum must never decrease, even if the counts of a thread disappear when it
 * executes a program.
 */
static void raise_to(uint64_t *count, uint64_t value)
{
	if (value > *count)
		*count = value;
}

/*
 * These are the numbers after the state of a process in its file, up to the numbers of page
 * faults.
 */
enum stat_number {
	STAT_MINOR = 6,
	STAT_CHILDREN_MINOR,
	STAT_MAJOR,
	STAT_CHILDREN_MAJOR,
	NR_STAT
};

/* Parse the numbers. Returns false if there are too few. */
static bool parse_numbers(const char *text, uint64_t number[NR_STAT])
{
	char *end;
	size_t i;

	for (i = 0; i < NR_STAT; i++) {
		number[i] = strtoull(text, &end, 10);
		if (end == text)
			return false;
		text = end;
	}
	return true;
}

/*
 * Read the numbers of a process. The name of the command may have any characters, but ends
 * with the last bracket.
 */
static bool read_stat(pid_t pid, uint64_t number[NR_STAT])
{
	char path[PATH_SIZE], line[LINE_SIZE];
	const char *rest = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fgets(line, sizeof(line), file))
		rest = strrchr(line, ')');
	fclose(file);
	return rest && strlen(rest) > strlen(") S") &&
	       parse_numbers(rest + strlen(") S"), number);
}

static void read_faults(struct present_usage *usage, pid_t pid)
{
	uint64_t number[NR_STAT];

	if (!read_stat(pid, number))
		return;
	raise_to(&usage->count[MINOR_FAULTS],
		 number[STAT_MINOR] + number[STAT_CHILDREN_MINOR]);
	raise_to(&usage->count[MAJOR_FAULTS],
		 number[STAT_MAJOR] + number[STAT_CHILDREN_MAJOR]);
}

static const char *const switch_names[NR_SWITCHES] = {
	"voluntary_ctxt_switches:",
	"nonvoluntary_ctxt_switches:",
};

/* Parse a line. Returns whether the line has a number of switches. */
static bool parse_switches(const char *line, struct thread_switches *thread)
{
	size_t i, length;

	for (i = 0; i < NR_SWITCHES; i++) {
		length = strlen(switch_names[i]);
		if (!strncmp(line, switch_names[i], length)) {
			thread->count[i] = strtoull(line + length, NULL, 10);
			return true;
		}
	}
	return false;
}

/* Read the switches of a thread. Returns false if the thread has ended. */
static bool read_thread(pid_t pid, pid_t tid, struct thread_switches *thread)
{
	char path[PATH_SIZE], line[LINE_SIZE];
	unsigned int found = 0;
	FILE *file;

	*thread = (struct thread_switches){ .tid = tid };
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", (int)pid,
		 (int)tid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		found += parse_switches(line, thread);
	fclose(file);
	return found == NR_SWITCHES;
}

static int compare(const void *a, const void *b)
{
	const struct thread_switches *one = a, *two = b;

	return (one->tid > two->tid) - (one->tid < two->tid);
}

/**
 * struct threads - the threads of a process
 * @thread: the threads
 * @nr: number of threads
 */
struct threads {
	struct thread_switches *thread;
	size_t nr;
};

/* Add a thread. Returns false if there is no memory. */
static bool add_thread(struct threads *threads,
		       const struct thread_switches *thread)
{
	struct thread_switches *more =
		reallocarray(threads->thread, threads->nr + 1, sizeof(*more));

	if (!more)
		return false;
	more[threads->nr++] = *thread;
	threads->thread = more;
	return true;
}

/*
 * Read the threads of a process. Sets @ended to whether one of them has ended before it was read.
 * If the threads cannot be read, returns false and sets @threads to none.
 */
static bool read_threads_once(pid_t pid, struct threads *threads, bool *ended)
{
	struct thread_switches thread;
	char path[PATH_SIZE];
	struct dirent *entry;
	bool failed = false;
	DIR *directory;

	*ended = false;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	directory = opendir(path);
	if (!directory)
		return false;
	while (!failed && (entry = readdir(directory))) {
		if (*entry->d_name == '.')
			continue;
		if (read_thread(pid, (pid_t)strtol(entry->d_name, NULL, 10),
				&thread))
			failed = !add_thread(threads, &thread);
		else
			*ended = true;
	}
	closedir(directory);
	if (failed || !threads->nr) {
		free(threads->thread);
		*threads = (struct threads){ .nr = 0 };
		return false;
	}
	return true;
}

/*
 * Like read_threads_once(), but sort the threads. A thread that executes a program takes the number
 * of the first thread. If this happens between the reads of both threads, the read has the counts
 * of the first thread under this number, and lacks the other thread. So read again if a thread has
 * ended.
 */
static bool read_threads(pid_t pid, struct threads *threads)
{
	bool ended = true;
	int i;

	for (i = 0; ended && i < READ_TRIES; i++) {
		free(threads->thread);
		*threads = (struct threads){ .nr = 0 };
		if (!read_threads_once(pid, threads, &ended))
			return false;
	}
	qsort(threads->thread, threads->nr, sizeof(*threads->thread), compare);
	return true;
}

/*
 * Tell whether two counts may belong to the same thread. The counts of a thread never decrease.
 */
static bool may_become(const struct thread_switches *before,
		       const struct thread_switches *now)
{
	return now->count[0] >= before->count[0] &&
	       now->count[1] >= before->count[1];
}

static const struct thread_switches *find_thread(const struct threads *threads,
						 pid_t tid)
{
	const struct thread_switches key = { .tid = tid };

	return bsearch(&key, threads->thread, threads->nr, sizeof(key),
		       compare);
}

/* Tell whether a thread still exists. Its number may belong to another thread now. */
static bool runs_on(const struct thread_switches *before,
		    const struct threads *threads)
{
	const struct thread_switches *now = find_thread(threads, before->tid);

	return now && may_become(before, now);
}

static uint64_t total(const struct thread_switches *thread)
{
	return thread->count[0] + thread->count[1];
}

/*
 * Find the thread that now has the number of the process. A thread gets this number when it
 * executes a program. If several threads are possible, choose the thread with the most switches.
 * Then no switch is counted twice, and missing switches appear in the final numbers.
 */
static const struct thread_switches *
first_before(const struct present_usage *usage, const struct threads *threads,
	     pid_t pid)
{
	const struct thread_switches *now = find_thread(threads, pid);
	const struct thread_switches *before = usage->thread, *found = NULL;
	size_t i;

	for (i = 0; now && i < usage->nr; i++, before++) {
		if (before->tid != pid && runs_on(before, threads))
			continue;
		if (may_become(before, now) &&
		    (!found || total(before) > total(found)))
			found = before;
	}
	return found;
}

/* Add up the switches of the threads that have ended. */
static void keep_ended(struct present_usage *usage,
		       const struct threads *threads, pid_t pid)
{
	const struct thread_switches *first = first_before(usage, threads, pid);
	const struct thread_switches *before = usage->thread;
	size_t i, j;

	for (i = 0; i < usage->nr; i++, before++) {
		if (before == first ||
		    (before->tid != pid && runs_on(before, threads)))
			continue;
		for (j = 0; j < NR_SWITCHES; j++)
			usage->ended[j] += before->count[j];
	}
}

static void read_switches(struct present_usage *usage, pid_t pid)
{
	struct threads threads = { .nr = 0 };
	uint64_t sum;
	size_t i, j;

	if (!read_threads(pid, &threads))
		return;
	keep_ended(usage, &threads, pid);
	for (j = 0; j < NR_SWITCHES; j++) {
		sum = usage->ended[j];
		for (i = 0; i < threads.nr; i++)
			sum += threads.thread[i].count[j];
		raise_to(&usage->count[VOLUNTARY_SWITCHES + j], sum);
	}
	free(usage->thread);
	usage->thread = threads.thread;
	usage->nr = threads.nr;
}

void read_present_usage(struct present_usage *usage, pid_t pid)
{
	read_faults(usage, pid);
	read_switches(usage, pid);
}

/*
 * Take the final numbers. From 2^31 on, a long of 32 bits is negative, so convert the
 * numbers to unsigned ones.
 */
void end_present_usage(struct present_usage *usage, const struct rusage *all)
{
	raise_to(&usage->count[MINOR_FAULTS], (unsigned long)all->ru_minflt);
	raise_to(&usage->count[MAJOR_FAULTS], (unsigned long)all->ru_majflt);
	raise_to(&usage->count[VOLUNTARY_SWITCHES],
		 (unsigned long)all->ru_nvcsw);
	raise_to(&usage->count[INVOLUNTARY_SWITCHES],
		 (unsigned long)all->ru_nivcsw);
}

void begin_usage_block(struct present_usage *usage)
{
	size_t i;

	for (i = 0; i < NR_PRESENT; i++)
		usage->block[i] = usage->count[i] - usage->printed[i];
	memcpy(usage->printed, usage->count, sizeof(usage->printed));
}

void free_present_usage(struct present_usage *usage)
{
	free(usage->thread);
	usage->thread = NULL;
	usage->nr = 0;
}
