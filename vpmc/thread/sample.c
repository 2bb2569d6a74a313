// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file takes samples when counters overflow, and records the programs and mappings of the
 * samples.
 */
#include <linux/cpufeature.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/instruction_pointer.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/processor.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <asm/apic.h>
#include <asm/cpu_entry_area.h>
#include <asm/irq_regs.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#include <asm/vm86.h>

#include "cpu/cpu.h"
#include "cpu/prove.h"
#include "cpu/rings.h"
#include "kernel/compat.h"
#include "kernel/kernel.h"
#include "kernel/msr.h"
#include "thread/chain.h"
#include "thread/jitter.h"
#include "thread/loaded.h"
#include "thread/sample.h"
#include "thread/segment.h"

/* This is the size of a change with the longest text, a path. */
#define SAMPLE_CHANGE_MAX	(sizeof(struct vpmc_change) + PATH_MAX + sizeof(u64))

/* The size of a change whose text is empty. */
#define SAMPLE_SHORT_SIZE	(sizeof(struct vpmc_change) + sizeof(u64))

DEFINE_PER_CPU(struct vpmc_sample_cpu, vpmc_sample_cpu);
DEFINE_STATIC_KEY_FALSE(vpmc_sample_used);
DEFINE_STATIC_KEY_FALSE(vpmc_sample_rdmsr);

/**
 * struct sample_place - where user mode continues
 * @ip: the address in the code segment, or 0 if it is unknown
 * @cs: the code segment
 * @flags: the flags, which tell virtual 8086 mode
 */
struct sample_place {
	unsigned long ip;
	unsigned long cs;
	unsigned long flags;
};

/* In virtual 8086 mode, the processor pushes other words when it enters the kernel. */
static bool sample_is_virtual(const struct task_struct *tsk)
{
#ifdef CONFIG_VM86
	return tsk->thread.vm86 && tsk->thread.vm86->saved_sp0;
#else
	return false;
#endif
}

/*
 * Return the end of the stack on which the processor pushes words when it enters the kernel, if @sp
 * is on such a stack, or NULL. With 64 bits, debug exceptions have their own stack.
 */
static const unsigned long *sample_entry_stack_end(unsigned long sp)
{
	const struct cpu_entry_area *area = get_cpu_entry_area(smp_processor_id());
	const struct entry_stack *stack = &area->entry_stack_page.stack;

	if (sp > (unsigned long)stack && sp <= (unsigned long)(stack + 1))
		return (const unsigned long *)(stack + 1);
#ifdef CONFIG_X86_64
	if (sp > CEA_ESTACK_BOT(&area->estacks, DB) && sp <= CEA_ESTACK_TOP(&area->estacks, DB))
		return (const unsigned long *)CEA_ESTACK_TOP(&area->estacks, DB);
#endif
	return NULL;
}

/*
 * Return whether an NMI with @regs has interrupted the entry into the kernel, before the registers
 * are saved at the end of @t's stack. If it has, fill in @place. On a 32-bit kernel, such an NMI
 * overwrites the end of the stack.
 */
static bool sample_find_entry(const struct vpmc_thread *t, const struct pt_regs *regs,
			      struct sample_place *place)
{
	const unsigned long *end = sample_entry_stack_end(regs->sp), *frame;
	const struct pt_regs *saved = task_pt_regs(t->task);
	unsigned long sp = regs->sp;

	*place = (struct sample_place){ .cs = __USER_CS };
	if (end) {
		/* The processor pushes five words, of which the address is the last one. */
		frame = end - 5;
		if (sp <= (unsigned long)frame && !sample_is_virtual(t->task))
			*place = (struct sample_place){ frame[0], frame[1], frame[2] };
		/* A debug exception of the kernel comes after its entry. */
		return place->cs & SEGMENT_RPL_MASK;
	}
	/* SYSCALL does not change the stack pointer. It returns to a segment whose base is 0. */
	if (IS_ENABLED(CONFIG_X86_64) &&
	    (sp < TASK_SIZE_MAX || (sp > (unsigned long)&saved->ip &&
				    sp <= (unsigned long)(saved + 1)))) {
		place->ip = regs->cx;
		return true;
	}
	return false;
}

