// SPDX-License-Identifier: GPL-2.0-only
/*
 * irix_calls: test the counts of libperfex's functions, and their errors.
 */
#include <err.h>
#include <fcntl.h>
#include <libperfex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../guest/lib/check.h"
#include "irix_loop.h"

#define INSTRUCTIONS 0x16
#define BRANCHES     0x12
#define NONE	     (-99)

struct pair {
	long long count[2];
};

/* These are the messages that a call has written to standard error, and their number. */
static char said[512];
static unsigned int lines;
static int saved_error;

static void listen_to_error(void)
{
	int fd = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);

	saved_error = dup(STDERR_FILENO);
	if (fd < 0 || saved_error < 0 || dup2(fd, STDERR_FILENO) < 0)
		err(EXIT_FAILURE, "said");
	close(fd);
}

static void hear_error(void)
{
	ssize_t length;
	char *end;

	length = pread(STDERR_FILENO, said, sizeof(said) - 1, 0);
	said[length > 0 ? length : 0] = '\0';
	for (lines = 0, end = said; (end = strchr(end, '\n')); lines++)
		*end = ';';
	dup2(saved_error, STDERR_FILENO);
	close(saved_error);
	unlink("said");
}

static bool fails(int ret, const char *word)
{
	hear_error();
	return ret == -1 && !strncmp(said, "libperfex: ", 11) &&
	       strstr(said, word) && lines == 1;
}

static struct pair measure(int e0, int e1, unsigned int rounds)
{
	struct pair pair = { { NONE, NONE } };
	int started, read;

	started = start_counters(e0, e1);
	loop(rounds);
	read = read_counters(e0, &pair.count[0], e1, &pair.count[1]);
	if (started <= 0 || read != started)
		check(false, "start gives %d, read %d", started, read);
	return pair;
}

/* The instructions of the functions themselves are the same each time, and cancel out. */
static void counts_are_exact(void)
{
	const struct pair few = measure(INSTRUCTIONS, BRANCHES, 1000);
	const struct pair many = measure(INSTRUCTIONS, BRANCHES, 51000);
	const struct pair again = measure(INSTRUCTIONS, BRANCHES, 1000);

	check(many.count[0] - few.count[0] == 50000LL * LOOP_INSTRUCTIONS,
	      "instructions: %lld, then %lld", few.count[0], many.count[0]);
	check(many.count[1] - few.count[1] == 50000LL * LOOP_BRANCHES,
	      "branches: %lld, then %lld", few.count[1], many.count[1]);
	check(again.count[0] == few.count[0] && again.count[1] == few.count[1],
	      "a start is from zero: %lld, then %lld", few.count[0],
	      again.count[0]);
	check(few.count[0] >= 2000 && few.count[0] < 3000,
	      "the functions cost %lld instructions", few.count[0] - 2000);
}

static void order_does_not_matter(void)
{
	const struct pair one = measure(INSTRUCTIONS, BRANCHES, 1000);
	const struct pair other = measure(BRANCHES, INSTRUCTIONS, 1000);

	check(one.count[0] >= 2000 && one.count[1] >= 1000 &&
		      other.count[1] >= 2000 && other.count[0] >= 1000 &&
		      other.count[0] < 2000,
	      "%lld and %lld, other way round %lld and %lld", one.count[0],
	      one.count[1], other.count[0], other.count[1]);
}

static long long with_child(const char *program)
{
	long long c0 = NONE, c1 = NONE;
	pid_t pid;

	start_counters(INSTRUCTIONS, BRANCHES);
	pid = fork();
	if (!pid) {
		execl(program, program, NULL);
		_exit(EXIT_FAILURE);
	}
	waitpid(pid, NULL, 0);
	read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1);
	return c0;
}

static void children_are_added(void)
{
	const long long few = with_child("./exactly-1000");
	const long long many = with_child("./exactly-100000");

	check(many - few == 99000, "with a child of 1000: %lld, 100000: %lld",
	      few, many);
}

/* A child is counted for its parent only if the parent waits for it. */
static void children_begin_at_zero(void)
{
	long long c0 = NONE, c1 = NONE;
	pid_t pid;
	int status;

	start_counters(INSTRUCTIONS, BRANCHES);
	loop(100000);
	pid = fork();
	if (!pid) {
		read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1);
		_exit(c0 > 0 && c0 < 20000 ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "a child reads what it has done itself");
	read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1);
	check(c0 > 200000, "the parent has %lld", c0);
}

