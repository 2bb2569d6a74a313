// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_precise_steps EVENT...: compare precise samples with single-stepping, with machine
 * --exact-pmi. The samples are of the last event.
 *
 * The test first executes a process one instruction at a time, and reads the count after each
 * instruction. So it knows which instruction caused each event. Then the process runs again and
 * again with a different period. Each sample must have the address of the instruction that caused
 * the event with the sample's number.
 */
#include <err.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "check.h"
#include "child.h"

#define PERIOD	  1000
#define RUNS	  60
#define RING_SIZE (1 << 16)
#define EVENTS	  4
#define MOST	  100000

/* The code loads, stores, computes and enters the kernel in each of its rounds. */
void stepped_code(void *data) __asm__("stepped_code");
#ifdef __x86_64__
#define IP rip
__asm__(".text\n"
	"stepped_code: push %rbx; mov %rdi, %rbx\n"
	".macro GETPID; mov $39, %eax; syscall; .endm\n"
	".macro MOVE from, to; lea \\from(%rbx), %rsi\n"
	"	lea \\to(%rbx), %rdi; .endm\n"
	".macro TEMPORARY; push %rax; pop %rdx; .endm\n"
	".macro AT op, offset, register; \\op \\offset(%rbx), \\register; .endm\n"
	".macro TO op, register, offset; \\op \\register, \\offset(%rbx); .endm\n"
	".macro OF op, offset; \\op \\offset(%rbx); .endm\n"
	".macro LAST; pop %rbx; ret; .endm\n");
#else
#define IP eip
__asm__(".text\n"
	"stepped_code: push %ebx; push %esi; push %edi; mov 16(%esp), %ebx\n"
	".macro GETPID; mov $20, %eax; int $0x80; .endm\n"
	".macro MOVE from, to; lea \\from(%ebx), %esi\n"
	"	lea \\to(%ebx), %edi; .endm\n"
	".macro TEMPORARY; push %eax; pop %edx; .endm\n"
	".macro AT op, offset, register; \\op \\offset(%ebx), \\register; .endm\n"
	".macro TO op, register, offset; \\op \\register, \\offset(%ebx); .endm\n"
	".macro OF op, offset; \\op \\offset(%ebx); .endm\n"
	".macro LAST; pop %edi; pop %esi; pop %ebx; ret; .endm\n");
#endif
__asm__("	TO movl, $400, 0\n"
	"0:	AT movl, 4, %eax\n"
	"	TO addl, %eax, 8\n"
	"	TEMPORARY\n"
	"	call 2f\n"
	"	OF fldl, 16\n"
	"	OF faddl, 16\n"
	"	fmul %st(0)\n"
	"	OF fsubl, 16\n"
	"	fadd %st(0)\n"
	"	fchs\n"
	"	OF fstpl, 24\n"
	"	TO xchgl, %eax, 4\n"
	"	MOVE 32, 40\n"
	"	mov $3, %ecx\n"
	"	cld\n"
	"	rep movsb\n"
	"	lodsb\n"
	"	AT cmpl, 8, %eax\n"
	"	je 1f\n"
	"	TO movl, %eax, 12\n"
	"1:	GETPID\n"
	"	TO testb, $1, 0\n"
	"	jz 1f\n"
	"	AT addl, 4, %eax\n"
	"1:	OF decl, 0\n"
	"	jnz 0b\n"
	"	LAST\n"
	"2:	AT orl, 8, %edx\n"
	"	ret\n");

/* This is the address of the instruction that caused each event. */
static uintptr_t cause[MOST];
static unsigned int nr_causes;

/* These are the period of a run, and its samples. */
static uint32_t period;
static unsigned int nr_samples, wrong, late;

static void take(const struct vpmc_sample_record *record, void *arg)
{
	uint64_t event;

	(void)arg;
	if (record->kind != VPMC_SAMPLE_EVENT)
		return;
	event = (uint64_t)++nr_samples * period;
	late += !!record->is_late;
	if (event <= nr_causes && record->address == cause[event - 1])
		return;
	if (wrong++ < 5 && event <= nr_causes)
		check(false, "event %llu is of %#llx, want %#lx",
		      (unsigned long long)event,
		      (unsigned long long)record->address,
		      (unsigned long)cause[event - 1]);
}

