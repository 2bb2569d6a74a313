// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execute the command once. The child begins to count at its execve(2), on the handle that it
 * inherits. It reports over a pipe with a close-on-exec end.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vpmc.h>

#include "run/exec_path.h"
#include "run_p5mon.h"

/* This is libvpmc's code for the event of clock cycles. */
#define VPMC_CLOCKS 0x100

/**
 * struct message - a message of the child, in one write(2)
 * @kind: the kind of message
 * @generation: with STARTED: the generation that the parent must expect
 * @error: with REDIRECTION_FAILED and EXEC_FAILED: errno
 * @redirection: index of the redirection that failed
 * @err: with START_FAILED: the error
 */
struct message {
	enum {
		NOTHING,
		STARTED,
		START_FAILED,
		REDIRECTION_FAILED,
		EXEC_FAILED
	} kind;
	uint64_t generation;
	int error;
	size_t redirection;
	struct vpmc_error err;
};

static int complain_err(const struct vpmc_error *err)
{
	complain("%s", err->text);
	switch (err->code) {
	case VPMC_E_NO_DEVICE:
		return PERFEX_NO_DEVICE;
	case VPMC_E_ABI:
	case VPMC_E_UNSUPPORTED:
		return PERFEX_UNSUPPORTED;
	case VPMC_E_PERMISSION:
		return PERFEX_PERMISSION;
	case VPMC_E_BUSY:
		return PERFEX_BUSY;
	case VPMC_E_GENERATION:
		return PERFEX_INVALID;
	default:
		return PERFEX_SYSTEM;
	}
}

int open_counters(void)
{
	if (!p5mon_init()) {
		p5mon_close();
		return 0;
	}
	complain("%s", p5mon_error());
	return errno == ENODEV ? PERFEX_NO_DEVICE : PERFEX_UNSUPPORTED;
}

static struct vpmc_event_sel sel_of(const struct pair *pair, EVENT number,
				    int counter)
{
	return (struct vpmc_event_sel){
		.code = number == count_clocks ? VPMC_CLOCKS : number,
		.counter = counter,
		.modes = (pair->user ? VPMC_USER : 0U) |
			 (pair->kernel ? VPMC_KERNEL : 0U),
	};
}

const char *never(EVENT number, const struct pair *pair)
{
	const struct vpmc_event_sel sel = sel_of(pair, number, 0);
	const char *reason = NULL;
	struct vpmc_machine machine;
	struct vpmc *vpmc;

	if (!sel.modes || vpmc_open(&vpmc, NULL))
		return NULL;
	if (!vpmc_info(vpmc, &machine, NULL))
		reason = vpmc_event_never(vpmc_pmu_of(vpmc), &machine, &sel);
	vpmc_close(vpmc);
	return reason;
}

static int start(struct vpmc *vpmc, const struct pair *pair,
		 struct vpmc_error *err)
{
	struct vpmc_event_sel sel[COUNTERS];
	unsigned int i;

	for (i = 0; i < pair->nr; i++)
		sel[i] = sel_of(pair, pair->number[i], (int)i);
	return vpmc_start(vpmc, sel, pair->nr, VPMC_AT_EXEC | VPMC_COLLECT,
			  err);
}

