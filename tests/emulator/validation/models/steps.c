// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps PROGRAM [COUNT]: test that a program has as many instructions as single steps. The
 * number of instructions is COUNT, or that of perf_event.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "counter.h"

/* Return whether a REP string instruction begins with these bytes. */
static bool is_rep_string(uint64_t bytes)
{
	uint8_t prefix = bytes, opcode = bytes >> 8;

	if (prefix != 0xf2 && prefix != 0xf3)
		return false;
	if ((opcode & 0xf0) == 0x40)
		opcode = bytes >> 16;
	return (opcode >= 0xa4 && opcode <= 0xa7) ||
	       (opcode >= 0xaa && opcode <= 0xaf);
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		if (personality(ADDR_NO_RANDOMIZE) < 0 ||
		    ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(126);
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static uint64_t ip_of(pid_t pid)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		err(2, "PTRACE_GETREGS");
	return regs.rip;
}

/*
 * A step of a REP instruction is one iteration. Only the last iteration completes the
 * instruction.
 */
static uint64_t count_steps(char **argv)
{
	pid_t pid = start(argv);
	uint64_t steps = 0, last = 0;
	int status;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		uint64_t ip = ip_of(pid);

		if (steps && ip == last &&
		    is_rep_string(ptrace(PTRACE_PEEKTEXT, pid, ip, NULL)))
			steps--;
		last = ip;
		steps++;
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			err(2, "PTRACE_SINGLESTEP");
	}
	return steps;
}

int main(int argc, char **argv)
{
	char *program[] = { argc > 1 ? argv[1] : NULL, NULL };
	int null = open("/dev/null", O_WRONLY), out = dup(1);
	uint64_t steps, count;

	if (argc < 2 || argc > 3)
		errx(2, "usage: steps PROGRAM [COUNT]");
	dup2(null, 1);
	steps = count_steps(program);
	count = argc == 3 ? strtoull(argv[2], NULL, 10)
			  : counter_of_program(counter_instructions(), program);
	dup2(out, 1);
	check(steps > 1000 && count == steps,
	      "%" PRIu64 " instructions in %" PRIu64 " steps", count, steps);
	return check_status();
}
