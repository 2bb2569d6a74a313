// SPDX-License-Identifier: GPL-2.0-only
/*
 * delay: hold a thread where it calls a kernel function, so that a test can run a race with a
 * narrow window there each time.
 *
 *	insmod delay.ko function=NAME comm=NAME usec=N [spin=1]
 *
 * A thread whose name is comm sleeps at the function for usec microseconds, or until 0 is written
 * to /sys/module/delay/parameters/usec. The parameter "held" shows whether a thread is held. One
 * thread can be held at a time. The function must be allowed to sleep, unless spin is set. With
 * spin, the thread spins, and its processor runs no other task. The module must not be removed
 * while a thread is held.
 *
 * The handler of a kprobe must not sleep, so it lets the thread continue with detour(). From there
 * the thread comes to the breakpoint again, and may pass it.
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

/* This is the thread that has come to the breakpoint, and will come to it a second time. */
static struct task_struct *thread;

static void wait(void)
{
	unsigned long end = jiffies + usecs_to_jiffies(usec);

	WRITE_ONCE(held, true);
	while (READ_ONCE(usec) && time_before(jiffies, end))
		schedule_timeout_idle(1);
	WRITE_ONCE(held, false);
}

/* Save the registers that may have the function's arguments. */
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
 * Spin. @held stays set after that, because on a busy host the spin can be over before the test
 * reads @held.
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
 * Do nothing. Without a post handler, the kernel might replace the breakpoint by a jump, and then a
 * change of regs->ip would have no effect.
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