static int redirect(const struct redirection *redirection)
{
	int fd;

	if (!redirection->path)
		return dup2(redirection->from, redirection->fd);
	fd = open(redirection->path, redirection->flags | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	/* dup2() would not clear close-on-exec of a descriptor that is copied to itself. */
	if (fd == redirection->fd)
		return fcntl(fd, F_SETFD, 0);
	return dup2(fd, redirection->fd);
}

static _Noreturn void send_last(int fd, const struct message *message)
{
	_exit(write(fd, message, sizeof(*message)) == sizeof(*message)
		      ? EXIT_FAILURE
		      : PERFEX_SYSTEM);
}

/*
 * Execute the command. Also search the current directory, because p5mon's users had it in their
 * PATH. Returns the error.
 */
static int execute_here(char **argv)
{
	const int error = execute(argv);
	char *path;

	if (error != ENOENT || strchr(argv[0], '/') ||
	    asprintf(&path, "./%s", argv[0]) < 0)
		return error;
	argv[0] = path;
	return execute(argv);
}

static _Noreturn void be_child(const struct words *words,
			       const struct pair *pair, struct vpmc *vpmc,
			       const struct regions *regions, int fd)
{
	struct message message = { .kind = NOTHING };

	/* End the command if run_p5mon ends, because its counts would be lost. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (regions && offer_regions(regions)) {
		message = (struct message){ .kind = EXEC_FAILED,
					    .error = ENOMEM };
		send_last(fd, &message);
	}
	if (vpmc && start(vpmc, pair, &message.err)) {
		message.kind = START_FAILED;
		send_last(fd, &message);
	}
	message.generation = vpmc ? vpmc_generation(vpmc) : 0;
	/* From here on, a redirection may replace the handle's descriptor. */
	for (; message.redirection < words->nr_redirections;
	     message.redirection++) {
		if (redirect(&words->redirection[message.redirection]) < 0) {
			message.kind = REDIRECTION_FAILED;
			message.error = errno;
			send_last(fd, &message);
		}
	}
	message.kind = STARTED;
	if (write(fd, &message, sizeof(message)) != sizeof(message))
		_exit(PERFEX_SYSTEM);
	message.error = execute_here(words->argv);
	message.kind = EXEC_FAILED;
	send_last(fd, &message);
}

/* Read messages until end of file. @message receives the last message. */
static void receive(int fd, struct vpmc *vpmc, struct message *message)
{
	ssize_t got;

	message->kind = NOTHING;
	do {
		got = read(fd, message, sizeof(*message));
		if (got == sizeof(*message) && message->kind == STARTED && vpmc)
			vpmc_expect(vpmc, message->generation);
	} while (got == sizeof(*message) || (got < 0 && errno == EINTR));
}

static int complain_exec(const char *name, int error)
{
	if (error == ENOENT) {
		complain("cannot find the command \"%s\": check its spelling"
			 " and PATH",
			 name);
		return PERFEX_NOT_FOUND;
	}
	complain("cannot execute the command \"%s\": %s", name,
		 strerror(error));
	return PERFEX_NOT_EXECUTABLE;
}

static int judge(const struct message *message, const struct words *words)
{
	const struct redirection *redirection;

	switch (message->kind) {
	case STARTED:
		return 0;
	case START_FAILED:
		return complain_err(&message->err);
	case REDIRECTION_FAILED:
		redirection = &words->redirection[message->redirection];
		complain("cannot redirect descriptor %d of the command to"
			 " \"%s\": %s",
			 redirection->fd,
			 redirection->path ? redirection->path : "another",
			 strerror(message->error));
		return PERFEX_NOT_EXECUTABLE;
	case EXEC_FAILED:
		return complain_exec(words->argv[0], message->error);
	default:
		complain("the command was not started: try again");
		return PERFEX_SYSTEM;
	}
}

static int read_counts(struct vpmc *vpmc, const struct pair *pair,
		       struct run *run)
{
	struct vpmc_counts own, all;
	struct vpmc_error err;

	/*
	 * Also read VPMC_SELF, because only VPMC_SELF shows whether the counts belong to this
	 * start.
	 */
	if (vpmc_read(vpmc, VPMC_SELF, &own, &err) ||
	    vpmc_read(vpmc, VPMC_ALL, &all, &err))
		return complain_err(&err);
	if (all.running)
		complain("warning: %u processes of the command still run",
			 all.running);
	if (all.other_events || all.revoked)
		complain("warning: %u threads of the command are not in the"
			 " counts: they counted for themselves, or executed a"
			 " privileged program",
			 all.other_events + all.revoked);
	if (all.stopped)
		complain("warning: counting was stopped in between (%u times):"
			 " what was executed then is missing",
			 all.stopped);
	memcpy(run->count, all.count, pair->nr * sizeof(run->count[0]));
	return 0;
}

static double seconds_between(const struct timespec *from,
			      const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) +
	       (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

/*
 * Create a pipe. Its write end has a descriptor above 9, because redirections use descriptors of
 * one digit.
 */
static int create_pipe(int fds[2])
{
	int end;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	end = fcntl(fds[1], F_DUPFD_CLOEXEC, 10);
	close(fds[1]);
	fds[1] = end;
	if (end < 0)
		close(fds[0]);
	return end < 0 ? -1 : 0;
}

/* Start the command and wait for its end. */
static int execute_command(const struct words *words, const struct pair *pair,
			   struct vpmc *vpmc, const struct regions *regions,
			   struct run *run)
{
	struct timespec begin, end;
	struct message message;
	int fds[2];
	pid_t pid;

	if (create_pipe(fds)) {
		complain("cannot create a pipe: %s", strerror(errno));
		return PERFEX_SYSTEM;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = fork();
	if (!pid)
		be_child(words, pair, vpmc, regions, fds[1]);
	close(fds[1]);
	if (pid > 0)
		receive(fds[0], vpmc, &message);
	close(fds[0]);
	if (pid < 0) {
		complain("cannot fork: %s", strerror(errno));
		return PERFEX_SYSTEM;
	}
	while (waitpid(pid, &run->status, 0) < 0 && errno == EINTR)
		;
	clock_gettime(CLOCK_MONOTONIC, &end);
	run->seconds = seconds_between(&begin, &end);
	return judge(&message, words);
}

int run_command(const struct words *words, const struct pair *pair,
		struct regions *regions, struct run *run)
{
	const bool counts = pair->nr && (pair->user || pair->kernel);
	struct vpmc *vpmc = NULL;
	struct vpmc_error err;
	int status;

	*run = (struct run){ .seconds = 0 };
	if (counts && vpmc_open(&vpmc, &err))
		return complain_err(&err);
	status = execute_command(words, pair, vpmc, regions, run);
	if (!status && counts)
		status = read_counts(vpmc, pair, run);
	if (!status && regions)
		status = read_regions(regions, counts ? pair->nr : 0);
	vpmc_close(vpmc);
	return status;
}
