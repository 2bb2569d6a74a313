// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * workers: count what each of several processes does.
 *
 *	workers N COMMAND [ARGUMENT...]
 *
 * runs COMMAND in N processes at once, waits for them, and prints how many
 * instructions and branches each of them executed in user mode, and the sum.
 * This includes processes that they waited for.
 *
 * The program itself is not counted. Each worker starts to count when it
 * executes COMMAND, so its counts do not include this program. Its counts are
 * added to VPMC_CHILDREN of this process when this process waits for it. The
 * difference that one wait makes is the count of one worker.
 *
 *	cc -o workers workers.c $(pkg-config --cflags --libs vpmc)
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#define NR_EVENTS   2
#define MAX_WORKERS 1000

static const char *const event_names[NR_EVENTS] = { "instructions_executed",
						    "branches" };

static void choose_events(struct vpmc *vpmc,
			  struct vpmc_event_sel sel[NR_EVENTS])
{
	struct vpmc_error error;
	int i;

	for (i = 0; i < NR_EVENTS; i++) {
		if (vpmc_event_parse(vpmc_pmu_of(vpmc), event_names[i],
				     VPMC_USER, &sel[i], &error))
			errx(1, "%s", error.text);
	}
}

/*
 * VPMC_CHILDREN of this process begins at zero of these events, whatever it has
 * been until now. Having stopped, the process hands nothing on to its workers.
 */
static void begin(struct vpmc *vpmc, const struct vpmc_event_sel sel[NR_EVENTS])
{
	struct vpmc_error error;

	if (vpmc_start(vpmc, sel, NR_EVENTS, 0, &error) ||
	    vpmc_stop(vpmc, &error))
		errx(1, "%s", error.text);
}

/*
 * A handle stands for one process, the one that starts on it: each worker
 * needs its own handle, and execve(2) closes it.
 */
static _Noreturn void be_worker(const struct vpmc_event_sel sel[NR_EVENTS],
				char **command)
{
	struct vpmc_error error;
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &error) ||
	    vpmc_start(vpmc, sel, NR_EVENTS, VPMC_AT_EXEC, &error)) {
		warnx("%s", error.text);
		_exit(126);
	}
	execvp(command[0], command);
	warn("cannot execute the command \"%s\"", command[0]);
	_exit(127);
}

static void create_workers(const struct vpmc_event_sel sel[NR_EVENTS],
			   unsigned int nr, char **command)
{
	unsigned int i;
	pid_t pid;

	for (i = 0; i < nr; i++) {
		pid = fork();
		if (pid < 0)
			err(1, "cannot create worker %u of %u", i + 1, nr);
		if (!pid)
			be_worker(sel, command);
	}
}

static struct vpmc_counts read_children(struct vpmc *vpmc)
{
	struct vpmc_counts counts;
	struct vpmc_error error;

	if (vpmc_read(vpmc, VPMC_CHILDREN, &counts, &error))
		errx(1, "%s", error.text);
	return counts;
}

static void print_line(const char *who, const struct vpmc_counts *from,
		       const struct vpmc_counts *to)
{
	int i;

	printf("%8s", who);
	for (i = 0; i < NR_EVENTS; i++)
		printf("  %22" PRIu64, to->count[i] - from->count[i]);
	putchar('\n');
}

static void print_header(void)
{
	int i;

	printf("%8s", "# worker");
	for (i = 0; i < NR_EVENTS; i++)
		printf("  %22s", event_names[i]);
	putchar('\n');
}

static void print_missing(const char *why, unsigned int threads)
{
	if (threads)
		printf("# threads missing because %s: %u\n", why, threads);
}

static pid_t wait_for_one(int *status)
{
	pid_t pid;

	do {
		pid = wait(status);
	} while (pid < 0 && errno == EINTR);
	if (pid < 0)
		err(1, "cannot wait for a worker");
	return pid;
}

/* Returns how many workers did not end with status 0. */
static unsigned int wait_for_workers(struct vpmc *vpmc, unsigned int nr)
{
	struct vpmc_counts zero = { .nr = 0 }, before, now = zero;
	unsigned int i, bad = 0;
	char who[16];
	int status;

	for (i = 0; i < nr; i++) {
		before = now;
		snprintf(who, sizeof(who), "%d", (int)wait_for_one(&status));
		now = read_children(vpmc);
		print_line(who, &before, &now);
		if (status)
			bad++;
	}
	print_line("total", &zero, &now);
	print_missing("they counted other events", now.other_events);
	print_missing("they executed a privileged program", now.revoked);
	return bad;
}

static unsigned int number_of_workers(const char *text)
{
	char *end;
	unsigned long nr;

	errno = 0;
	nr = strtoul(text, &end, 10);
	if (errno || end == text || *end || nr < 1 || nr > MAX_WORKERS)
		errx(1,
		     "\"%s\" is not a number of workers:"
		     " give one from 1 to %d",
		     text, MAX_WORKERS);
	return (unsigned int)nr;
}

int main(int argc, char **argv)
{
	struct vpmc_event_sel sel[NR_EVENTS];
	struct vpmc_error error;
	unsigned int nr, bad;
	struct vpmc *vpmc;

	if (argc < 3)
		errx(1, "say how many workers and what they execute:"
			" workers N COMMAND [ARGUMENT...]");
	nr = number_of_workers(argv[1]);
	if (vpmc_open(&vpmc, &error))
		errx(1, "%s", error.text);
	choose_events(vpmc, sel);
	begin(vpmc, sel);
	create_workers(sel, nr, argv + 2);

	print_header();
	bad = wait_for_workers(vpmc, nr);
	vpmc_close(vpmc);
	if (bad)
		errx(1, "%u of %u workers failed", bad, nr);
	return 0;
}
