// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticks: let a clock tick come before each instruction of a kernel function, so that a test covers
 * each window for a tick.
 *
 *	insmod ticks.ko function=NAME comm=NAME
 *
 * When a thread whose name is comm calls the function, the module steps the thread from the
 * function's second instruction to its return, including the functions that it calls. Each step
 * requests an interrupt. The interrupt comes at once, or when interrupts are enabled again. Its
 * handler calls the same functions of vpmc as a tick. The parameters "steps" and "calls" show the
 * numbers of steps and calls. "stepping" shows whether a thread is being stepped. One thread can be
 * stepped at a time. The module must not be removed while a thread is being stepped.
 *
 * Each instruction gets only a limited number of ticks, because a loop that begins again after an
 * interrupt would never end otherwise.
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

/*
 * This is the thread that is being stepped, and its stack pointer at the call of the function.
 */
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
 * Set the flag for single steps after the kprobe's instruction. If it were set before that, the
 * kprobe would clear it.
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
	/* In a context switch, a 64-bit kernel leaves the flags to the next thread. */
	if (thread != current) {
		regs->flags &= ~X86_EFLAGS_TF;
		return NOTIFY_STOP;
	}
	/*
	 * Do not interrupt the thread in the middle of a context switch, or on another stack of the
	 * processor.
	 */
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

/*
 * These are the functions to which a switched-in thread returns, by the names that compilers
 * give them.
 */
static const char *const switched_to[] = {
	"finish_task_switch",
	"finish_task_switch.isra.0",
};

static struct kprobe back;

static struct notifier_block debug = {
	.notifier_call = stepped,
};

/*
 * Find the address of the driver's function for ticks. A kprobe can find functions that are not
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
