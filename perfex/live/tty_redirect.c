// SPDX-License-Identifier: GPL-2.0-only
/* Redirect output that would disturb the display on the terminal to a file. */
#include "live/tty_redirect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "util/perfex.h"
#include "util/temporary.h"

/* Tell whether a descriptor is the controlling terminal, as is /dev/tty. */
static bool is_terminal(int fd)
{
	return tcgetsid(fd) >= 0;
}

/* Create a file and remove its name. */
static int make_file(void)
{
	char *path;
	const int fd = create_temporary(&path, "live", O_APPEND);

	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

/* Make descriptor @number a copy of @fd. */
static bool replace_standard(struct aside *aside, int number, int fd)
{
	aside->saved[number] = fcntl(number, F_DUPFD_CLOEXEC, NR_STANDARD);
	return aside->saved[number] >= 0 && dup2(fd, number) >= 0;
}

static bool replace_input(struct aside *aside)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	bool done = fd >= 0 && replace_standard(aside, STDIN_FILENO, fd);

	if (fd >= 0)
		close(fd);
	return done;
}

int put_aside(struct aside *aside)
{
	bool done = true;
	int number;

	*aside = (struct aside){ .saved = { -1, -1, -1 }, .file = make_file() };
	if (aside->file < 0)
		return complain_temporary("output to the terminal");
	if (is_terminal(STDIN_FILENO))
		done = replace_input(aside);
	for (number = STDOUT_FILENO; done && number <= STDERR_FILENO;
	     number++) {
		if (is_terminal(number))
			done = replace_standard(aside, number, aside->file);
	}
	if (done)
		return 0;
	bring_back(aside);
	complain("cannot redirect output to the terminal: %s", strerror(errno));
	return PERFEX_SYSTEM;
}

static void copy(int from, int to)
{
	char text[4096];
	off_t offset = 0;
	ssize_t size, written, at;

	while ((size = pread(from, text, sizeof(text), offset)) > 0) {
		for (at = 0; at < size; at += written) {
			written = write(to, text + at, (size_t)(size - at));
			if (written < 0 && errno != EINTR)
				return;
			if (written < 0)
				written = 0;
		}
		offset += size;
	}
}

void bring_back(struct aside *aside)
{
	int number, terminal = -1;

	for (number = 0; number < NR_STANDARD; number++) {
		if (aside->saved[number] < 0)
			continue;
		dup2(aside->saved[number], number);
		close(aside->saved[number]);
		aside->saved[number] = -1;
		terminal = number;
	}
	if (aside->file < 0)
		return;
	if (terminal > STDIN_FILENO)
		copy(aside->file, terminal);
	close(aside->file);
	aside->file = -1;
}
