// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --control, --signals, --start-stopped and --delay over a fake driver:
 * reports must not contain events that happen while counting is stopped.
 */
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

/* These numbers are above the descriptors that perfex uses in this test. */
#define ORDERS_FD 300
#define ACKS_FD	  301

/* If an answer takes longer, the test assumes that it does not come. */
#define LIMIT_MS 5000

/*
 * These are pipes, and their names on the command line. The command runs until the pipe "gate"
 * is opened.
 */
static char orders[sizeof(path)], acks[sizeof(path)], gate[sizeof(path)];
static char both[sizeof(orders) + sizeof(acks)];

static int make_pipe(char *pipe_path, const char *name, int number)
{
	int fd;

	snprintf(pipe_path, sizeof(path), "%s/%s", directory, name);
	if (mkfifo(pipe_path, 0600))
		return -1;
	fd = open(pipe_path, O_RDWR);
	return number < 0 || dup2(fd, number) == number ? close(fd) : -1;
}

static int make_pipes(void **state)
{
	if (directory_setup(state) || make_pipe(orders, "orders", ORDERS_FD) ||
	    make_pipe(acks, "acks", ACKS_FD) || make_pipe(gate, "gate", -1))
		return -1;
	snprintf(both, sizeof(both), "%s,%s", orders, acks);
	return 0;
}

static int remove_pipes(void **state)
{
	close(ORDERS_FD);
	close(ACKS_FD);
	unlink(orders);
	unlink(acks);
	unlink(gate);
	return directory_teardown(state);
}

static void end_command(void)
{
	close(open(gate, O_WRONLY));
}

/*
 * If this process just exited, perfex would wait for the command forever, and the test would wait
 * for perfex.
 */
static _Noreturn void fail_script(void)
{
	end_command();
	_exit(EXIT_FAILURE);
}

static void send_text(const char *text)
{
	const size_t length = strlen(text);

	if (write(ORDERS_FD, text, length) != (ssize_t)length)
		fail_script();
}

static void expect_answer(const char *line)
{
	struct pollfd polled = { .fd = ACKS_FD, .events = POLLIN };
	char text[16] = "";

	if (poll(&polled, 1, LIMIT_MS) != 1 ||
	    read(ACKS_FD, text, strlen(line)) != (ssize_t)strlen(line) ||
	    strcmp(text, line) != 0)
		fail_script();
}

static void tell(const char *line)
{
	send_text(line);
	expect_answer("ack\n");
}

/* Run perfex while another process executes @script and then ends the command. */
static int perfex_with(void (*script)(void), const char *const *args)
{
	int end, status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		script();
		end_command();
		_exit(EXIT_SUCCESS);
	}
	status = perfex(args);
	/* If perfex has failed, the script would wait for a command that has ended. */
	if (status)
		kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &end, 0), pid);
	/* Kill the script only if perfex has failed. */
	if (!status || !WIFSIGNALED(end))
		assert_int_equal(end, 0);
	return status;
}

#define PERFEX_WITH(script, ...)                                          \
	perfex_with(script, (const char *const[]){ "perfex", __VA_ARGS__, \
						   "cat", gate, NULL })

/* Check that the report has one count and the note of @parts; "" means no note. */
static void check_report(unsigned int count, const char *parts)
{
	char pattern[300];
	regex_t regex;

	snprintf(pattern, sizeof(pattern),
		 "^ *%u  0x16   instructions_executed:u\n%s%s%s$", count,
		 *parts ? "# counted in " : "", parts,
		 *parts ? " of the time: [0-9]+\\.[0-9]{3} of"
			  " [0-9]+\\.[0-9]{3} seconds\n"
			: "");
	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
	if (regexec(&regex, stderr_text, 0, NULL, 0))
		fail_msg("\"%s\" is not \"%s\"", stderr_text, pattern);
	regfree(&regex);
}

static void count_two_parts(void)
{
	tell("enable\n");
	fake->all.count[0] += 10;
	tell("disable\n");
	fake->all.count[0] += 100;
	tell("enable\n");
	fake->all.count[0] += 1000;
	tell("disable\n");
	fake->all.count[0] += 10000;
}

