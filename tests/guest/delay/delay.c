// SPDX-License-Identifier: GPL-2.0-only
/*
 * delay: hold a thread where it calls a kernel function, so that a race which
 * has a narrow window there is run every time.
 *
 *	insmod delay.ko function=NAME comm=NAME usec=N [spin=1]
 *
 * A thread whose name is comm sleeps there for so many microseconds, or until 0
 * is written to /sys/module/delay/parameters/usec, and then goes on; held shows
 * when that is the case. One thread is held at a time. The function has to be
 * one that may sleep, unless the thread is to spin instead: then its
 * processor does nothing else. The module must not be removed while somebody is held.
 *
 * The breakpoint of a kprobe must not sleep, so it lets the thread continue with
 * detour(). When the thread comes to the breakpoint again, it may pass.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/objtool.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *function = "";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "the function at whose beginning to hold");

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0444);
MODULE_PARM_DESC(comm, "the name of the threads to hold");

static unsigned int usec;
module_param(usec, uint, 0644);
MODULE_PARM_DESC(usec, "for how many microseconds");

static bool spin;
module_param(spin, bool, 0444);
MODULE_PARM_DESC(spin, "whether they do not sleep");

static bool held;
module_param(held, bool, 0444);
MODULE_PARM_DESC(held, "whether a thread is held");

static struct kprobe probe;

/* This thread has come to the breakpoint, and will come to it again. */
static struct task_struct *thread;

static void wait(void)
{
	unsigned long end = jiffies + usecs_to_jiffies(usec);

	WRITE_ONCE(held, true);
	while (READ_ONCE(usec) && time_before(jiffies, end))
		schedule_timeout_idle(1);
	WRITE_ONCE(held, false);
}

/* The function's arguments may be in these registers. */
#ifdef CONFIG_X86_64
#define SAVE	"push %%rdi; push %%rsi; push %%rdx; push %%rcx; push %%r8; push %%r9\n\t"
#define RESTORE	"pop %%r9; pop %%r8; pop %%rcx; pop %%rdx; pop %%rsi; pop %%rdi\n\t"
#else
#define SAVE	"push %%eax; push %%edx; push %%ecx\n\t"
#define RESTORE	"pop %%ecx; pop %%edx; pop %%eax\n\t"
#endif

static void __naked detour(void)
{
	asm volatile(SAVE
		     "call %P0\n\t"
		     RESTORE
		     "jmp *%1"
		     : : "i" (wait), "m" (probe.addr));
}

STACK_FRAME_NON_STANDARD(detour);

/*
 * Wait until a thread spins. @held remains set, because on a busy host the spin can be over
 * before it is seen.
 */
static void wait_spinning(void)
{
	unsigned int i;

	WRITE_ONCE(held, true);
	for (i = 0; i < READ_ONCE(usec); i++)
		udelay(1);
}

NOKPROBE_SYMBOL(wait_spinning);

static int hit(struct kprobe *p, struct pt_regs *regs)
{
	if (strcmp(current->comm, comm))
		return 0;
	if (spin) {
		wait_spinning();
		return 0;
	}
	if (cmpxchg(&thread, NULL, current)) {
		cmpxchg(&thread, current, NULL);
		return 0;
	}
	regs->ip = (unsigned long)detour;
	return 1;
}

NOKPROBE_SYMBOL(hit);

/*
 * Set the address at which the thread continues. Without this handler, the breakpoint might
 * become a jump, and regs->ip would have no effect.
 */
static void pass(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = {
	.pre_handler = hit,
	.post_handler = pass,
};

static int __init delay_init(void)
{
	probe.symbol_name = function;
	return register_kprobe(&probe);
}
module_init(delay_init);

static void __exit delay_exit(void)
{
	unregister_kprobe(&probe);
}
module_exit(delay_exit);

MODULE_DESCRIPTION("Hold a thread where it calls a kernel function");
MODULE_LICENSE("GPL");
