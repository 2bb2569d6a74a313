// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop the count by lines and signals. perfex opens its own files for reading and
 * writing. Then open(2) does not wait for a peer, and perfex does not read end of file when a
 * writer closes.
 */
#include "run/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/clock.h"

#define ACK   "ack\n"
#define ERROR "error\n"

static const struct {
	const char *line;
	bool counting;
} control_lines[] = {
	{ "enable", true },
	{ "disable", false },
};

static int open_fifo(int *fd, const char *name)
{
	struct stat status;

	*fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0) {
		complain("cannot open %s of --control: %s (mkfifo makes a named"
			 " pipe)",
			 name, strerror(errno));
		return PERFEX_USAGE;
	}
	if (!fstat(*fd, &status) && S_ISFIFO(status.st_mode))
		return 0;
	complain("%s of --control is not a named pipe: make one with mkfifo",
		 name);
	return PERFEX_USAGE;
}

/* Find a descriptor whose number is the whole of @text. */
static int find_descriptor(int *fd, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (text[0] >= '0' && text[0] <= '9' && !*end && number <= INT_MAX &&
	    fcntl((int)number, F_GETFD) >= 0) {
		*fd = (int)number;
		return 0;
	}
	complain("\"%s\" of --control is not an open descriptor: give fd:N, or"
		 " fd:N,M with M for acknowledgements",
		 text);
	return PERFEX_USAGE;
}

/* Open the pipes of FIFO[,FIFO] or fd:N[,M]. */
static int open_pipes(struct control *control)
{
	static const char by_number[] = "fd:";
	const bool numbered =
		!strncmp(control->name, by_number, strlen(by_number));
	int (*find)(int *fd, const char *text) =
		numbered ? find_descriptor : open_fifo;
	char names[2 * PATH_MAX], *comma;
	int status;

	snprintf(names, sizeof(names), "%s",
		 control->name + (numbered ? strlen(by_number) : 0));
	comma = strchr(names, ',');
	if (comma)
		*comma = '\0';
	control->is_own = !numbered;
	status = find(&control->lines, names);
	return status || !comma ? status : find(&control->acks, comma + 1);
}

static int fail(const char *what)
{
	complain("cannot wait for %s: %s", what, strerror(errno));
	return PERFEX_SYSTEM;
}

/* Make @fd of the control readable when @other is readable. */
static int join(const struct control *control, int other, const char *what)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(control->fd, EPOLL_CTL_ADD, other, &event) ? fail(what)
								    : 0;
}

static sigset_t control_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGUSR2);
	return signals;
}

static int open_signals(struct control *control, int *fd,
			const sigset_t *signals)
{
	*fd = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return *fd < 0 ? fail("signals") : join(control, *fd, "signals");
}

static int open_lines_and_signals(struct control *control,
				  const struct count_spec *spec)
{
	const sigset_t signals = control_signals();
	int status = 0;

	if (control->name)
		status = open_pipes(control);
	if (!status && control->name)
		status = join(control, control->lines, "lines of --control");
	if (status || !spec->signals)
		return status;
	sigprocmask(SIG_BLOCK, &signals, NULL);
	return open_signals(control, &control->signals, &signals);
}

int open_control(struct control *control, const struct count_spec *spec,
		 const sigset_t *waking)
{
	sigset_t others;
	int status;

	*control = (struct control){ .fd = -1,
				     .lines = -1,
				     .acks = -1,
				     .signals = -1,
				     .waking = -1,
				     .start_at = NEVER,
				     .name = spec->control };
	if (!spec->control && !spec->signals)
		return 0;
	control->fd = epoll_create1(EPOLL_CLOEXEC);
	if (control->fd < 0)
		return fail("--control and --signals");
	status = open_lines_and_signals(control, spec);
	if (status || !waking)
		return status;
	others = *waking;
	leave_control_signals(control, &others);
	return open_signals(control, &control->waking, &others);
}

bool begins_stopped(const struct count_spec *spec)
{
	return spec->start_stopped || spec->delay_ms;
}

void begin_control(struct control *control, const struct count_spec *spec,
		   uint64_t time)
{
	if (spec->delay_ms)
		control->start_at = time + spec->delay_ms * NS_PER_MS;
}

void leave_control_signals(const struct control *control, sigset_t *signals)
{
	if (control->signals < 0)
		return;
	sigdelset(signals, SIGUSR1);
	sigdelset(signals, SIGUSR2);
}

/*
 * Return the poll(2) events that a descriptor is ready for; 0 if there are none, or if @fd is -1.
 */
static short is_ready(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return poll(&polled, 1, 0) > 0 ? polled.revents : (short)0;
}

/*
 * Answer a control line. If no process reads the answers, they are lost, so that the count does
 * not wait.
 */
static void answer(const struct control *control, const char *line)
{
	if (is_ready(control->acks, POLLOUT) == POLLOUT &&
	    write(control->acks, line, strlen(line)) < 0)
		return;
}

static int obey_line(struct control *control,
		     int (*set)(bool counting, void *arg), void *arg)
{
	const bool fits = control->length < CONTROL_LINE_MAX;
	size_t i;
	int status;

	control->line[fits ? control->length : CONTROL_LINE_MAX - 1] = '\0';
	control->length = 0;
	for (i = 0;
	     fits && i < sizeof(control_lines) / sizeof(control_lines[0]);
	     i++) {
		if (strcmp(control->line, control_lines[i].line) != 0)
			continue;
		status = set(control_lines[i].counting, arg);
		answer(control, status ? ERROR : ACK);
		return status;
	}
	complain("unknown line \"%s\" from %s: write enable or disable",
		 control->line, control->name);
	answer(control, ERROR);
	return 0;
}

static int take_character(struct control *control, char character,
			  int (*set)(bool counting, void *arg), void *arg)
{
	if (character == '\n')
		return obey_line(control, set, arg);
	if (control->length < CONTROL_LINE_MAX)
		control->line[control->length++] = character;
	return 0;
}

static int take_lines(struct control *control,
		      int (*set)(bool counting, void *arg), void *arg)
{
	char text[PIPE_BUF];
	int status = 0;
	ssize_t got, i;

	if (!is_ready(control->lines, POLLIN))
		return 0;
	got = read(control->lines, text, sizeof(text));
	/* All writers have closed the pipe. */
	if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
		epoll_ctl(control->fd, EPOLL_CTL_DEL, control->lines, NULL);
	for (i = 0; !status && i < got; i++)
		status = take_character(control, text[i], set, arg);
	return status;
}

static int take_signals(const struct control *control,
			int (*set)(bool counting, void *arg), void *arg)
{
	struct signalfd_siginfo info;
	int status = 0;

	while (!status && control->signals >= 0 &&
	       read(control->signals, &info, sizeof(info)) == sizeof(info))
		status = set(info.ssi_signo == SIGUSR1, arg);
	return status;
}

int obey_control(struct control *control, int (*set)(bool counting, void *arg),
		 void *arg)
{
	int status = 0;

	if (now() >= control->start_at) {
		control->start_at = NEVER;
		status = set(true, arg);
	}
	if (!status)
		status = take_signals(control, set, arg);
	return status ? status : take_lines(control, set, arg);
}

void close_control(struct control *control)
{
	const int own[] = { control->fd, control->signals, control->waking,
			    control->is_own ? control->lines : -1,
			    control->is_own ? control->acks : -1 };
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (own[i] >= 0)
			close(own[i]);
	}
}