static void the_count_is_the_sum_of_its_parts(void **state)
{
	assert_int_equal(PERFEX_WITH(count_two_parts, "--control", both,
				     "--start-stopped"),
			 0);
	check_report(1010, "2 parts");
	/* Processes that are created while counting is stopped must be counted later. */
	assert_int_equal(fake->started.flags,
			 VPMC_START_AT_EXEC | VPMC_START_COLLECT);
	assert_int_equal(fake->stops, 0);
}

static void stop_for_a_while(void)
{
	fake->all.count[0] += 10;
	tell("disable\n");
	fake->all.count[0] += 100;
	tell("enable\n");
	fake->all.count[0] += 1000;
}

/* The fake count begins at 1000, as if the command had already counted this much. */
static void a_count_runs_unless_it_begins_stopped(void **state)
{
	assert_int_equal(PERFEX_WITH(stop_for_a_while, "--control", both), 0);
	check_report(2010, "2 parts");
}

static void say_things_twice(void)
{
	tell("disable\n");
	tell("enable\n");
	fake->all.count[0] += 10;
	tell("enable\n");
	fake->all.count[0] += 100;
	tell("disable\n");
	fake->all.count[0] += 1000;
	tell("disable\n");
}

static void an_order_for_what_is_so_already_changes_nothing(void **state)
{
	assert_int_equal(PERFEX_WITH(say_things_twice, "--control", both,
				     "--start-stopped"),
			 0);
	check_report(110, "1 part");
}

static void say_nothing(void)
{
}

static void what_was_never_started_is_said_to_be_so(void **state)
{
	assert_int_equal(PERFEX_WITH(say_nothing, "--control", both,
				     "--start-stopped"),
			 0);
	assert_string_equal(
		stderr_text,
		"                   0  0x16   instructions_executed:u\n"
		"# nothing was counted: the count was not started\n");
	fake->all.count[0] = 1000;
	assert_int_equal(PERFEX_WITH(say_nothing, "--control", both), 0);
	check_report(1000, "");
}

static void send_pieces(void)
{
	char line[200];

	send_text("ena");
	usleep(50000);
	tell("ble\n");
	fake->all.count[0] += 10;
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	send_text(line);
	send_text("disable\n");
	expect_answer("error\n");
	send_text("\ndisabled\n");
	expect_answer("error\n");
	expect_answer("error\n");
	fake->all.count[0] += 10;
	send_text("disable\nenable\ndisable\n");
	expect_answer("ack\n");
	expect_answer("ack\n");
	expect_answer("ack\n");
	fake->all.count[0] += 1000;
}

static void a_line_that_is_no_order_changes_nothing(void **state)
{
	assert_int_equal(PERFEX_WITH(send_pieces, "--control", both,
				     "--start-stopped", "-o", "/dev/stdout"),
			 0);
	check_says(stdout_text, "                  20  0x16 ");
	check_says(stdout_text, "counted in 2 parts");
	check_says(stderr_text, "perfex: unknown line \"xxxxxxxx");
	check_says(stderr_text, "perfex: unknown line \"\" from ");
	check_says(stderr_text, "perfex: unknown line \"disabled\""
				" from ");
	check_says(stderr_text, "write enable or disable");
}

static void orders_can_come_by_descriptors(void **state)
{
	assert_int_equal(PERFEX_WITH(count_two_parts, "--control=fd:300,301",
				     "--start-stopped"),
			 0);
	check_report(1010, "2 parts");
}

/*
 * Write all commands to the pipe, and wait until perfex has read them. perfex carries out all
 * of them before it looks at the counted command.
 */
static void give_orders_only(void)
{
	struct pollfd polled = { .fd = ORDERS_FD, .events = POLLIN };

	send_text("enable\ndisable\nnonsense\nenable\n");
	while (poll(&polled, 1, 0) > 0)
		usleep(1000);
}