/* Return the address of user mode in @regs of @t, or 0 if it is unknown. */
static u64 sample_address_of(const struct vpmc_thread *t, const struct sample_place *place)
{
	u64 address = vpmc_segment_address(t->task, place->ip, place->cs, place->flags);

	return address < TASK_SIZE_MAX ? address : 0;
}

/* Return the address at which user mode was interrupted, or 0 if it is unknown. */
static u64 sample_user_address(const struct vpmc_thread *t, const struct pt_regs *regs)
{
	const struct pt_regs *user = task_pt_regs(t->task);
	struct sample_place place;

	if (!regs || !sample_find_entry(t, regs, &place))
		place = (struct sample_place){ user->ip, user->cs, user->flags };
	return sample_address_of(t, &place);
}

/* Return the address in @regs, which are those of user mode. */
static u64 sample_interrupted_address(const struct vpmc_thread *t, const struct pt_regs *regs)
{
	const struct sample_place place = { regs->ip, regs->cs, regs->flags };

	return sample_address_of(t, &place);
}

/* Implement sample_where() for all samples but those of an NMI that interrupts user mode. */
static noinline u64 sample_where_else(const struct vpmc_thread *t, const struct vpmc_point *point,
				      struct pt_regs *regs)
{
	u64 where = point->where;

	if (!regs) {
		where |= VPMC_WHERE_LATE;
		regs = get_irq_regs();
	}
	if (regs && user_mode(regs))
		return where | (sample_interrupted_address(t, regs) & VPMC_WHERE_ADDRESS);
	if (!point->kernel)
		return where | (sample_user_address(t, regs) & VPMC_WHERE_ADDRESS);
	where |= VPMC_WHERE_KERNEL;
	return where | ((regs ? instruction_pointer(regs) : _THIS_IP_) & VPMC_WHERE_ADDRESS);
}

/*
 * Return vpmc_sample.where for a sample at @point. @regs has the registers that an NMI has
 * interrupted. @regs is NULL for a late sample, which may be found by the handler of another
 * interrupt. If the interrupt for an event of user mode comes after the entry into the kernel, the
 * address in the kernel must not be shown.
 */
static __always_inline u64 sample_where(const struct vpmc_thread *t,
					const struct vpmc_point *point, struct pt_regs *regs)
{
	if (likely(regs && vpmc_segment_is_flat(regs)))
		return point->where | (instruction_pointer(regs) & VPMC_WHERE_ADDRESS);
	return sample_where_else(t, point, regs);
}

/* Return whether the observer may watch the program that @t executes. */
static bool sample_is_open(const struct vpmc_thread *t)
{
	return !READ_ONCE(t->large->samples->hidden);
}

/* Find the ids of @t for its samples. These ids stay the same until an exec. */
static noinline void sample_identify(struct vpmc_thread *t)
{
	struct pid_namespace *ns = t->events->rings->ns;
	struct vpmc_thread_samples *samples = t->large->samples;

	WRITE_ONCE(samples->nameless, false);
	samples->ids = (u64)task_pid_nr_ns(t->task, ns) << 32 | task_tgid_nr_ns(t->task, ns);
}

/*
 * Return whether samples of @t may show its registers and memory. In a switch, the present mm can
 * belong to another process. A program that is being replaced by execve(2) may be one that must not
 * be watched, and prctl(2) lets a process hide its memory.
 */
static bool sample_may_look_inside(const struct vpmc_thread *t)
{
	if (t->task != current || current->in_execve || !current->mm)
		return false;
	return READ_ONCE(t->large->samples->privileged) ||
	       vpmc_is_dumpable(current);
}

