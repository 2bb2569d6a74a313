// SPDX-License-Identifier: GPL-2.0-only
/* Counts that user mode reads by itself. See window.h. */
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/task_work.h>

#include "control.h"
#include "cpu.h"
#include "kernel.h"
#include "populate.h"
#include "process.h"
#include "thread.h"
#include "window.h"

/**
 * struct vpmc_window - a thread's page
 * @ref: the thread, and each mapping, copies by fork included
 * @mm: where it is mapped; not to be followed
 * @address: where there, 0 if it is not. Under the mmap_lock of @mm; the
 *	thread looks without it.
 * @page: what is mapped
 * @shown: the same for the kernel. Written on the processor that the thread is
 *	on, with interrupts off.
 * @unveil: ends @veiled when the thread returns to user mode
 * @veiled: another process has the thread's memory and thread pointer (vfork),
 *	and may take the window for its own
 * @valid: the thread's counts are shown
 */
struct vpmc_window {
	struct kref ref;
	struct mm_struct *mm;
	unsigned long address;
	struct page *page;
	struct vpmc_page *shown;
	struct callback_head unveil;
	bool veiled;
	bool valid;
};

static void invalidate(struct vpmc_page_count *c)
{
	WRITE_ONCE(c->high[0], VPMC_PAGE_INVALID);
	WRITE_ONCE(c->high[1], VPMC_PAGE_INVALID);
}

struct vpmc_window *vpmc_window_create(void)
{
	struct vpmc_window *w = kzalloc(sizeof(*w), GFP_KERNEL_ACCOUNT);
	u32 i;

	if (!w)
		return NULL;
	w->page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!w->page) {
		kfree(w);
		return NULL;
	}
	/* As long as anybody may execute RDPMC the hooks hide what others did. */
	vpmc_use();
	kref_init(&w->ref);
	w->shown = page_address(w->page);
	w->shown->size = sizeof(*w->shown);
	w->shown->state = VPMC_STATE_STOPPED;
	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		invalidate(&w->shown->count[i]);
	return w;
}

static void free_window(struct kref *ref)
{
	struct vpmc_window *w = container_of(ref, struct vpmc_window, ref);

	vpmc_unuse();
	__free_page(w->page);
	kfree(w);
}

void vpmc_window_put(struct vpmc_window *w)
{
	if (w)
		kref_put(&w->ref, free_window);
}

/* The round of the hardware counter that @sum is in, as EDX is to have it. */
static u32 round_of(u64 sum)
{
	return (u32)(sum >> VPMC_PAGE_BITS) << (VPMC_PAGE_BITS - 32);
}

/*
 * For each half of the hardware counter, the round of that half which is nearest
 * to @sum: it changes a quarter of a round away from both such halves. So a read
 * that has just left a half still finds its round. See docs/design.md.
 */
static void set_high(struct vpmc_page_count *c, u64 sum)
{
	u64 quarter = 1ULL << (VPMC_PAGE_BITS - 2);

	WRITE_ONCE(c->high[0], round_of(sum + quarter));
	WRITE_ONCE(c->high[1], round_of(sum - quarter));
}

void vpmc_window_advance(const struct vpmc_thread *t)
{
	const struct vpmc_window *w = t->window;
	u32 i;

	for (i = 0; w->valid && i < w->shown->nr_counts; i++)
		set_high(&w->shown->count[i], t->counter[i].sum);
}

static void change_state(struct vpmc_window *w, enum vpmc_state state)
{
	w->valid = state == VPMC_STATE_RUNNING;
	WRITE_ONCE(w->shown->state, state);
	WRITE_ONCE(w->shown->sequence, w->shown->sequence + 1);
}

void vpmc_window_show(const struct vpmc_thread *t, u64 tsc)
{
	struct vpmc_window *w = t->window;

	if (!READ_ONCE(t->accepted) || w->veiled)
		return;
	w->shown->tsc = t->tsc - tsc;
	change_state(w, VPMC_STATE_RUNNING);
	vpmc_window_advance(t);
}

