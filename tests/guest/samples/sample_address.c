// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_address [skid]: test that each sample has the address of the instruction after the one
 * that made the counter overflow, with machine --exact-pmi. Some of these instructions enter the
 * kernel, and all of them do in a process that is single-stepped. The histograms of vpmc_profile()
 * must count the same addresses.
 *
 * With "skid", and without --exact-pmi, a sample has the address after the next branch or system
 * call.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vpmc.h>

#include "rings.h"

#define RING_SIZE  65536
#define ITERATIONS 60
#define STEPPED	   20
#define ROUNDS	   497

/* An iteration is a system call and a loop: 999 instructions, of which 500 are branches. */
#ifdef __x86_64__
#define GETPID "39"
#define ENTER  "syscall"
#else
#define GETPID "20"
#define ENTER  "int $0x80"
#endif
extern const char address_call[], address_enter[], address_return[],
	address_loop[], address_decrement[], address_jump[], address_end[];
__asm__(".text\n"
	".globl address_call, address_enter, address_return, address_loop\n"
	".globl address_decrement, address_jump, address_end\n"
	"address_call: movl $" GETPID ", %eax\n"
	"address_enter: " ENTER "\n"
	"address_return: ret\n"
	"address_loop: movl $497, %ecx\n"
	"address_decrement: subl $1, %ecx\n"
	"address_jump: jnz address_decrement\n"
	"address_end: ret\n");

/*
 * These are the addresses that are executed next after each instruction, and after each branch.
 */
#define MOST (ITERATIONS * 999 + 16)
static uintptr_t after[2][MOST];
static unsigned int nr_after[2];
/* This says whether the emulator interrupts after an instruction without --exact-pmi. */
static bool interrupts_after[MOST];

static void step(const char *next, bool branch)
{
	interrupts_after[nr_after[0]] = branch || next == address_return;
	after[0][nr_after[0]++] = (uintptr_t)next;
	if (branch)
		after[1][nr_after[1]++] = (uintptr_t)next;
}

/* Follow the code from the return from VPMC_START on. */
static void trace(void)
{
	unsigned int i, k;

	for (i = 0; i < ITERATIONS; i++) {
		step(address_call, true);
		step(address_enter, false);
		step(address_return, true);
		step(address_loop, true);
		for (k = 0; k < ROUNDS; k++) {
			step(k ? address_jump : address_decrement, false);
			if (!k)
				step(address_jump, false);
			step(k + 1 < ROUNDS ? address_decrement : address_end,
			     true);
		}
	}
}

static uint32_t period[2] = { 1000, 1501 };
static unsigned int nr_samples[2], wrong, late;
static bool skid;

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_sample *s = (const struct vpmc_sample *)record;
	unsigned int event = sample_event(s), nth;

	(void)size;
	if (*record & VPMC_WHERE_OTHER)
		return;
	nth = ++nr_samples[event] * period[event] - 1;
	late += !!(s->where & VPMC_WHERE_LATE);
	while (skid && !event && nth < nr_after[0] && !interrupts_after[nth])
		nth++;
	if (nth >= nr_after[event] || sample_address(s) == after[event][nth])
		return;
	if (wrong++ < 8)
		check(false, "event %u number %u: %#llx, want %#lx", event,
		      nth + 1, (unsigned long long)s->where,
		      (unsigned long)after[event][nth]);
}

/* Return a script that starts on a handle and executes iterations. */
static struct script iterate(int fd, unsigned int nr)
{
	const struct cost call = { 3, 2 },
			  loop = { 2 * ROUNDS + 2, ROUNDS + 1 };
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	struct script s = script_new();
	unsigned int i;

	start->nr_events = 2;
	start->event[0].period = period[0];
	start->event[1].period = period[1];
	script_start(&s, fd, start);
	for (i = 0; i < nr; i++) {
		script_piece(&s, address_call, call);
		script_piece(&s, address_loop, loop);
	}
	return s;
}

#define NR_BUCKETS 16

/*
 * The event of instructions has a bucket for each two bytes of the loop; the system call is
 * outside of its range. The event of branches has a bucket for each four bytes.
 */