/*
 * Return the registers of user mode of @t, or NULL if they are not known or not to be shown. @regs
 * has the registers that an NMI has interrupted, or is NULL. While the kernel is entered or left,
 * some registers of user mode are elsewhere.
 */
static struct pt_regs *sample_user_registers(const struct vpmc_thread *t, struct pt_regs *regs)
{
	struct pt_regs *user = task_pt_regs(t->task);
	struct sample_place place;

	if (!sample_may_look_inside(t))
		return NULL;
	if (!regs)
		return user;
	if (user_mode(regs))
		return regs;
	if (sample_find_entry(t, regs, &place) ||
	    (regs->sp > (unsigned long)user && regs->sp <= (unsigned long)(user + 1)))
		return NULL;
	return user;
}

/* Return vpmc_sample.where, with the address that the processor has recorded for @point, if any. */
static u64 sample_where_precisely(const struct vpmc_thread *t, const struct vpmc_point *point,
				  struct pt_regs *regs)
{
	u64 address = point->precise ? vpmc_pmu->take_precise() : 0;

	if (address)
		return point->where | (address & VPMC_WHERE_ADDRESS);
	return sample_where(t, point, regs) | (point->precise ? VPMC_WHERE_LATE : 0);
}

/* Leave a sample of @t with callers and registers at @where. */
static void sample_write_long(struct vpmc_thread *t, u64 where, struct pt_regs *regs)
{
	struct pt_regs *user = sample_user_registers(t, regs);
	u64 first = 0;
	struct vpmc_rings *r = t->events->rings;
	struct vpmc_long_record record;
	u32 words = sizeof(struct vpmc_long_sample) / sizeof(u64) + r->callers;

	if (r->registers)
		words += sizeof(struct vpmc_registers) / sizeof(u64);
	if (!vpmc_rings_begin_long(r, &record, words))
		return;
	if (where & VPMC_WHERE_KERNEL)
		first = sample_user_address(t, regs);
	vpmc_rings_add(&record, t->tsc_start);
	vpmc_rings_add(&record, t->large->samples->ids);
	vpmc_rings_add(&record, where);
	vpmc_chain_write(&record, t, user, first);
	vpmc_rings_end_long(&record, VPMC_CHANGE_SAMPLE);
}

/* Like sample_take(), for a thread whose vpmc_thread_samples.extras is not 0. */
static noinline void sample_take_special(struct vpmc_thread *t, struct vpmc_point *point,
					 struct pt_regs *regs)
{
	struct vpmc_thread_samples *samples = t->large->samples;
	u64 where = sample_where_precisely(t, point, regs);
	struct vpmc_rings *r = t->events->rings;

	if (READ_ONCE(samples->nameless))
		sample_identify(t);
	if (!sample_is_open(t))
		vpmc_rings_hide_samples(r, 1);
	else if (samples->is_long)
		sample_write_long(t, where, regs);
	else
		vpmc_rings_write_sample(r, where, t->tsc_start, samples->ids);
	vpmc_jitter_apply(point);
}

/* Leave a sample of @t, which was brought up to date just before. */
static __always_inline void sample_take(struct vpmc_thread *t, struct vpmc_point *point,
					struct pt_regs *regs)
{
	struct vpmc_rings *r = t->events->rings;

	if (unlikely(READ_ONCE(t->large->samples->extras)))
		sample_take_special(t, point, regs);
	else
		vpmc_rings_write_sample(r, sample_where(t, point, regs), t->tsc_start,
					t->large->samples->ids);
}

/* Leave @nr samples like sample_take(). @nr is at least 2. */
static void sample_take_several(struct vpmc_thread *t, const struct vpmc_point *point, u64 nr)
{
	u64 memory[SAMPLE_SHORT_SIZE / sizeof(u64)] = {};
	struct vpmc_change *change = (void *)memory;
	struct vpmc_rings *r = t->events->rings;

	if (!sample_is_open(t)) {
		vpmc_rings_hide_samples(r, nr);
		return;
	}
	change->where = VPMC_WHERE_OTHER | SAMPLE_SHORT_SIZE |
			(u64)VPMC_CHANGE_SAMPLES << VPMC_CHANGE_TYPE_SHIFT;
	change->tsc = t->tsc_start;
	change->pid = task_tgid_nr_ns(t->task, r->ns);
	change->tid = task_pid_nr_ns(t->task, r->ns);
	change->begin = sample_where(t, point, NULL);
	change->end = nr;
	vpmc_rings_write_samples(r, change, ARRAY_SIZE(memory));
}