/* perfex works without a reader of the acknowledgements. */
static void acknowledgements_need_not_be_wanted(void **state)
{
	int fd = open("/dev/null", O_RDONLY);

	assert_int_equal(PERFEX_WITH(give_orders_only, "--control", orders,
				     "--start-stopped", "-o", "/dev/stdout"),
			 0);
	check_says(stdout_text, "counted in 2 parts");
	/* perfex also works if the pipe cannot be written to. */
	dup2(fd, ACKS_FD);
	assert_int_equal(PERFEX_WITH(give_orders_only, "--control=fd:300,301",
				     "--start-stopped", "-o", "/dev/stdout"),
			 0);
	check_says(stdout_text, "counted in 2 parts");
	close(fd);
}

/* All writers have closed the FIFO. */
static void the_end_of_the_orders_is_not_that_of_the_count(void **state)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "disable\n", 8), 8);
	dup2(ends[0], ORDERS_FD);
	close(ends[0]);
	close(ends[1]);
	PERFEX_EXITS(0, "--control=fd:300", "-n", "sleep", "0.1");
	check_report(1000, "1 part");
}

static const char start_and_stop[] = "kill -USR1 $PPID; sleep 0.2;"
				     "kill -USR2 $PPID; sleep 0.2; exit 3";

/*
 * A subshell sends two signals to perfex. The command ends when perfex forwards the second signal
 * to it.
 */
static const char end_by_term[] =
	"trap 'exit 5' TERM; (kill -USR2 $PPID; sleep 0.1; kill $PPID) &"
	" while :; do sleep 0.01; done";
static const char end_by_usr1[] =
	"trap 'exit 5' USR1; (sleep 0.1; kill -USR1 $PPID) &"
	" while :; do sleep 0.01; done";

/* With -n, each read returns 10 more than the one before. */
static void signals_start_and_stop(void **state)
{
	fake->self_step = 10;
	PERFEX_EXITS(3, "-n", "--signals", "--start-stopped", "sh", "-c",
		     start_and_stop);
	check_report(10, "1 part");
}

/* The command does not get back a signal that it has sent to perfex, so a subshell sends it. */
static void other_signals_are_the_command_s(void **state)
{
	signal(SIGUSR1, SIG_IGN);
	PERFEX_EXITS(5, "--signals", "sh", "-c", end_by_term);
	signal(SIGUSR1, SIG_DFL);
	check_says(stderr_text, "counted in 1 part");
}

static void without_the_option_they_are_the_command_s_too(void **state)
{
	PERFEX_EXITS(5, "sh", "-c", end_by_usr1);
}

static void a_delay_ends_by_itself(void **state)
{
	fake->self_step = 10;
	PERFEX_EXITS(0, "-n", "--delay", "0.05", "sleep", "1");
	check_report(10, "1 part");
	PERFEX_EXITS(0, "-n", "--delay", "1000", "true");
	check_says(stderr_text, "# nothing was counted");
}

/* Each block has the counts of its interval only. */
static void intervals_go_with_parts(void **state)
{
	fake->self_step = 0;
	PERFEX_EXITS(0, "-n", "--delay", "1000", "--interval", "0.05", "sleep",
		     "1");
	assert_true(take_times(stderr_text) >= 2);
	assert_null(strstr(stderr_text, " 1000  0x16 "));
	fill(path, "");
	PERFEX_EXITS(0, "-n", "--delay", "1000", "--interval", "0.05", "--plot",
		     path, "true");
	check_says(parse_plot(path), "not counted");
	assert_null(strstr(parse_plot(path), "steps="));
}

static void lose_a_thread(void)
{
	tell("enable\n");
	fake->all.revoked = 1;
	fake->all.count[0] = 3;
	send_text("disable\n");
	expect_answer("error\n");
}

/*
 * The counts of a lost thread are no longer in the sum, but they may be in the value to
 * subtract.
 */
