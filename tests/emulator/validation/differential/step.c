// SPDX-License-Identifier: GPL-2.0-only
/*
 * step PROGRAM...: execute programs of 32 or 64 bits one after the other, instruction by
 * instruction, and write the registers after each instruction.
 *
 * Standard output gets a struct stop for each stop of the program: before its
 * first instruction, after each instruction or iteration of a REP instruction,
 * when a signal is to be delivered, and when its handler has been entered. The
 * last one of a program has STOP_EXIT and the exit status.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define STOP_EXIT 0x100

/* No program of the tests has as many stops. */
#define MAX_STOPS 1000000

/*
 * struct stop - the reason of a stop, which is 0, a signal or STOP_EXIT, and the registers at
 * the stop
 */
struct stop {
	uint64_t why;
	uint64_t rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rip;
};

static _Noreturn void run(const char *path)
{
	char *const nothing[] = { NULL };

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		err(2,
		    "a process must be allowed to trace its own child: ptrace");
	execve(path, (char *const[]){ (char *)path, NULL }, nothing);
	err(2, "this machine must execute x86 programs of 32 and 64 bits: %s",
	    path);
}

static void print(const struct stop *stop)
{
	if (fwrite(stop, sizeof(*stop), 1, stdout) != 1)
		err(2, "standard output");
}

static struct stop registers(pid_t pid, uint64_t why)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		err(2, "ptrace(PTRACE_GETREGS)");
	return (struct stop){
		.why = why,
		.rax = regs.rax,
		.rcx = regs.rcx,
		.rdx = regs.rdx,
		.rbx = regs.rbx,
		.rsp = regs.rsp,
		.rbp = regs.rbp,
		.rsi = regs.rsi,
		.rdi = regs.rdi,
		.r8 = regs.r8,
		.r9 = regs.r9,
		.r10 = regs.r10,
		.r11 = regs.r11,
		.r12 = regs.r12,
		.r13 = regs.r13,
		.r14 = regs.r14,
		.r15 = regs.r15,
		.rip = regs.rip,
	};
}

/*
 * Return the signal to deliver. The SIGTRAP of a single step is not delivered, but the one of
 * INT3 is.
 */
static int signal_to_deliver(pid_t pid, int status)
{
	siginfo_t info;

	if (WSTOPSIG(status) != SIGTRAP)
		return WSTOPSIG(status);
	if (ptrace(PTRACE_GETSIGINFO, pid, NULL, &info))
		err(2, "ptrace(PTRACE_GETSIGINFO)");
	return info.si_code == SI_KERNEL ? SIGTRAP : 0;
}

static void step(const char *path)
{
	pid_t pid = fork();
	struct stop stop;
	int status, sig = 0;
	unsigned int n;

	if (pid < 0)
		err(2, "fork");
	if (!pid)
		run(path);
	for (n = 0; n < MAX_STOPS; n++) {
		if (waitpid(pid, &status, 0) < 0)
			err(2, "waitpid");
		if (!WIFSTOPPED(status))
			break;
		sig = n ? signal_to_deliver(pid, status) : 0;
		stop = registers(pid, (uint64_t)sig);
		print(&stop);
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, (long)sig))
			err(2, "ptrace(PTRACE_SINGLESTEP)");
	}
	if (!WIFEXITED(status)) {
		kill(pid, SIGKILL);
		errx(2, "%s did not exit: status %#x after %u stops", path,
		     (unsigned int)status, n);
	}
	if (!n)
		exit(2); /* the child has printed why */
	stop = (struct stop){ .why = STOP_EXIT,
			      .rax = (uint64_t)WEXITSTATUS(status) };
	print(&stop);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		step(argv[i]);
	if (fflush(stdout))
		err(2, "standard output");
	return 0;
}
