// SPDX-License-Identifier: GPL-2.0-only
#include "single_step.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#include "unit.h"

#define TRAP_FLAG 0x100

#ifdef __x86_64__
#define READ_FLAGS  "pushfq; popq %0"
#define WRITE_FLAGS "pushq %0; popfq"
#else
#define READ_FLAGS  "pushfl; popl %0"
#define WRITE_FLAGS "pushl %0; popfl"
#endif

volatile int single_step_held;

static volatile unsigned int done, wanted;
static void (*then)(void);

/* SIGTRAP after each instruction from the second one on, or not. */
static void __attribute__((noinline)) set_trap_flag(int on)
{
	unsigned long flags;

	__asm__ __volatile__(READ_FLAGS : "=r"(flags) : : "memory");
	flags &= ~(unsigned long)TRAP_FLAG;
	flags |= on ? TRAP_FLAG : 0;
	__asm__ __volatile__(WRITE_FLAGS : : "r"(flags) : "cc", "memory");
}

void single_step_more(void)
{
	if (single_step_held || done == wanted)
		return;
	done++;
	if (done == wanted)
		then();
}

static void step(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)info;
	single_step_more();
	if (done == wanted)
		((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &=
			~TRAP_FLAG;
}

unsigned int single_step(void (*function)(void), unsigned int at,
			 void (*handler)(void))
{
	struct sigaction action = { .sa_sigaction = step,
				    .sa_flags = SA_SIGINFO };
	struct sigaction old;
	unsigned int result;

	assert_int_equal(sigaction(SIGTRAP, &action, &old), 0);
	done = 0;
	wanted = at;
	then = handler;
	set_trap_flag(1);
	function();
	set_trap_flag(0);
	result = done;
	done = 0;
	wanted = 0;
	assert_int_equal(sigaction(SIGTRAP, &old, NULL), 0);
	return result;
}
