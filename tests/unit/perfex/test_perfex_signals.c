// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests signals to perfex, and that perfex starts a command like a shell.
 *
 * $PPID of the command is perfex. The tests run kill(1) through env(1), so that a process other
 * than the command sends the signal.
 */
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run/signals.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

static const struct {
	const char *name;
	int number;
} passed[] = {
	{ "TERM", SIGTERM }, { "HUP", SIGHUP },	  { "INT", SIGINT },
	{ "QUIT", SIGQUIT }, { "USR1", SIGUSR1 },
};

static const char dies[] = "env kill -TERM $PPID; exec sleep 100";
static const char hangs_up[] = "env kill -HUP $PPID; exec sleep 100";
static const char signals_by_itself[] =
	"trap 'echo got' TERM; kill -TERM $PPID; sleep 0.1; exit 4";
static const char has_a_file[] =
	"echo $VPMC_REGIONS_FILE; env kill $PPID; exec sleep 100";

/* The command decides how to react to the signal. The report is printed in any case. */
static void the_command_gets_the_signals_of_perfex(void **state)
{
	char command[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(passed); i++) {
		signal(passed[i].number, SIG_DFL);
		snprintf(command, sizeof(command),
			 "trap 'echo got; exit 3' %s; env kill -%s $PPID;"
			 " while :; do sleep 0.01; done",
			 passed[i].name, passed[i].name);
		PERFEX_EXITS(3, "sh", "-c", command);
		assert_string_equal(stdout_text, "got\n");
		assert_string_equal(stderr_text, ONE_EVENT);
	}
}

static void a_command_that_dies_of_it_is_reported(void **state)
{
	PERFEX_EXITS(128 + SIGTERM, "-m", "sh", "-c", dies);
	assert_memory_equal(stderr_text, "# process", 9);
	check_says(stderr_text, ONE_EVENT);
	PERFEX_EXITS(128 + SIGHUP, "--system", "sh", "-c", hangs_up);
	check_says(stderr_text, "  instructions_executed:uk\n");
}

/* A process that signals perfex may have signalled the command itself. */
static void the_command_does_not_get_its_own_signal_back(void **state)
{
	PERFEX_EXITS(4, "sh", "-c", signals_by_itself);
	assert_string_equal(stdout_text, "");
}

static void no_file_is_left_behind(void **state)
{
	char *end;

	PERFEX_EXITS(128 + SIGTERM, "--regions", "sh", "-c", has_a_file);
	end = strchr(stdout_text, '\n');
	assert_non_null(end);
	*end = '\0';
	assert_int_equal(stdout_text[0], '/');
	assert_int_equal(access(stdout_text, F_OK), -1);
}

/* Let another process choose a second signal, which comes after some more intervals. */
static pid_t end_later(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	while (fake->system_reads < 5)
		usleep(1000);
	fake->signal = SIGTERM;
	fake->signal_read = fake->system_reads + 20;
	_exit(0);
}

/* A shell without job control starts background commands with ignored signals. */
static void a_signal_that_is_ignored_does_not_end_system_mode(void **state)
{
	pid_t pid;

	fake->signal = SIGHUP;
	fake->signal_read = 2;
	signal(SIGHUP, SIG_IGN);
	pid = end_later();
	PERFEX_EXITS(0, "--system", "--interval", "0.001", "-o", "/dev/null");
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(fake->system_reads > 20);
}

static void with_path(const char *format)
{
	char list[200];

	snprintf(list, sizeof(list), format, directory);
	setenv("PATH", list, 1);
}

/* C libraries search for commands in different ways, so perfex searches itself. */
static void a_command_is_found_as_by_a_shell(void **state)
{
	const char *before = getenv("PATH");
	char saved[4096];

	assert_non_null(before);
	snprintf(saved, sizeof(saved), "%s", before);
	/* The script does not name an interpreter. */
	fill_program(path, "echo $#: $1 $2; exit 5\n");
	snprintf(other, sizeof(other), "%s/true", directory);
	assert_int_equal(mkdir(other, 0755), 0);

	with_path("/etc/passwd:/no/such:%s:/bin:/usr/bin");
	PERFEX_EXITS(5, "file", "a", "b c");
	assert_string_equal(stdout_text, "2: a b c\n");
	assert_string_equal(stderr_text, ONE_EVENT);
	PERFEX_EXITS(0, "true");
	with_path("%s:/etc/passwd");
	PERFEX_EXITS(PERFEX_NOT_FOUND, "none");
	check_sentence("cannot find ... \"none\"");

	setenv("PATH", saved, 1);
	PERFEX_EXITS(5, path, "x");
	assert_string_equal(stdout_text, "1: x\n");
	assert_int_equal(rmdir(other), 0);
}

/* Each wait needs the set of these signals, but perfex must query the kernel only once. */
static void signals_are_found_out_once(void **state)
{
	sigset_t before, after;
	pid_t pid;

	pid = fork();
	if (!pid) {
		before = ending_signals();
		signal(SIGUSR1, SIG_IGN);
		after = ending_signals();
		_exit(!sigismember(&before, SIGUSR1) ||
		      !sigismember(&after, SIGUSR1));
	}
	check_status(pid, 0);
}

/* The orphan exits after its parent, and is a zombie until it is reaped. */
static const char leaves_an_orphan[] =
	"[ $PPID = 1 ] || exit 9;"
	" pid=$(sh -c 'sleep 0.1 >/dev/null & echo $!');"
	" for i in $(seq 500); do"
	" kill -0 $pid 2>/dev/null || exit 5; sleep 0.01; done; exit 6";
static const char gets_signals[] =
	"trap 'exit 5' %s; env kill -%s $PPID;"
	" for i in $(seq 500); do sleep 0.01; done; exit 6";

#define NO_NAMESPACE 77

/*
 * Let a perfex that is the first process of a PID namespace count a shell that runs @script.
 * Such a namespace ends with its first process, so each call creates a new one.
 */
static int count_as_first(const char *script)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (unshare(CLONE_NEWPID) &&
		    unshare(CLONE_NEWUSER | CLONE_NEWPID))
			_exit(NO_NAMESPACE);
		_exit(PERFEX("sh", "-c", script));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_NAMESPACE)
		skip();
	return WEXITSTATUS(status);
}

static void the_first_process_reaps_orphans(void **state)
{
	assert_int_equal(count_as_first(leaves_an_orphan), 5);
}

static void the_first_process_passes_all_signals_on(void **state)
{
	static const char *const names[] = { "TERM", "WINCH", "CONT", "TSTP" };
	char script[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(script, sizeof(script), gets_signals, names[i],
			 names[i]);
		assert_int_equal(count_as_first(script), 5);
	}
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)
static const struct CMUnitTest tests[] = {
	DRIVER_TEST(the_command_gets_the_signals_of_perfex),
	DRIVER_TEST(a_command_that_dies_of_it_is_reported),
	DRIVER_TEST(the_command_does_not_get_its_own_signal_back),
	DRIVER_TEST(no_file_is_left_behind),
	DRIVER_TEST(the_first_process_reaps_orphans),
	DRIVER_TEST(the_first_process_passes_all_signals_on),
	DRIVER_TEST(a_signal_that_is_ignored_does_not_end_system_mode),
	cmocka_unit_test(signals_are_found_out_once),
	DIRECTORY_TEST(a_command_is_found_as_by_a_shell),
};

UNIT_MAIN(tests)