/* Leave all samples up to event @sum, without an interrupt. At least one sample is due. */
static noinline void sample_take_due(struct vpmc_thread *t, struct vpmc_point *point, u64 sum)
{
	u64 nr = div_u64(sum - point->next, point->period) + 1;

	if (nr == 1)
		sample_take(t, point, NULL);
	else
		sample_take_several(t, point, nr);
	point->next += nr * point->period;
}

/*
 * Return how many events the counter of @point has counted since its value was @shown. Only events
 * of kernel mode can have happened in between.
 */
static noinline u64 sample_counted_since(const struct vpmc_point *point, u64 shown)
{
	u64 now = vpmc_sample_now(point);

	return (now - shown) & vpmc_pmu->counter_mask;
}

/*
 * Let the counter of @point overflow at the next sample. The counter's value was @shown when the
 * thread of @c was brought up to date. If the sample is due already, vpmc_sample_end() takes it.
 */
static __always_inline void sample_write(const struct vpmc_thread *t,
					 const struct vpmc_point *point, struct vpmc_counter *c,
					 u64 shown)
{
	u64 mask = vpmc_pmu->counter_mask, since;

	vpmc_point_set_start(point, c);
	if (likely(!t->events->load.kernel)) {
		vpmc_sample_reload(point, c);
		return;
	}
	since = sample_counted_since(point, shown);
	wrmsrq(point->msr, (c->start + since) & mask & vpmc_pmu->write_mask);
	if (unlikely(since > (~c->start & mask)))
		__this_cpu_write(vpmc_sample_cpu.again, true);
}

/**
 * struct sample_list - the counters of a thread that has samples
 * @counter: the first counter
 * @point: the point of the first counter
 * @nr: number of counters, at least 1
 */
struct sample_list {
	struct vpmc_counter *counter;
	struct vpmc_point *point;
	u32 nr;
};

/* The compiler cannot know that the list stays the same while @t has samples. */
static __always_inline struct sample_list sample_list(const struct vpmc_thread *t)
{
	return (struct sample_list){ .counter = t->large->counter,
				     .point = t->large->samples->point,
				     .nr = t->events->nr_counters };
}

/*
 * Implement vpmc_sample_fold() for the @list of @t. Returns whether a counter that interrupts
 * left samples.
 */
static __always_inline bool sample_fold(struct vpmc_thread *t, struct sample_list list, bool stays,
					struct pt_regs *regs)
{
	struct vpmc_counter *c = list.counter;
	struct vpmc_point *point = list.point;
	bool any = false;

	do {
		if (c->sum < point->next)
			continue;
		if (unlikely(!point->armed)) {
			sample_take_due(t, point, c->sum);
			continue;
		}
		do {
			sample_take(t, point, regs);
			point->next += point->period;
		} while (unlikely(c->sum >= point->next));
		if (stays)
			sample_write(t, point, c, c->start);
		else
			vpmc_point_set_start(point, c);
		any = true;
	} while (c++, point++, --list.nr);
	return any;
}

void vpmc_sample_fold(struct vpmc_thread *t, bool stays)
{
	lockdep_assert_irqs_disabled();
	if (sample_fold(t, sample_list(t), stays, NULL))
		vpmc_sample_note_late();
}

/*
 * Record which process @t belongs to before its first sample. Call this between vpmc_sample_begin()
 * and vpmc_sample_end().
 */