static void *measure_in_thread(void *pair)
{
	*(struct pair *)pair = measure(INSTRUCTIONS, BRANCHES, 1000000);
	return NULL;
}

static void threads_count_for_themselves(void)
{
	long long c0 = NONE, c1 = NONE;
	struct pair other = { { NONE, NONE } };
	pthread_t thread;

	start_counters(INSTRUCTIONS, BRANCHES);
	if (pthread_create(&thread, NULL, measure_in_thread, &other))
		check(false, "no thread");
	pthread_join(thread, NULL);
	read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1);
	check(other.count[0] >= 2000000 && other.count[0] < 2010000 && c0 > 0 &&
		      c0 < 100000,
	      "one counts %lld, meanwhile the other %lld", other.count[0], c0);
}

static void starts_are_told_apart(void)
{
	long long c0, c1;
	const int first = start_counters(INSTRUCTIONS, BRANCHES);
	const int second = start_counters(INSTRUCTIONS, BRANCHES);

	check(first > 0 && second > 0 && first != second, "starts %d and %d",
	      first, second);
	check(read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1) == second,
	      "the read has the number of the second");
}

static void environment_replaces(void)
{
	const struct pair plain = measure(BRANCHES, INSTRUCTIONS, 1000);
	struct pair pair;

	setenv("T5_EVENT0", "18", 1);
	setenv("T5_EVENT1", "instructions_executed", 1);
	pair = measure(0, 1, 1000);
	check(pair.count[0] > 1000 && pair.count[0] < 2000 &&
		      pair.count[1] > 2000,
	      "T5_EVENT0 and T5_EVENT1 are counted: %lld and %lld, want about"
	      " %lld and %lld",
	      pair.count[0], pair.count[1], plain.count[0], plain.count[1]);
	listen_to_error();
	print_counters(0, 7, 1, 9);
	hear_error();
	check(strstr(said, "18 branches..") && strstr(said, " 7;") &&
		      strstr(said, "22 instructions_executed..") &&
		      strstr(said, " 9;"),
	      "and printed: %s", said);
	unsetenv("T5_EVENT0");
	unsetenv("T5_EVENT1");
}

static void errors(bool mmx)
{
	long long c0 = NONE, c1 = NONE;
	pid_t pid = fork();
	int status;

	if (!pid) {
		listen_to_error();
		_exit(!fails(read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1),
			     "start"));
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "a read before any start fails");

	listen_to_error();
	check(fails(start_counters(0x3f, BRANCHES), "0x3f") ||
		      strstr(said, "63"),
	      "an unknown event: %s", said);
	listen_to_error();
	check(fails(start_counters(-5, BRANCHES), "-5"),
	      "a negative number: %s", said);

	start_counters(INSTRUCTIONS, BRANCHES);
	listen_to_error();
	check(fails(read_counters(BRANCHES, &c0, INSTRUCTIONS, &c1),
		    "not those to be read") &&
		      c0 == NONE && c1 == NONE,
	      "a read of others: %s", said);
	check(read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1) > 0,
	      "which has not stopped the count");
	listen_to_error();
	check(fails(load_costs("/nowhere"), "/nowhere"), "costs of no file: %s",
	      said);

	setenv("T5_EVENT0", mmx ? "emms_executed" : "branches@1", 1);
	setenv("T5_EVENT1", mmx ? "mmx_instructions_u_pipe" : "data_read@1", 1);
	listen_to_error();
	check(fails(start_counters(0, 0), "conflicting counters"),
	      "events of one counter: %s", said);
	listen_to_error();
	check(fails(print_costs(0, 1, 0, 1), "conflicting counters"),
	      "and printed: %s", said);
	unsetenv("T5_EVENT0");
	unsetenv("T5_EVENT1");
}

int main(int argc, char **argv)
{
	errors(argc > 1 && !strcmp(argv[1], "mmx"));
	counts_are_exact();
	order_does_not_matter();
	children_are_added();
	children_begin_at_zero();
	threads_count_for_themselves();
	starts_are_told_apart();
	environment_replaces();
	return check_status();
}
