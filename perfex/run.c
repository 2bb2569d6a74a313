// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running the command.
 *
 * If the command is to be counted, the child starts the count on the handle that
 * it inherits, to begin at its execve(2). It reports to the parent over a pipe,
 * whose end in the child is close-on-exec: end of file after STARTED means that
 * the command runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "perfex.h"

/**
 * struct message - from the child to the parent, in one write(2)
 * @kind: what happened
 * @generation: of STARTED: what the parent has to expect when it reads
 * @error: of EXEC_FAILED: errno
 * @err: of START_FAILED
 */
struct message {
	enum { NOTHING, STARTED, START_FAILED, EXEC_FAILED } kind;
	uint64_t generation;
	int error;
	struct vpmc_error err;
};

/*
 * SIGINT and SIGQUIT are for the command; perfex must survive them to report. If
 * perfex has inherited that SIGCHLD is ignored, it could not wait for a status.
 */
static const struct {
	int number;
	void (*handler)(int);
} signals[] = {
	{ SIGINT, SIG_IGN },
	{ SIGQUIT, SIG_IGN },
	{ SIGCHLD, SIG_DFL },
};

#define NR_SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* Give the command the signal dispositions that perfex was called with. */
struct signals {
	struct sigaction actions[NR_SIGNALS];
	sigset_t mask;
};

static void set_signals(struct signals *saved)
{
	struct sigaction action = { 0 };
	sigset_t blocked;
	size_t i;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &saved->mask);
	for (i = 0; i < NR_SIGNALS; i++) {
		action.sa_handler = signals[i].handler;
		sigaction(signals[i].number, &action, &saved->actions[i]);
	}
}

static void restore_signals(const struct signals *saved)
{
	size_t i;

	for (i = 0; i < NR_SIGNALS; i++)
		sigaction(signals[i].number, &saved->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &saved->mask, NULL);
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

	if (events && vpmc_start(vpmc, events->sel, events->nr,
				 flags | VPMC_AT_EXEC, &message.err)) {
		message.kind = START_FAILED;
		send_message(fd, &message);
		_exit(PERFEX_SYSTEM);
	}
	message.generation = vpmc_generation(vpmc);
	send_message(fd, &message);

	execvp(argv[0], argv);

	message.kind = EXEC_FAILED;
	message.error = errno;
	send_message(fd, &message);
	_exit(PERFEX_SYSTEM);
}

/* Stores in @message the last message before end of file. */
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
		if (message->kind == STARTED)
			vpmc_expect(vpmc, message->generation);
	}
}

/* SIGCHLD also comes when the command stops or continues. */
bool command_has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid;
}

bool wait_for_command(pid_t pid, unsigned int ms)
{
	const struct timespec time = { .tv_nsec = (long)ms * 1000000 };
	sigset_t ending;

	sigemptyset(&ending);
	sigaddset(&ending, SIGCHLD);
	sigtimedwait(&ending, NULL, &time);
	return command_has_ended(pid);
}

int finish_command(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR) {
			complain("cannot wait for the command: %s",
				 strerror(errno));
			return PERFEX_SYSTEM;
		}
	}
	if (WIFSIGNALED(status))
		return PERFEX_SIGNAL_BASE + WTERMSIG(status);
	return WEXITSTATUS(status);
}

static enum perfex_status complain_exec(const char *command, int error)
{
	if (error == ENOENT && strchr(command, '/') &&
	    access(command, F_OK) == 0) {
		complain("cannot execute the command \"%s\": the interpreter"
			 " that it names does not exist",
			 command);
		return PERFEX_NOT_EXECUTABLE;
	}
	if (error == ENOENT) {
		complain("cannot find the command \"%s\": check its spelling"
			 " and PATH",
			 command);
		return PERFEX_NOT_FOUND;
	}
	complain("cannot execute the command \"%s\": %s", command,
		 strerror(error));
	return PERFEX_NOT_EXECUTABLE;
}

static int judge(const struct message *message, char **argv, int *status)
{
	switch (message->kind) {
	case STARTED:
		return 0;
	case START_FAILED:
		*status = complain_start(&message->err);
		return -1;
	case EXEC_FAILED:
		*status = complain_exec(argv[0], message->error);
		return -1;
	default:
		complain("the child died before it could start the command"
			 " \"%s\": try again",
			 argv[0]);
		*status = PERFEX_SYSTEM;
		return -1;
	}
}

pid_t start_command(struct vpmc *vpmc, const struct events *events,
		    unsigned int flags, char **argv, int *status)
{
	struct signals saved;
	struct message message;
	int pipe_fds[2];
	pid_t pid;

	if (pipe2(pipe_fds, O_CLOEXEC)) {
		complain("cannot create a pipe: %s", strerror(errno));
		*status = PERFEX_SYSTEM;
		return -1;
	}

	set_signals(&saved);
	pid = fork();
	if (!pid) {
		restore_signals(&saved);
		be_child(vpmc, events, flags, argv, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	if (pid < 0) {
		complain("cannot fork: %s", strerror(errno));
		close(pipe_fds[0]);
		*status = PERFEX_SYSTEM;
		return -1;
	}

	receive_messages(pipe_fds[0], vpmc, &message);
	close(pipe_fds[0]);
	if (!judge(&message, argv, status))
		return pid;
	finish_command(pid);
	return -1;
}