static uint16_t instructions[NR_BUCKETS], want_instructions[NR_BUCKETS];
static uint32_t branches[NR_BUCKETS], want_branches[NR_BUCKETS];
static uint32_t outside[1], want_outside;

static void want_histograms(void)
{
	const uintptr_t from = (uintptr_t)address_loop,
			to = from + sizeof(instructions);
	unsigned int nth;

	for (nth = period[0]; nth <= nr_after[0]; nth += period[0]) {
		if (after[0][nth - 1] >= from && after[0][nth - 1] < to)
			want_instructions[(after[0][nth - 1] - from) / 2]++;
		else
			want_outside++;
	}
	for (nth = period[1]; nth && nth <= nr_after[1]; nth += period[1])
		want_branches[(after[1][nth - 1] - (uintptr_t)address_call) /
			      4]++;
}

static void check_histograms(void)
{
	const struct vpmc_profile_range range[] = {
		{ instructions, sizeof(instructions), (uintptr_t)address_loop,
		  65536, 2, 0 },
		{ branches, sizeof(branches), (uintptr_t)address_call,
		  period[1] ? 65536 : 0, 4, 1 },
		{ outside, sizeof(outside), 0, 2, 4, 0 },
	};
	struct vpmc_histograms *histograms;
	struct vpmc_profiled profiled;
	struct vpmc_error error;
	struct script s;
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &error) ||
	    vpmc_profile(vpmc, period, 2, range, 3, RING_SIZE, &histograms,
			 &error))
		errx(2, "%s", error.text);
	s = iterate(vpmc_fd(vpmc), ITERATIONS);
	script_stop(&s, vpmc_fd(vpmc), stop_arg());
	script_back(&s);
	script_run(&s);
	vpmc_profile_update(histograms, &profiled);
	want_histograms();
	check(!memcmp(instructions, want_instructions, sizeof(instructions)) &&
		      want_outside && outside[0] == want_outside,
	      "the histogram of instructions is right: %u of %u are outside",
	      outside[0], want_outside);
	check(!memcmp(branches, want_branches, sizeof(branches)),
	      "the histogram of branches is right");
	check(profiled.outside == want_outside &&
		      profiled.counted + profiled.outside ==
			      s.cost.instructions / period[0] +
				      (period[1] ? s.cost.branches / period[1]
						 : 0) &&
		      !profiled.others && !profiled.late && !profiled.lost,
	      "%llu samples have a bucket",
	      (unsigned long long)profiled.counted);
	vpmc_profile_close(histograms);
	vpmc_close(vpmc);
}

/* Execute a script in a child, which executes one instruction at a time if @stepped is set. */
static void execute(struct script *s, bool stepped)
{
	pid_t pid = child_fork();
	int status;

	if (!pid) {
		if (stepped &&
		    (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP)))
			err(2, "ptrace");
		script_run(s);
	}
	while (stepped && waitpid(pid, &status, 0) == pid &&
	       WIFSTOPPED(status)) {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			err(2, "PTRACE_SINGLESTEP");
	}
}

static void test_samples(const char *what, unsigned int iterations,
			 bool stepped)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = iterate(r.fd, iterations);
	unsigned int i;

	script_exit(&s, 0);
	memset(nr_samples, 0, sizeof(nr_samples));
	execute(&s, stepped);
	until_gone(&r);
	rings_read(&r, take);
	for (i = 0; i < 2; i++)
		check(nr_samples[i] == (!period[i] ? 0
					: i	   ? s.cost.branches
						   : s.cost.instructions) /
					       (period[i] ?: 1),
		      "%s: event %u leaves %u samples", what, i, nr_samples[i]);
	check(!wrong && !late,
	      "%s: each address is right: %u are wrong, %u are late", what,
	      wrong, late);
	rings_free(&r);
}

int main(int argc, char **argv)
{
	(void)argv;
	trace();
	skid = argc > 1;
	if (only_first_interrupts_here())
		period[1] = 0;
	test_samples("a process", ITERATIONS, false);
	if (skid)
		return check_status();
	check_histograms();
	test_samples("steps", STEPPED, true);
	return check_status();
}