void vpmc_window_hide(const struct vpmc_thread *t)
{
	struct vpmc_window *w = t->window;
	u32 i;

	if (!w->valid)
		return;
	for (i = 0; i < w->shown->nr_counts; i++)
		invalidate(&w->shown->count[i]);
	change_state(w, VPMC_STATE_STOPPED);
}

/* Counts whose events take turns cannot be read from the hardware. */
static bool can_show(const struct vpmc_thread *t)
{
	return t->events && !vpmc_events_shared(t->events) &&
	       vpmc_pmu->counter_bits == VPMC_PAGE_BITS;
}

/*
 * Let the window of @t, which is invalid, be ready for what @t counts.
 * vpmc_process_lock() held, or nobody else can see @t.
 */
static void describe(struct vpmc_thread *t)
{
	struct vpmc_page *page = t->window->shown;
	u32 i;

	t->accepted = can_show(t);
	page->generation = t->accepted ? t->generation : 0;
	page->start = t->starts;
	page->nr_counts = t->accepted ? t->events->nr : 0;
	for (i = 0; i < page->nr_counts; i++)
		page->count[i].counter = t->events->counter[i];
}

/* vpmc_process_lock() held. */
static void accept(struct vpmc_thread *t)
{
	local_irq_disable();
	vpmc_thread_pause();
	t->isolated = true;
	describe(t);
	vpmc_thread_continue();
	local_irq_enable();
}

void vpmc_window_accept(u64 generation)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (!t || !t->window)
		return;
	vpmc_process_lock(t->process);
	if (t->generation == generation)
		accept(t);
	vpmc_process_unlock(t->process);
}

static void unveil(struct callback_head *work)
{
	struct vpmc_window *w = container_of(work, struct vpmc_window, unveil);
	struct vpmc_thread *t = current->thread.vpmc;

	local_irq_disable();
	w->veiled = false;
	if (t && t->window == w) {
		vpmc_thread_pause();
		vpmc_thread_continue();
	}
	local_irq_enable();
	vpmc_window_put(w);
}

void vpmc_window_veil(struct vpmc_thread *t)
{
	struct vpmc_window *w = t->window;

	if (w->veiled)
		return;
	local_irq_disable();
	w->veiled = true;
	vpmc_window_hide(t);
	local_irq_enable();
	kref_get(&w->ref);
	init_task_work(&w->unveil, unveil);
	/* Only a thread that exits cannot have it, and that reads no more. */
	if (task_work_add(current, &w->unveil, TWA_RESUME))
		vpmc_window_put(w);
}

/* The calling thread's counters, which it gets if it has none. */
static struct vpmc_thread *own_thread(void)
{
	struct vpmc_target self = { .task = current };
	struct vpmc_process *p = vpmc_process_get_or_create(current);
	int err = p ? vpmc_populate(p, &self) : -ENOMEM;

	return err ? ERR_PTR(err) : current->thread.vpmc;
}

/* Map the window of @t, which has none or none that is mapped. */
static int map(struct file *file, struct vpmc_thread *t)
{
	unsigned long address;

	if (!t->window)
		t->window = vpmc_window_create();
	if (!t->window)
		return -ENOMEM;
	/* A first touch by the reader would cost more than a system call. */
	address = vm_mmap(file, 0, PAGE_SIZE, PROT_READ,
			  MAP_SHARED | MAP_POPULATE, 0);
	return IS_ERR_VALUE(address) ? (int)address : 0;
}

int vpmc_window_map(struct file *file, struct vpmc_map *args)
{
	struct vpmc_thread *t;
	int err = 0;

	if (!(vpmc_pmu->features() & VPMC_FEATURE_MAP))
		return -EOPNOTSUPP;
	t = own_thread();
	if (IS_ERR(t))
		return PTR_ERR(t);
	if (!t->window || !READ_ONCE(t->window->address))
		err = map(file, t);
	if (err)
		return err;
	vpmc_process_lock(t->process);
	vpmc_process_settle(t->process);
	accept(t);
	args->generation = t->events ? t->generation : 0;
	vpmc_process_unlock(t->process);
	args->address = READ_ONCE(t->window->address);
	return 0;
}

