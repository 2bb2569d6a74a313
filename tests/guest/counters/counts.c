// SPDX-License-Identifier: GPL-2.0-only
/*
 * counts [-j N] LIST: run perfex on the programs of a list, and compare its reports with the list.
 * The whole list needs only one boot of the guest.
 *
 * A line of LIST is
 *
 *	NAME STATUS EVENT=COUNT[,EVENT=COUNT]... COMMAND [ARG...]
 *
 * with blanks between the words. For each line the program runs "perfex -n -e EVENT... -o FILE --
 * COMMAND ARG...". The option -n leaves out children, because the counts of killed children are not
 * known. Up to N commands, by default 1, run at the same time. For each one the program prints a
 * line "ok NAME ..." or "FAIL NAME ...". The exit status is 0 if there was at least one line and no
 * command failed.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"

#define MAX_EVENTS 18
#define MAX_ARGS   16
#define MAX_JOBS   8
#define MAX_LINE   2048

/*
 * struct job - one line of the list, and the perfex that runs for it
 * @pid: process ID of perfex, or 0 if this job is free
 * @line: the line, divided into the words to which the pointers below refer
 * @name: the name
 * @status: the exit status that perfex must have
 * @nr_events: the number of events
 * @events: the texts of the events
 * @wanted: the counts that perfex must report
 * @command: the command and its arguments
 * @report: the file for the report of perfex
 * @errors: the file for the error messages of perfex
 */
struct job {
	pid_t pid;
	char line[MAX_LINE];
	const char *name;
	int status;
	unsigned int nr_events;
	const char *events[MAX_EVENTS];
	uint64_t wanted[MAX_EVENTS];
	char *command[MAX_ARGS];
	char report[32];
	char errors[32];
};

static struct job jobs[MAX_JOBS];
static unsigned int cases;

static char *word(char *line)
{
	char *found = strtok(line, " \n");

	if (!found)
		errx(2, "a line of the list is too short");
	return found;
}

static int number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < 0 || value > INT32_MAX)
		errx(2, "%s is not a number", text);
	return (int)value;
}

static void parse_events(struct job *job, char *text)
{
	char *save, *event, *wanted;

	job->nr_events = 0;
	for (event = strtok_r(text, ",", &save); event;
	     event = strtok_r(NULL, ",", &save)) {
		wanted = strchr(event, '=');
		if (!wanted || job->nr_events == MAX_EVENTS)
			errx(2, "%s: bad events", job->name);
		*wanted++ = '\0';
		job->events[job->nr_events] = event;
		job->wanted[job->nr_events++] = strtoull(wanted, NULL, 10);
	}
}

static void parse(struct job *job)
{
	char *events;
	int i = 0;

	job->name = word(job->line);
	job->status = number(word(NULL));
	events = word(NULL);
	job->command[0] = word(NULL);
	while (job->command[i]) {
		if (++i == MAX_ARGS)
			errx(2, "%s: too many arguments", job->name);
		job->command[i] = strtok(NULL, " \n");
	}
	parse_events(job, events);
}

static void open_as(int fd, const char *path, int flags)
{
	int opened = open(path, flags, 0600);

	if (opened < 0 || dup2(opened, fd) < 0)
		err(2, "%s", path);
	close(opened);
}

static _Noreturn void exec_perfex(const struct job *job)
{
	const char *args[2 * MAX_EVENTS + MAX_ARGS + 8];
	unsigned int n = 0, i;

	args[n++] = "perfex";
	args[n++] = "-n";
	for (i = 0; i < job->nr_events; i++) {
		args[n++] = "-e";
		args[n++] = job->events[i];
	}
	args[n++] = "-o";
	args[n++] = job->report;
	args[n++] = "--";
	for (i = 0; job->command[i]; i++)
		args[n++] = job->command[i];
	args[n] = NULL;
	open_as(0, "/dev/null", O_RDONLY);
	open_as(1, "/dev/null", O_WRONLY);
	open_as(2, job->errors, O_WRONLY | O_CREAT | O_TRUNC);
	execvp("perfex", (char **)args);
	err(2, "perfex");
}

static void start(struct job *job)
{
	int place = (int)(job - jobs);

	parse(job);
	snprintf(job->report, sizeof(job->report), "/tmp/counts.%d", place);
	snprintf(job->errors, sizeof(job->errors), "/tmp/errors.%d", place);
	unlink(job->report);
	job->pid = child_fork();
	if (!job->pid)
		exec_perfex(job);
}

