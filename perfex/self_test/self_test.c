// SPDX-License-Identifier: GPL-2.0-only
/* Test the counters of this machine, as perfex(1) describes for --self-test. */
#include "self_test/self_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/output.h"
#include "self_test/errata.h"
#include "self_test/page.h"
#include "util/stream.h"

/* A check ends within a fraction of this number of seconds. */
#define LIMIT_S 120

/**
 * struct session - a self-test, in memory that is shared with the processes of checks
 * @bench: what all checks have
 * @verdicts: the verdict of each check
 */
struct session {
	struct bench bench;
	struct verdict verdicts[NR_CHECKS];
};

/* Start a count, so that the reason why this machine cannot count becomes known. */
static int try_start(struct vpmc *vpmc, const struct bench *bench)
{
	struct vpmc_error err;

	if (vpmc_start(vpmc, &bench->instructions, 1, 0, &err))
		return complain_start(&err);
	vpmc_stop(vpmc, NULL);
	return 0;
}

static int prepare(struct bench *bench)
{
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	if (describe_bench(bench, vpmc, &err))
		status = complain_vpmc(&err);
	else
		status = try_start(vpmc, bench);
	vpmc_close(vpmc);
	return status;
}

/* Return the first check that @check needs and that has not passed, or NULL. */
static const struct check *missing_base(const struct session *session,
					const struct check *check)
{
	size_t i;

	for (i = 0; i < NR_CHECKS; i++) {
		if (check->needs & 1U << i &&
		    session->verdicts[i].outcome != CHECK_PASSED)
			return &checks[i];
	}
	return NULL;
}

static _Noreturn void be_check(struct session *session, size_t i)
{
	alarm(LIMIT_S);
	if (stay_on(session->bench.cpu))
		checks[i].run(&session->bench, &session->verdicts[i]);
	else
		give(&session->verdicts[i], CHECK_FAILED,
		     "it cannot stay on a processor: %s", strerror(errno));
	_exit(EXIT_SUCCESS);
}

static void run_check(struct session *session, size_t i)
{
	struct verdict *verdict = &session->verdicts[i];
	int how;
	pid_t pid;

	give(verdict, CHECK_FAILED, "it ended without a verdict");
	pid = fork();
	if (!pid)
		be_check(session, i);
	if (pid < 0 || waitpid(pid, &how, 0) < 0)
		give(verdict, CHECK_FAILED, "%s", strerror(errno));
	else if (WIFSIGNALED(how))
		give(verdict, CHECK_FAILED, "signal %d ended it",
		     WTERMSIG(how));
	if (verdict->outcome == CHECK_FAILED &&
	    find_erratum(&session->bench.machine, (enum check_id)i))
		verdict->outcome = CHECK_KNOWN;
}

/* A check that this machine lacks takes those that are built on it along. */
static void skip_check(struct session *session, size_t i,
		       const struct check *base)
{
	const enum outcome outcome = session->verdicts[base - checks].outcome;

	give(&session->verdicts[i],
	     outcome == CHECK_NOT_HERE ? outcome : CHECK_NOT_JUDGED,
	     "it is built on %s", base->name);
}

static bool run_checks(struct session *session)
{
	const struct check *base;
	bool is_good = true;
	size_t i;

	for (i = 0; i < NR_CHECKS; i++) {
		base = missing_base(session, &checks[i]);
		if (base)
			skip_check(session, i, base);
		else
			run_check(session, i);
		if (session->verdicts[i].outcome == CHECK_FAILED)
			is_good = false;
	}
	return is_good;
}

/* Print the page on standard output and to @output. */
static int write_page(const struct session *session, struct output *output)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (out)
		print_page(out, &session->bench, session->verdicts);
	if (!out || fclose(out)) {
		complain("no memory for the page of results: %s",
			 strerror(errno));
		return PERFEX_SYSTEM;
	}
	fwrite(text, 1, size, stdout);
	status = write_text(output, text, size);
	free(text);
	return status;
}

static int test(struct session *session, struct output *output)
{
	int status = prepare(&session->bench);
	bool is_good;

	if (status)
		return status;
	is_good = run_checks(session);
	status = empty_output(output);
	if (!status)
		status = write_page(session, output);
	if (!status)
		status = finish_stdout();
	return status || is_good ? status : PERFEX_SELF_TEST;
}

/* Test, and write the page to a file, too. */
static int test_to(const char *file)
{
	struct session *session =
		mmap(NULL, sizeof(*session), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct output output;
	int status, failure;

	if (session == MAP_FAILED) {
		complain("no memory for the self-test: %s", strerror(errno));
		return PERFEX_SYSTEM;
	}
	status = open_output(&output, file, "--self-test", false, FORMAT_TEXT,
			     NULL);
	if (!status) {
		status = test(session, &output);
		failure = close_output(&output);
		status = failure ? failure : status;
	}
	munmap(session, sizeof(*session));
	return status;
}

int self_test(const char *file)
{
	/* If standard output is closed, the file would get its descriptor, and the page twice. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
		complain("cannot write to standard output: %s",
			 strerror(errno));
		return PERFEX_OUTPUT;
	}
	/* A caller that ignores these signals would let checks have no status and no limit. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	return test_to(file);
}
