// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_address: test that each sample has the address of the instruction after the one that made
 * the counter overflow, with machine --exact-pmi. Some of these enter the kernel.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rings.h"

#define RING_SIZE  65536
#define ITERATIONS 60
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

/* The addresses of what is executed next after each instruction, and after each branch. */
#define MOST (ITERATIONS * 999 + 16)
static uintptr_t after[2][MOST];
static unsigned int nr_after[2];

static void step(const char *next, bool branch)
{
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

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_sample *s = (const struct vpmc_sample *)record;
	unsigned int event = sample_event(s), nth;

	(void)size;
	if (*record & VPMC_WHERE_OTHER)
		return;
	nth = ++nr_samples[event] * period[event] - 1;
	late += !!(s->where & VPMC_WHERE_LATE);
	if (nth >= nr_after[event] || sample_address(s) == after[event][nth])
		return;
	if (wrong++ < 8)
		check(false, "event %u number %u: %#llx, want %#lx", event,
		      nth + 1, (unsigned long long)s->where,
		      (unsigned long)after[event][nth]);
}

int main(void)
{
	const struct cost call = { 3, 2 },
			  loop = { 2 * ROUNDS + 2, ROUNDS + 1 };
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_new();
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	unsigned int i;

	if (only_first_interrupts_here())
		period[1] = 0;
	start->nr_events = 2;
	start->event[0].period = period[0];
	start->event[1].period = period[1];
	script_start(&s, r.fd, start);
	for (i = 0; i < ITERATIONS; i++) {
		script_piece(&s, address_call, call);
		script_piece(&s, address_loop, loop);
	}
	script_exit(&s, 0);
	trace();
	if (!child_fork())
		script_run(&s);
	until_gone(&r);
	rings_read(&r, take);
	for (i = 0; i < 2; i++)
		check(nr_samples[i] == (!period[i] ? 0
					: i	   ? s.cost.branches
						   : s.cost.instructions) /
					       (period[i] ?: 1),
		      "event %u leaves %u samples", i, nr_samples[i]);
	check(!wrong && !late,
	      "each address is right: %u are wrong, %u are late", wrong, late);
	return check_status();
}