static noinline void sample_tell_born(struct vpmc_thread *t)
{
	struct vpmc_rings *r = t->events->rings;
	u64 memory[SAMPLE_SHORT_SIZE / sizeof(u64)] = {};
	struct vpmc_change *change = (void *)memory;

	change->where = VPMC_WHERE_OTHER | SAMPLE_SHORT_SIZE |
			(u64)VPMC_CHANGE_BORN << VPMC_CHANGE_TYPE_SHIFT;
	change->tsc = rdtsc();
	change->pid = task_tgid_nr_ns(t->task, r->ns);
	change->tid = task_pid_nr_ns(t->task, r->ns);
	change->begin = t->large->samples->born;
	t->large->samples->born = 0;
	t->is_new = false;
	if (sample_is_open(t))
		vpmc_rings_write_change(r, change, ARRAY_SIZE(memory));
}

void vpmc_sample_clear(const struct vpmc_thread *t, u64 *now)
{
	const struct sample_list list = sample_list(t);
	const struct vpmc_point *point = list.point;
	u32 left = list.nr;

	lockdep_assert_irqs_disabled();
	do {
		if (!point->armed)
			continue;
		wrmsrq(point->msr, 0);
		now[point->counter] = 0;
	} while (point++, --left);
}

void vpmc_sample_load(struct vpmc_thread *t, u64 *now)
{
	struct vpmc_counter *c = t->large->counter;
	struct vpmc_point *point = t->large->samples->point;
	u32 left = t->events->nr_counters;

	lockdep_assert_irqs_disabled();
	if (unlikely(t->is_new))
		sample_tell_born(t);
	do {
		if (!point->armed)
			continue;
		sample_write(t, point, c, now[point->counter]);
		now[point->counter] = c->start;
	} while (c++, point++, --left);
	vpmc_sample_arm(t->events->armed);
}

/*
 * Bring the loaded thread, which has samples, up to date, and take the samples that are due.
 * Returns whether a sample was due.
 */
static __always_inline bool sample_advance(struct pt_regs *regs)
{
	struct vpmc_thread *t = __this_cpu_read(vpmc_loaded);
	const struct sample_list list = sample_list(t);
	const struct vpmc_point *point = list.point;
	struct vpmc_counter *c = list.counter;
	u32 left = list.nr;
	u64 tsc = rdtsc();

	raw_write_seqcount_begin(&t->seq);
	do {
		vpmc_counter_exchange(c, c, vpmc_sample_now(point), vpmc_pmu->counter_mask);
	} while (c++, point++, --left);
	t->tsc += tsc - t->tsc_start;
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
	return sample_fold(t, list, true, regs);
}

/*
 * Return whether a counter that interrupts has overflowed, so that its top bit is not set any more.
 */
static noinline bool sample_has_overflowed(void)
{
	u32 armed = __this_cpu_read(vpmc_sample_cpu.armed), i;
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;

	vpmc_pmu->read_counters(armed, now);
	for (i = 0; i < vpmc_pmu->nr_counters; i++) {
		if (armed & BIT(i) && !(now[i] & BIT_ULL(vpmc_pmu->counter_bits - 1)))
			return true;
	}
	return false;
}

/*
 * Bring the loaded thread, whose counters interrupt, up to date, and take the samples and send the
 * signals that are due. Returns whether a counter has overflowed.
 */
static __always_inline bool sample_attend(struct pt_regs *regs)
{
	struct vpmc_thread *t = __this_cpu_read(vpmc_loaded);

	return likely(vpmc_sample_has(t)) ? sample_advance(regs) : vpmc_alarm_advance(t);
}

void vpmc_sample_redo(void)
{
	lockdep_assert_irqs_disabled();
	do {
		__this_cpu_write(vpmc_sample_cpu.busy, true);
		barrier();
		__this_cpu_write(vpmc_sample_cpu.again, false);
		if (__this_cpu_read(vpmc_sample_cpu.armed))
			sample_attend(NULL);
		barrier();
		__this_cpu_write(vpmc_sample_cpu.busy, false);
		barrier();
	} while (__this_cpu_read(vpmc_sample_cpu.again));
}