/*
 * Return whether the line of the report has no number, and need not have a number. perfex prints
 * a dash for an event that never happens or is not emulated. Its count must be 0 in the list.
 */
static bool has_no_number(const struct job *job, unsigned int i,
			  const char *line)
{
	return !job->wanted[i] && line[strspn(line, " ")] == '-';
}

static bool is_remark(const char *line)
{
	return line[0] == '#' &&
	       (strstr(line, " of clocks, one per instruction: ") ||
		strstr(line, " modelled: the emulator has its own rules"));
}

/* Read the next line after the counts. Skip remarks on how the emulator counts. */
static bool read_rest(FILE *report, char *line, size_t size)
{
	while (fgets(line, (int)size, report)) {
		if (!is_remark(line))
			return true;
	}
	return false;
}

/* Compare the report with the line of the list. @why receives the first difference. */
static bool compare(const struct job *job, char *why, size_t size)
{
	FILE *report = fopen(job->report, "r");
	char line[256], *end;
	uint64_t got;
	unsigned int i;
	bool same = true;

	if (!report) {
		snprintf(why, size, "no report");
		return false;
	}
	for (i = 0; same && i < job->nr_events; i++) {
		if (!fgets(line, sizeof(line), report)) {
			snprintf(why, size, "no count of %s", job->events[i]);
			same = false;
			break;
		}
		if (has_no_number(job, i, line))
			continue;
		got = strtoull(line, &end, 10);
		if (end == line || got != job->wanted[i]) {
			snprintf(why, size, "%s got %" PRIu64 " want %" PRIu64,
				 job->events[i], got, job->wanted[i]);
			same = false;
		}
	}
	if (same && read_rest(report, line, sizeof(line))) {
		snprintf(why, size, "one more line: %s", line);
		same = false;
	}
	fclose(report);
	return same;
}

static void first_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "r");

	line[0] = '\0';
	if (!file)
		return;
	if (fgets(line, (int)size, file))
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

/* Return the texts of the events, with blanks in between. */
static const char *all_events(const struct job *job)
{
	static char text[MAX_LINE];
	size_t length = 0;
	unsigned int i;

	for (i = 0; i < job->nr_events; i++)
		length +=
			(size_t)snprintf(text + length, sizeof(text) - length,
					 "%s%s", i ? " " : "", job->events[i]);
	return text;
}

static void finish(struct job *job, int wait_status)
{
	char why[300] = "", complaint[200];
	int status = WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
					      : WEXITSTATUS(wait_status);
	bool same = compare(job, why, sizeof(why));

	first_line(job->errors, complaint, sizeof(complaint));
	if (status != job->status)
		check(false, "%s status got %d want %d %s %s", job->name,
		      status, job->status, why, complaint);
	else
		check(same && !complaint[0], "%s %s %s", job->name,
		      all_events(job), complaint[0] ? complaint : why);
	cases++;
	job->pid = 0;
}

/* Return a free job. If all are in use, wait until one is free. */
static struct job *free_place(unsigned int places)
{
	unsigned int i;
	int status;
	pid_t pid;

	for (;;) {
		for (i = 0; i < places; i++)
			if (!jobs[i].pid)
				return &jobs[i];
		pid = wait(&status);
		for (i = 0; i < places; i++)
			if (jobs[i].pid == pid)
				finish(&jobs[i], status);
	}
}

static void run_list(FILE *list, unsigned int places)
{
	struct job *job = free_place(places);
	unsigned int i;
	int status;

	while (fgets(job->line, sizeof(job->line), list)) {
		start(job);
		job = free_place(places);
	}
	for (i = 0; i < places; i++)
		if (jobs[i].pid && waitpid(jobs[i].pid, &status, 0) > 0)
			finish(&jobs[i], status);
}

int main(int argc, char **argv)
{
	unsigned int places = 1;
	FILE *list;
	int option;

	while ((option = getopt(argc, argv, "j:")) != -1) {
		if (option != 'j')
			return 2;
		places = (unsigned int)number(optarg);
	}
	if (optind != argc - 1 || !places || places > MAX_JOBS)
		errx(2, "usage: counts [-j N] LIST");
	list = fopen(argv[optind], "re");
	if (!list)
		err(2, "%s", argv[optind]);
	run_list(list, places);
	fclose(list);
	return cases ? check_status() : 2;
}
