// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticks: let a clock tick come before each instruction of a kernel function, so
 * that one comes in each window that there is for it.
 *
 *	insmod ticks.ko function=NAME comm=NAME
 *
 * When a thread whose name is comm calls the function, it is single-stepped from
 * the second instruction to the return, with all that it calls. A step asks for
 * an interrupt, which comes when the processor takes it: at once, or where
 * interrupts are enabled again. The interrupt does for vpmc what a tick does.
 * steps and calls show how many instructions and calls that were, stepping shows
 * whether it goes on. One thread is stepped at a time. The module must not be
 * removed while it is.
 *
 * Each instruction gets some ticks and then no more, because a loop that begins
 * again when it has been interrupted would never end.
 */
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/debugreg.h>
#include <asm/ptrace.h>

static char *function = "";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "the function to step through");

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0444);
MODULE_PARM_DESC(comm, "the name of the threads to step");

static unsigned int steps;
module_param(steps, uint, 0444);
MODULE_PARM_DESC(steps, "instructions that were stepped");

static unsigned int calls;
module_param(calls, uint, 0444);
MODULE_PARM_DESC(calls, "calls of the function that were stepped");

static bool stepping;
module_param(stepping, bool, 0444);
MODULE_PARM_DESC(stepping, "whether a thread is being stepped");

/* The thread that is being stepped, and its stack pointer when it was called. */
static struct task_struct *thread;
static unsigned long called_at;

/* TICKS limits the ticks of an instruction. The table counts them by the hash of its address. */
#define TICKS		16
#define HASH_BITS	16
static u8 had[1 << HASH_BITS];

static bool has_more(unsigned long address)
{
	u8 *n = &had[hash_long(address, HASH_BITS)];

	return *n < TICKS && ++*n;
}

NOKPROBE_SYMBOL(has_more);

static void (*tick)(struct task_struct *curr);

static void interrupted(struct irq_work *work)
{
	tick(current);
}

static struct irq_work interrupt = IRQ_WORK_INIT_HARD(interrupted);

static int called(struct kprobe *p, struct pt_regs *regs)
{
	if (!strcmp(current->comm, comm) && !cmpxchg(&thread, NULL, current)) {
		called_at = regs->sp;
		stepping = true;
	}
	return 0;
}

NOKPROBE_SYMBOL(called);

/*
 * Step after the first instruction of the function, and after each later one. Before the
 * first one, the probe would clear the flag.
 */
static void step(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	if (READ_ONCE(thread) == current)
		regs->flags |= X86_EFLAGS_TF;
}

NOKPROBE_SYMBOL(step);

static int stepped(struct notifier_block *block, unsigned long event,
		   void *data)
{
	struct die_args *args = data;
	struct pt_regs *regs = args->regs;

	if (event != DIE_DEBUG || user_mode(regs) || !READ_ONCE(thread))
		return NOTIFY_DONE;
	*(unsigned long *)args->err &= ~DR_STEP;
	/* A switch of 64-bit kernels leaves the flags to the next thread. */
	if (thread != current) {
		regs->flags &= ~X86_EFLAGS_TF;
		return NOTIFY_STOP;
	}
	/* The thread is in the middle of a switch, or on another stack of the processor. */
	if ((regs->sp ^ called_at) >= THREAD_SIZE)
		return NOTIFY_STOP;
	if (regs->sp > called_at) {
		regs->flags &= ~X86_EFLAGS_TF;
		calls++;
		WRITE_ONCE(thread, NULL);
		WRITE_ONCE(stepping, false);
	} else {
		steps++;
		if (has_more(regs->ip))
			irq_work_queue(&interrupt);
	}
	return NOTIFY_STOP;
}

NOKPROBE_SYMBOL(stepped);

static struct kprobe probe = {
	.pre_handler = called,
	.post_handler = step,
};

/* Where a thread is switched to, by the names that compilers give it. */
static const char *const switched_to[] = {
	"finish_task_switch",
	"finish_task_switch.isra.0",
};

static struct kprobe back;

static struct notifier_block debug = {
	.notifier_call = stepped,
};

/*
 * Find the function of the tick. A kprobe knows the addresses of functions that are not
 * exported.
 */
static int find_tick(void)
{
	struct kprobe finder = { .symbol_name = "vpmc_tick" };
	int err = register_kprobe(&finder);

	if (err)
		return err;
	tick = (void *)finder.addr;
	unregister_kprobe(&finder);
	return 0;
}

static int probe_switches(void)
{
	unsigned int i;
	int err = -ENOENT;

	for (i = 0; err && i < ARRAY_SIZE(switched_to); i++) {
		back = (struct kprobe){
			.symbol_name = switched_to[i],
			.post_handler = step,
		};
		err = register_kprobe(&back);
	}
	return err;
}

static int __init ticks_init(void)
{
	int err = find_tick();

	if (err)
		return err;
	err = register_die_notifier(&debug);
	if (err)
		return err;
	err = probe_switches();
	if (err)
		goto no_switches;
	probe.symbol_name = function;
	err = register_kprobe(&probe);
	if (err)
		goto no_function;
	return 0;

no_function:
	unregister_kprobe(&back);
no_switches:
	unregister_die_notifier(&debug);
	return err;
}
module_init(ticks_init);

static void __exit ticks_exit(void)
{
	unregister_kprobe(&probe);
	unregister_kprobe(&back);
	unregister_die_notifier(&debug);
	irq_work_sync(&interrupt);
}
module_exit(ticks_exit);

MODULE_DESCRIPTION("Let clock ticks come wherever they can in a kernel function");
MODULE_LICENSE("GPL");