/* Take the samples that are due, or note that an NMI has come. Returns whether it is ours. */
static __always_inline bool sample_interrupted(struct pt_regs *regs)
{
	if (!__this_cpu_read(vpmc_sample_cpu.armed))
		return false;
	if (likely(!__this_cpu_read(vpmc_sample_cpu.busy)))
		return sample_attend(regs);
	if (!sample_has_overflowed())
		return false;
	__this_cpu_write(vpmc_sample_cpu.again, true);
	return true;
}

/*
 * Return whether an NMI for which no sample is due is the driver's. The NMI is the driver's if the
 * overflow was found before the interrupt came, if the proof has caused the NMI, or if NMIs have no
 * other source. In the last case, a counter that does not leave samples may have wrapped.
 */
static noinline bool sample_is_ours(void)
{
	if (!__this_cpu_read(vpmc_sample_cpu.expected))
		return vpmc_prove_nmi() || vpmc_pmu->no_interrupt;
	__this_cpu_write(vpmc_sample_cpu.expected, false);
	return true;
}

/* Handle an NMI. It is the driver's if a counter has overflowed. */
static int sample_nmi(unsigned int type, struct pt_regs *regs)
{
	/* The kernel always passes registers, so that samples need not check it. */
	if (!regs)
		__builtin_unreachable();
	if (unlikely(!sample_interrupted(regs) && !sample_is_ours()))
		return NMI_DONE;
	if (vpmc_pmu->acknowledge)
		vpmc_pmu->acknowledge();
	vpmc_cpu_unmask();
	return NMI_HANDLED;
}

/*
 * Return the rings for the samples of current, with a reference, or NULL. The events of a loaded
 * thread do not change.
 */
static struct vpmc_rings *sample_rings(void)
{
	struct vpmc_rings *r = NULL;
	struct vpmc_thread *t;

	local_irq_disable();
	t = __this_cpu_read(vpmc_loaded);
	if (t && vpmc_sample_has(t) && sample_is_open(t))
		r = vpmc_rings_get(t->events->rings);
	local_irq_enable();
	return r;
}

/* Write a change of current's process to the rings. @change is NULL if memory was short. */
static void sample_write_change(struct vpmc_rings *r, struct vpmc_change *change, u32 size,
				enum vpmc_change_type type)
{
	unsigned long flags;

	local_irq_save(flags);
	vpmc_sample_begin();
	if (change) {
		change->where = VPMC_WHERE_OTHER | size | (u64)type << VPMC_CHANGE_TYPE_SHIFT;
		change->tsc = rdtsc();
		change->pid = task_tgid_nr_ns(current, r->ns);
		change->tid = task_pid_nr_ns(current, r->ns);
		vpmc_rings_write_change(r, change, size / sizeof(u64));
	} else {
		vpmc_rings_lose_change(r);
	}
	vpmc_sample_end();
	local_irq_restore(flags);
}

void vpmc_sample_fork(struct vpmc_rings *rings, u64 number)
{
	u64 memory[SAMPLE_SHORT_SIZE / sizeof(u64)] = {};
	struct vpmc_change *change = (void *)memory;

	if (!sample_is_open(current->thread.vpmc))
		return;
	change->begin = number;
	sample_write_change(rings, change, SAMPLE_SHORT_SIZE, VPMC_CHANGE_FORK);
}

/* A command name is shorter than two words. */
#define SAMPLE_EXEC_SIZE	(sizeof(struct vpmc_change) + TASK_COMM_LEN)

static void sample_write_exec(struct vpmc_rings *r)
{
	u64 memory[SAMPLE_EXEC_SIZE / sizeof(u64)] = {};
	struct vpmc_change *change = (void *)memory;

	get_task_comm(*(char (*)[TASK_COMM_LEN])change->text, current);
	sample_write_change(r, change, SAMPLE_EXEC_SIZE, VPMC_CHANGE_EXEC);
}

