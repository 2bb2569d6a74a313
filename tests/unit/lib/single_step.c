// SPDX-License-Identifier: GPL-2.0-only
#include "single_step.h"

#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

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
bool single_step_child_failed;

static volatile unsigned int done, wanted;
static void (*then)(void);
static struct sigaction before;

/* This is true if the thread seems to block signals. */
static __thread volatile int blocked;

/* Switch single steps on or off. From the second instruction on, each one raises SIGTRAP. */
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
	if (single_step_held || blocked || done == wanted)
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

int __real_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);

/*
 * This function replaces the function that the library calls. The library blocks all signals, so
 * check only one of them.
 */
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	blocked = sigismember(set, SIGALRM);
	return __real_pthread_sigmask(how, set, old);
}

void single_step_on(unsigned int at, void (*handler)(void))
{
	struct sigaction action = { .sa_sigaction = step,
				    .sa_flags = SA_SIGINFO };

	assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
	done = 0;
	wanted = at;
	then = handler;
	set_trap_flag(1);
}

void single_step_off(void)
{
	set_trap_flag(0);
	done = 0;
	wanted = 0;
	assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
}

unsigned int single_step(void (*function)(void), unsigned int at,
			 void (*handler)(void))
{
	unsigned int result;

	single_step_on(at, handler);
	function();
	set_trap_flag(0);
	result = done;
	single_step_off();
	return result;
}

void single_step_fork(void)
{
	const pid_t pid = fork();
	int status;

	if (!pid)
		return;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	single_step_child_failed |= status != 0;
}