/*
 * fork(2) copies a mapping, and with the whole mm the number of those in it:
 * the new process runs with what that says.
 */
static void window_open(struct vm_area_struct *vma)
{
	struct vpmc_window *w = vma->vm_private_data;

	kref_get(&w->ref);
	/* mremap(2), which is refused only after it has tried. */
	if (vma->vm_mm == current->mm)
		atomic_inc(&vma->vm_mm->context.perf_rdpmc_allowed);
}

static void window_close(struct vm_area_struct *vma)
{
	struct vpmc_window *w = vma->vm_private_data;
	struct mm_struct *mm = vma->vm_mm;

	/* Not if this is where a refused mremap(2) would have moved it. */
	if (mm == w->mm && vma->vm_start == w->address)
		WRITE_ONCE(w->address, 0);
	vpmc_window_put(w);
	if (atomic_dec_and_test(&mm->context.perf_rdpmc_allowed))
		on_each_cpu_mask(mm_cpumask(mm), cr4_update_pce, NULL, 1);
}

static vm_fault_t window_fault(struct vm_fault *vmf)
{
	struct vpmc_window *w = vmf->vma->vm_private_data;

	/* The copy of a window whose thread this process does not have. */
	if (vmf->vma->vm_mm != w->mm)
		return VM_FAULT_SIGBUS;
	get_page(w->page);
	vmf->page = w->page;
	return 0;
}

static int window_mremap(struct vm_area_struct *vma)
{
	return -EINVAL;
}

static const struct vm_operations_struct window_ops = {
	.open = window_open,
	.close = window_close,
	.fault = window_fault,
	.mremap = window_mremap,
};

int vpmc_window_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_window *w = t ? t->window : NULL;
	struct mm_struct *mm = vma->vm_mm;

	if (!w || w->address || vma->vm_pgoff || vma_pages(vma) != 1 ||
	    vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EINVAL;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE | VM_MAYEXEC);
	kref_get(&w->ref);
	vma->vm_private_data = w;
	vma->vm_ops = &window_ops;
	w->mm = mm;
	WRITE_ONCE(w->address, vma->vm_start);
	if (atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1)
		on_each_cpu_mask(mm_cpumask(mm), cr4_update_pce, NULL, 1);
	return 0;
}

/* The copy of the mapping at @address becomes one of @w. */
static void replace(struct mm_struct *mm, unsigned long address,
		    struct vpmc_window *w)
{
	struct vm_area_struct *vma;

	mmap_write_lock(mm);
	vma = vma_lookup(mm, address);
	if (vma && vma->vm_ops == &window_ops) {
		vpmc_window_put(vma->vm_private_data);
		kref_get(&w->ref);
		vma->vm_private_data = w;
		w->mm = mm;
		w->address = address;
		/* If that fails, the first read will fault. */
		fixup_user_fault(mm, address, 0, NULL);
	}
	mmap_write_unlock(mm);
}

void vpmc_window_inherit(struct task_struct *child, struct vpmc_window *w)
{
	const struct vpmc_window *own = current->thread.vpmc->window;
	struct vpmc_thread *t = child->thread.vpmc;

	t->window = w;
	/* A vpmc_mark() during which its signal handler forks has to notice. */
	w->shown->sequence = READ_ONCE(own->shown->sequence) + 1;
	describe(t);
	if (READ_ONCE(own->address))
		replace(child->mm, own->address, w);
}

void vpmc_window_drop(struct vpmc_thread *t)
{
	struct vpmc_window *w = t->window;

	if (!w)
		return;
	local_irq_disable();
	vpmc_window_hide(t);
	t->window = NULL;
	local_irq_enable();
	vpmc_window_put(w);
}