void vpmc_sample_exec(void)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_rings *r = sample_rings();

	/*
	 * A thread that is not the first thread of its process takes over the id of the first
	 * thread.
	 */
	if (t->kind && t->large->samples)
		WRITE_ONCE(t->large->samples->nameless, true);
	if (!r)
		return;
	sample_write_exec(r);
	vpmc_rings_put(r);
}

/* Fill in the text and zeros after it. Returns its length with the zeros. */
static u32 sample_describe(struct vpmc_change *change, const struct vm_area_struct *vma)
{
	char *memory = change->text;
	const char *name = "";
	u32 length;

	if (vma->vm_file)
		name = d_path(file_user_path(vma->vm_file), memory, PATH_MAX);
	else if (vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name((struct vm_area_struct *)vma) ?: "";
	if (IS_ERR(name))
		name = "(path too long)";
	length = strlen(name);
	memmove(memory, name, length);
	memset(memory + length, 0, sizeof(u64));
	return round_up(length + 1, sizeof(u64));
}

static void sample_fill_map(struct vpmc_change *change, const struct vm_area_struct *vma)
{
	const struct inode *inode;

	memset(change, 0, sizeof(*change));
	change->begin = vma->vm_start;
	change->end = vma->vm_end;
	if (!vma->vm_file)
		return;
	inode = file_user_inode(vma->vm_file);
	change->offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	change->inode = inode->i_ino;
	change->device = (u64)MAJOR(inode->i_sb->s_dev) << 32 | MINOR(inode->i_sb->s_dev);
}

static void sample_write_map(struct vpmc_rings *r, const struct vm_area_struct *vma)
{
	struct vpmc_change *change = kmalloc(SAMPLE_CHANGE_MAX, GFP_KERNEL_ACCOUNT);
	u32 size = 0;

	mmap_assert_locked(vma->vm_mm);
	if (change) {
		sample_fill_map(change, vma);
		size = sizeof(*change) + sample_describe(change, vma);
	}
	sample_write_change(r, change, size, VPMC_CHANGE_MAP);
	kfree(change);
}

void vpmc_sample_mmap(struct vm_area_struct *vma)
{
	struct vpmc_rings *r = sample_rings();

	mmap_assert_write_locked(vma->vm_mm);
	if (!r)
		return;
	sample_write_map(r, vma);
	vpmc_rings_put(r);
}

void vpmc_sample_present(void)
{
	VMA_ITERATOR(vmi, current->mm, 0);
	struct vpmc_rings *r = sample_rings();
	struct vm_area_struct *vma;

	if (!r)
		return;
	if (!mmap_read_lock_killable(current->mm)) {
		sample_write_exec(r);
		for_each_vma(vmi, vma) {
			if (vma->vm_flags & VM_EXEC)
				sample_write_map(r, vma);
		}
		mmap_read_unlock(current->mm);
	}
	vpmc_rings_put(r);
}

void vpmc_sample_use(void)
{
	static_branch_enable(&vpmc_sample_used);
}

int vpmc_sample_enable(bool ticks)
{
	if (!vpmc_pmu->counter_msr || !(ticks || vpmc_cpu_interrupts()))
		return -EOPNOTSUPP;
	vpmc_sample_use();
	static_branch_enable(&vpmc_sampled);
	return 0;
}

int vpmc_sample_init(void)
{
	if (!(vpmc_pmu->features & VPMC_FEATURE_RDPMC))
		static_branch_enable(&vpmc_sample_rdmsr);
	if (!vpmc_pmu->interrupts)
		return 0;
	return register_nmi_handler(NMI_LOCAL, sample_nmi, NMI_FLAG_FIRST | NMI_FLAG_UNTIMED,
				    "vpmc");
}

void vpmc_sample_exit(void)
{
	if (vpmc_pmu->interrupts)
		unregister_nmi_handler(NMI_LOCAL, "vpmc");
	static_branch_disable(&vpmc_sampled);
}
