// SPDX-License-Identifier: GPL-2.0-only
/*
 * signal_event [late]: test that the signal for a multiple comes right after the event with that
 * number, with machine --exact-pmi. With "late", counters do not interrupt. The signal then comes
 * later, after the same calls.
 *
 * A loop shows in its registers how many instructions it has executed. A handler adds a constant
 * number of instructions, so the loop must advance by the same number from each signal to the next.
 */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "follow.h"

#define PERIOD	10007
#define ROUNDS	1000000
#define SIGNALS 512

#ifdef __x86_64__
#define REGISTER_IP REG_RIP
#define REGISTER_CX REG_RCX
#else
#define REGISTER_IP REG_EIP
#define REGISTER_CX REG_ECX
#endif

/* Execute 2 instructions in each of %ecx rounds. */
extern const char event_decrement[], event_jump[];
__asm__(".text\n"
	".globl event_decrement, event_jump\n"
	"event_loop: movl $1000000, %ecx\n"
	"event_decrement: subl $1, %ecx\n"
	"event_jump: jnz event_decrement\n"
	"ret\n");
void event_loop(void) __asm__("event_loop");

/* These are the count and the place of a signal. */
static volatile struct told {
	uint64_t count;
	unsigned long ip, cx;
} told[SIGNALS];
static volatile unsigned int nr;

static void note(int signo, siginfo_t *info, void *context)
{
	const greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
	volatile struct told *t = &told[nr % SIGNALS];
	struct vpmc_siginfo m;

	(void)signo;
	memcpy(&m, &info->si_addr, sizeof(m));
	t->count = (uint64_t)m.count[1] << 32 | m.count[0];
	t->ip = (unsigned long)reg[REGISTER_IP];
	t->cx = (unsigned long)reg[REGISTER_CX];
	nr++;
}

/*
 * Return how many instructions of the loop were executed before a signal, or 0 if the signal came
 * outside of the loop.
 */
static uint64_t place(const volatile struct told *t)
{
	const uint64_t done = 1 + 2 * (ROUNDS - (uint64_t)t->cx);

	if (t->ip == (uintptr_t)event_decrement)
		return done;
	return t->ip == (uintptr_t)event_jump ? done - 1 : 0;
}

/* Another process lets the processor switch again and again. */
static pid_t disturb(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		for (;;)
			sched_yield();
	}
	return pid;
}

static void check_exact(void)
{
	const uint64_t step = place(&told[1]) - place(&told[0]);
	unsigned int i, wrong = 0;

	for (i = 0; i < nr; i++) {
		if (told[i].count == (i + 1) * (uint64_t)PERIOD &&
		    place(&told[i]) &&
		    (!i || place(&told[i]) - place(&told[i - 1]) == step))
			continue;
		if (wrong++ < 5)
			check(false, "signal %u: count %llu, place %llu", i,
			      (unsigned long long)told[i].count,
			      (unsigned long long)place(&told[i]));
	}
	check(!wrong && nr > 1 && step < PERIOD && step > PERIOD / 2,
	      "each signal is at its event: %u of %u are wrong, %llu instructions of the loop from each to the next",
	      wrong, nr, (unsigned long long)step);
}

static void check_late(void)
{
	unsigned int i, wrong = 0;

	for (i = 1; i < nr; i++)
		wrong += told[i].count / PERIOD <= told[i - 1].count / PERIOD;
	check(!wrong && nr, "%u of %u signals are for no new multiple", wrong,
	      nr);
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_sigaction = note,
					  .sa_flags = SA_SIGINFO };
	struct vpmc_signal request_signal = { .size = sizeof(request_signal),
					      .signo = SIGUSR1,
					      .period = PERIOD };
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct vpmc_read *read = read_arg(VPMC_SCOPE_THREAD);
	int fd = open_device();
	pid_t pid;

	(void)argv;
	start->nr_events = 1;
	if (sigaction(SIGUSR1, &action, NULL) || request(fd, VPMC_START, start))
		errx(2, "no start");
	if (request(fd, VPMC_SIGNAL, &request_signal))
		errx(2, "no signal");
	pid = disturb();
	event_loop();
	request(fd, VPMC_STOP, stop_arg());
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (request(fd, VPMC_READ, read))
		errx(2, "no read");
	if (argc > 1)
		check_late();
	else
		check_exact();
	check(nr && nr <= SIGNALS &&
		      told[nr - 1].count / PERIOD == read->count[0] / PERIOD,
	      "the last of %u signals is for the last multiple in %llu", nr,
	      (unsigned long long)read->count[0]);
	return check_status();
}
