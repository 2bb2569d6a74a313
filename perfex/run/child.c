// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start the command and wait for it.
 *
 * If the command is to be counted, the child starts the count on the handle that it inherits, to
 * begin at its execve(2). It reports to the parent over a pipe. The pipe's end in the child is
 * close-on-exec, so end of file after STARTED means that the command runs.
 */
#include "run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/counted.h"
#include "run/control.h"
#include "run/exec_path.h"
#include "util/clock.h"
#include "util/perf_hint.h"

/**
 * struct message - a message of the child to the parent, in one write(2)
 * @kind: the kind of message
 * @generation: with STARTED: the generation that the parent must expect when it reads
 * @error: with EXEC_FAILED: errno
 * @err: with START_FAILED: the error
 */
struct message {
	enum { NOTHING, STARTED, START_FAILED, EXEC_FAILED } kind;
	uint64_t generation;
	int error;
	struct vpmc_error err;
};

bool counts_already(struct vpmc *vpmc)
{
	struct vpmc_counts counts;

	/* A handle that is attached to a thread does not have counts of its process. */
	return (!vpmc_read(vpmc, VPMC_SELF, &counts, NULL) ||
		!vpmc_read(vpmc, VPMC_THREAD, &counts, NULL)) &&
	       (counts.activity == VPMC_RUNNING ||
		counts.activity == VPMC_ARMED);
}

static void send_message(int fd, const struct message *message)
{
	if (write(fd, message, sizeof(*message)) != sizeof(*message))
		_exit(PERFEX_SYSTEM);
}

static _Noreturn void be_child(struct vpmc *vpmc, const struct events *events,
			       unsigned int flags, char **argv, int fd)
{
	struct message message = { .kind = STARTED };
	struct vpmc_event_sel sel[EVENTS_MAX];

	if (events && vpmc_start(vpmc, sel, started_events(events, sel),
				 flags | VPMC_AT_EXEC, &message.err)) {
		message.kind = START_FAILED;
		send_message(fd, &message);
		_exit(PERFEX_SYSTEM);
	}
	message.generation = vpmc ? vpmc_generation(vpmc) : 0;
	send_message(fd, &message);

	message.error = execute(argv);
	message.kind = EXEC_FAILED;
	send_message(fd, &message);
	_exit(PERFEX_SYSTEM);
}

/* Read messages until end of file, and store the last one in @message. */
static void receive_messages(int fd, struct vpmc *vpmc, struct message *message)
{
	ssize_t got;

	message->kind = NOTHING;
	for (;;) {
		got = read(fd, message, sizeof(*message));
		if (got < 0 && errno == EINTR)
			continue;
		if (got != sizeof(*message))
			return;
		if (message->kind == STARTED && vpmc)
			vpmc_expect(vpmc, message->generation);
	}
}

/* Tell whether the command has ended, because SIGCHLD also comes when it stops or continues. */
static bool has_ended(const struct command *command)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)command->pid, &info,
		      WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid;
}

/*
 * Reap orphans, which become children of the first process of a PID namespace. One SIGCHLD
 * may stand for several children. Leave the command to finish_command().
 */
static void reap_orphans(const struct command *command)
{
	siginfo_t info = { .si_pid = 0 };

	while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid && info.si_pid != command->pid) {
		waitpid(info.si_pid, NULL, 0);
		info.si_pid = 0;
	}
}

static void take_signal(const struct command *command, const siginfo_t *info)
{
	if (info->si_signo == SIGCHLD)
		reap_orphans(command);
	else if (info->si_code <= 0 && info->si_pid != command->pid &&
		 info->si_pid != getpid())
		kill(command->pid, info->si_signo);
}

bool wait_for_command(const struct command *command,
		      const struct timespec *time)
{
	const uint64_t end = time ? now() + (uint64_t)time->tv_sec * NS_PER_S +
					     (uint64_t)time->tv_nsec
				  : UINT64_MAX;
	const struct control *control = command->control;
	sigset_t signals = command_signals();
	struct timespec left;
	siginfo_t info;
	int ret;

	if (control)
		leave_control_signals(control, &signals);
	while (!has_ended(command)) {
		left = time_until(end);
		ret = await_signal(&signals, &info, time ? &left : NULL,
				   control ? control->fd : -1);
		if (!ret || (ret < 0 && errno == EAGAIN))
			return has_ended(command);
		if (ret > 0)
			take_signal(command, &info);
	}
	return true;
}

int finish_command(struct command *command)
{
	wait_for_command(command, NULL);
	command->end = now();
	while (wait4(command->pid, &command->status, 0, &command->usage) < 0) {
		if (errno != EINTR) {
			complain("cannot wait for the command: %s",
				 strerror(errno));
			return PERFEX_SYSTEM;
		}
	}
	command->has_ended = true;
	return 0;
}

uint64_t elapsed_us(const struct command *command)
{
	return (command->end - command->begin) / NS_PER_US;
}

int exit_status(const struct command *command)
{
	if (WIFSIGNALED(command->status))
		return PERFEX_SIGNAL_BASE + WTERMSIG(command->status);
	return WEXITSTATUS(command->status);
}

static enum perfex_status complain_exec(const char *command, int error)
{
	const char *hint;

	if (error == ELIBACC) {
		complain("cannot execute the command \"%s\": the interpreter"
			 " that it names does not exist",
			 command);
		return PERFEX_NOT_EXECUTABLE;
	}
	if (error == ENOENT) {
		hint = command_hint(command);
		complain("cannot find the command \"%s\": %s", command,
			 hint ? hint : "check its spelling and PATH");
		return PERFEX_NOT_FOUND;
	}
	complain("cannot execute the command \"%s\": %s", command,
		 strerror(error));
	return PERFEX_NOT_EXECUTABLE;
}

/* Complain that the counters are busy. If another perfex counts this one, mention --force. */
static int complain_busy(struct vpmc *vpmc, unsigned int flags,
			 const struct vpmc_error *err)
{
	if (err->code == VPMC_E_BUSY && !(flags & VPMC_FORCE) &&
	    counts_already(vpmc))
		return complain_hint(err, " (perfex --force counts the command"
					  " here)");
	return complain_start(err);
}

static int judge(struct vpmc *vpmc, unsigned int flags,
		 const struct message *message, char **argv)
{
	switch (message->kind) {
	case STARTED:
		return 0;
	case START_FAILED:
		return complain_busy(vpmc, flags, &message->err);
	case EXEC_FAILED:
		return complain_exec(argv[0], message->error);
	default:
		complain("the child died before it could start the command"
			 " \"%s\": try again",
			 argv[0]);
		return PERFEX_SYSTEM;
	}
}

int start_command(struct command *command, struct vpmc *vpmc,
		  const struct events *events, unsigned int flags, char **argv,
		  const struct signals *saved)
{
	struct message message;
	int pipe_fds[2], status;

	if (pipe2(pipe_fds, O_CLOEXEC)) {
		complain("cannot create a pipe: %s", strerror(errno));
		return PERFEX_SYSTEM;
	}

	command->begin = now();
	command->pid = fork();
	if (!command->pid) {
		restore_signals(saved);
		be_child(vpmc, events, flags, argv, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	if (command->pid < 0) {
		complain("cannot fork: %s", strerror(errno));
		close(pipe_fds[0]);
		return PERFEX_SYSTEM;
	}

	receive_messages(pipe_fds[0], vpmc, &message);
	close(pipe_fds[0]);
	status = judge(vpmc, flags, &message, argv);
	if (status) {
		waitpid(command->pid, NULL, 0);
		command->pid = 0;
	}
	return status;
}
