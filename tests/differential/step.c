// SPDX-License-Identifier: GPL-2.0-only
/*
 * step PROGRAM...: execute 32-bit programs one after the other, instruction by
 * instruction, and tell what their registers were in between.
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

/* No program of the tests comes near. */
#define MAX_STOPS 1000000

/* struct stop - why it stopped: 0, a signal or STOP_EXIT; and its registers then */
struct stop {
	uint32_t why;
	uint32_t eax, ecx, edx, ebx, esp, ebp, esi, edi;
	uint32_t eip;
};

static _Noreturn void run(const char *path)
{
	char *const nothing[] = { NULL };

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		err(2,
		    "a process must be allowed to trace its own child: ptrace");
	execve(path, (char *const[]){ (char *)path, NULL }, nothing);
	err(2, "this machine must execute 32-bit x86 programs: %s", path);
}

static void print(const struct stop *stop)
{
	if (fwrite(stop, sizeof(*stop), 1, stdout) != 1)
		err(2, "standard output");
}

static struct stop registers(pid_t pid, uint32_t why)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		err(2, "ptrace(PTRACE_GETREGS)");
	return (struct stop){
		.why = why,
		.eax = (uint32_t)regs.rax,
		.ecx = (uint32_t)regs.rcx,
		.edx = (uint32_t)regs.rdx,
		.ebx = (uint32_t)regs.rbx,
		.esp = (uint32_t)regs.rsp,
		.ebp = (uint32_t)regs.rbp,
		.esi = (uint32_t)regs.rsi,
		.edi = (uint32_t)regs.rdi,
		.eip = (uint32_t)regs.rip,
	};
}

/* The signal to be delivered. The SIGTRAP of a single step is none, that of INT3 is one. */
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
		stop = registers(pid, (uint32_t)sig);
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
		exit(2); /* It has said why. */
	stop = (struct stop){ .why = STOP_EXIT,
			      .eax = (uint32_t)WEXITSTATUS(status) };
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