/* Create a process that waits until it is traced further. */
static pid_t create(void)
{
	static char data[64];
	int status;
	pid_t pid = child_fork();

	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))
			err(2, "ptrace");
		stepped_code(data);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		err(2, "waitpid");
	return pid;
}

/* Let a handle count a process. If @rings is set, its last event leaves samples. */
static struct vpmc *count(pid_t pid, char *const *events, unsigned int nr,
			  struct vpmc_samples_rings **rings)
{
	struct vpmc_event_sel sel[EVENTS];
	uint32_t periods[EVENTS] = { 0 };
	struct vpmc_error error;
	struct vpmc *vpmc;
	char name[128];
	unsigned int i;

	if (vpmc_open(&vpmc, &error))
		errx(2, "%s", error.text);
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s%s", events[i],
			 rings && i == nr - 1 ? ":pp" : "");
		if (vpmc_event_parse(vpmc_pmu_of(vpmc), name, VPMC_USER,
				     &sel[i], &error))
			errx(2, "%s", error.text);
	}
	periods[nr - 1] = period;
	if ((rings &&
	     vpmc_samples_open(vpmc, periods, nr, RING_SIZE, rings, &error)) ||
	    vpmc_attach(vpmc, pid, 0, &error) ||
	    vpmc_start(vpmc, sel, nr, VPMC_COLLECT, &error))
		errx(2, "%s", error.text);
	return vpmc;
}

static uint64_t read_last(struct vpmc *vpmc, unsigned int nr)
{
	struct vpmc_counts counts;
	struct vpmc_error error;

	if (vpmc_read(vpmc, VPMC_SELF, &counts, &error))
		errx(2, "%s", error.text);
	return counts.count[nr - 1];
}

/* Let a traced process go on. Returns whether it still exists. */
static bool go_on(pid_t pid, bool stepped)
{
	int status;

	if (ptrace(stepped ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL,
		   NULL) ||
	    waitpid(pid, &status, 0) != pid)
		err(2, "ptrace");
	return WIFSTOPPED(status);
}

/* Find the causes of all events. */
static void step(char *const *events, unsigned int nr)
{
	struct user_regs_struct registers;
	const pid_t pid = create();
	struct vpmc *vpmc = count(pid, events, nr, NULL);
	unsigned int steps = 0;
	uint64_t now;
	bool goes_on;

	do {
		if (ptrace(PTRACE_GETREGS, pid, NULL, &registers))
			err(2, "PTRACE_GETREGS");
		goes_on = go_on(pid, true);
		now = read_last(vpmc, nr);
		if (now < nr_causes || now > MOST)
			errx(2, "%llu events", (unsigned long long)now);
		while (nr_causes < now)
			cause[nr_causes++] = (uintptr_t)registers.IP;
		steps++;
	} while (goes_on);
	check(nr_causes > PERIOD, "%u of %u instructions cause events",
	      nr_causes, steps);
	vpmc_close(vpmc);
}

/* Run without steps. Returns whether the number of events is the same. */
static bool run_freely(char *const *events, unsigned int nr)
{
	const pid_t pid = create();
	struct vpmc_samples_rings *rings;
	struct vpmc *vpmc = count(pid, events, nr, &rings);
	struct vpmc_lost_samples lost;
	uint64_t last;

	if (go_on(pid, false))
		errx(2, "the process stops");
	last = read_last(vpmc, nr);
	nr_samples = 0;
	vpmc_samples_read(rings, 1, take, NULL);
	vpmc_samples_lost(rings, &lost);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
	if (last == nr_causes && nr_samples == last / period && !lost.samples)
		return true;
	check(false, "%llu events with %u samples, %llu lost; %u events before",
	      (unsigned long long)last, nr_samples,
	      (unsigned long long)lost.samples, nr_causes);
	return false;
}

int main(int argc, char **argv)
{
	const unsigned int nr = (unsigned int)argc - 1;
	unsigned int i, all = 0;

	if (argc < 2 || argc > EVENTS + 1)
		errx(2, "give the events");
	step(argv + 1, nr);
	for (i = 0; i < RUNS; i++) {
		period = PERIOD + i;
		if (!run_freely(argv + 1, nr))
			break;
		all += nr_samples;
	}
	check(i == RUNS && !wrong && !late,
	      "%u of %u samples are not of the instruction of their event, %u are late",
	      wrong, all, late);
	return check_status();
}