static void what_was_lost_makes_the_parts_invalid(void **state)
{
	assert_int_equal(PERFEX_WITH(lose_a_thread, "--control", both,
				     "--start-stopped"),
			 PERFEX_INVALID);
	check_says(stderr_text, "a privileged program");
	/* If counting has never stopped, the thread is only reported as missing. */
	assert_int_equal(PERFEX_WITH(say_nothing, "--control", both), 0);
	check_says(stderr_text, "# 1 thread is missing");
}

static const struct {
	const char *line;
	const char *words;
} mistakes[] = {
	{ "perfex --start-stopped true",
	  "--start-stopped needs --control or --signals" },
	{ "perfex --start-stopped --signals --delay=1 true",
	  "--start-stopped cannot be combined with --delay" },
	{ "perfex --signals -m true", "--signals ... -m" },
	{ "perfex --signals --regions true", "--regions" },
	{ "perfex --delay=1 -r2 true", "--delay ... -r" },
	{ "perfex --delay=1 --runs true", "--runs" },
	{ "perfex --delay=1 --compare true :: true", "--delay ... --compare" },
	{ "perfex --delay=1 --timeline=x true", "--delay ... --timeline" },
	{ "perfex --merge --signals x", "--merge cannot be combined with" },
	{ "perfex --control=x --system true", "--system" },
	{ "perfex --control=x -l", "-l ... --control" },
	{ "perfex --control=x --control=y true", "--control is given twice" },
	{ "perfex --delay=1 --delay=2 true", "--delay is given twice" },
	{ "perfex --delay=x true", "\"x\" ... --delay" },
	{ "perfex --delay=0 true", "\"0\" ... --delay" },
	{ "perfex --control=/no/such true",
	  "/no/such ... No such file ... mkfifo" },
	{ "perfex --control=/dev/null true",
	  "/dev/null ... not a named pipe ... mkfifo" },
	{ "perfex --control=fd:299 true",
	  "\"299\" ... not an open descriptor" },
	{ "perfex --control=fd: true", "\"\" ... fd:N" },
	{ "perfex --control=fd:300x true", "\"300x\"" },
	{ "perfex --control=fd:300,x true", "\"x\"" },
	{ "perfex --control=fd:99999999999 true", "\"99999999999\"" },
};

static void a_wrong_command_line_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		check_refused(mistakes[i].line, PERFEX_USAGE,
			      mistakes[i].words);
		assert_int_equal(fake->started.size, 0);
	}
}

/* A regular file is always ready, so poll(2) cannot tell when there is a new line. */
static void a_regular_file_tells_nothing(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);

	dup2(fd, ORDERS_FD);
	close(fd);
	PERFEX_EXITS(PERFEX_SYSTEM, "--control=fd:300", "true");
	check_sentence("cannot wait for lines");
}

#define CONTROL_TEST(f) \
	cmocka_unit_test_setup_teardown(f, make_pipes, remove_pipes)

static const struct CMUnitTest tests[] = {
	CONTROL_TEST(the_count_is_the_sum_of_its_parts),
	CONTROL_TEST(a_count_runs_unless_it_begins_stopped),
	CONTROL_TEST(an_order_for_what_is_so_already_changes_nothing),
	CONTROL_TEST(what_was_never_started_is_said_to_be_so),
	CONTROL_TEST(a_line_that_is_no_order_changes_nothing),
	CONTROL_TEST(orders_can_come_by_descriptors),
	CONTROL_TEST(acknowledgements_need_not_be_wanted),
	CONTROL_TEST(the_end_of_the_orders_is_not_that_of_the_count),
	CONTROL_TEST(signals_start_and_stop),
	CONTROL_TEST(other_signals_are_the_command_s),
	CONTROL_TEST(without_the_option_they_are_the_command_s_too),
	CONTROL_TEST(a_delay_ends_by_itself),
	CONTROL_TEST(intervals_go_with_parts),
	CONTROL_TEST(what_was_lost_makes_the_parts_invalid),
	CONTROL_TEST(a_wrong_command_line_is_refused),
	CONTROL_TEST(a_regular_file_tells_nothing),
};

UNIT_MAIN(tests)
