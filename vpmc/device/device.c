// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file implements the character device. Each ioctl copies its argument in, checks
 * it, acts, and copies the answer out.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "process/access.h"
#include "kernel/account.h"
#include "calls/cgroup.h"
#include "calls/control.h"
#include "device/copy.h"
#include "cpu/cpu.h"
#include "device/device.h"
#include "device/device_read.h"
#include "device/handle.h"
#include "kernel/hooks.h"
#include "calls/map.h"
#include "thread/mapping.h"
#include "thread/sample.h"
#include "cpu/rings.h"
#include "device/own_ioctl.h"
#include "process/process.h"
#include "calls/read.h"
#include "system/release.h"
#include "thread/rotate.h"
#include "process/session.h"
#include "calls/signal.h"
#include "device/start_ioctl.h"
#include "system/system.h"
#include "device/system_device.h"

static long device_ioctl_info(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_process *p = vpmc_handle_process(h);
	struct vpmc_info info;
	u32 size;
	int err;

	err = vpmc_copy_in(&info, sizeof(info), offsetof(struct vpmc_info, system),
			   arg, &size);
	if (err)
		return err;
	if (info.flags)
		return -EINVAL;
	info.abi_version = VPMC_ABI_VERSION;
	info.nr_counters = vpmc_pmu->nr_counters - vpmc_pmu->nr_fixed;
	info.nr_fixed = vpmc_pmu->nr_fixed;
	info.counter_bits = vpmc_pmu->counter_bits;
	info.features = vpmc_pmu->features;
	info.generation = 0;
	info.start = 0;
	if (p)
		vpmc_read_numbers(p, NULL, &info.generation, &info.start);
	strscpy_pad(info.pmu, vpmc_pmu->name, sizeof(info.pmu));
	info.system = vpmc_system_is_active();
	return vpmc_copy_out(arg, &info, sizeof(info), size);
}

static bool device_flags_fit(u32 flags)
{
	const u32 from_zero = VPMC_START_COLLECT | VPMC_START_RECORDS |
			      VPMC_START_FORCE | VPMC_START_FOLD |
			      VPMC_START_KEEP;
	const u32 known = VPMC_START_AT_EXEC | VPMC_START_RESUME |
			  VPMC_START_MULTIPLEX | from_zero;

	if (flags & VPMC_START_RECORDS && !(flags & VPMC_START_COLLECT))
		return false;
	if (flags & VPMC_START_RESUME && flags & from_zero)
		return false;
	return !(flags & ~known);
}

/* Return the session for a start, NULL without VPMC_START_COLLECT, or ERR_PTR(-ENOMEM). */
static struct vpmc_session *device_session(struct vpmc_handle *h, u32 flags)
{
	struct vpmc_session *s = h->session;

	if (!(flags & VPMC_START_COLLECT))
		return NULL;
	if (s)
		return s;
	s = vpmc_session_create(&h->ready);
	/* Pairs with device_poll(), which does not take the lock. */
	smp_store_release(&h->session, s);
	return s ?: ERR_PTR(-ENOMEM);
}

/*
 * Check that files do not keep too many ended processes of current's user. Large sums are charged
 * only when a process ends (vpmc_process_charge()), because the number of living processes is
 * limited.
 */
static int device_check_limit(const struct vpmc_events *events)
{
	return vpmc_events_are_large(events) && vpmc_account_is_exceeded() ?
		       -ENOMEM :
		       0;
}

/*
 * Check the right to count all processes, because a cgroup may have processes of any user. The
 * caller may have got the file from a task that had the right.
 */
static int device_may_collect_group(const struct vpmc_group *group)
{
	return group ? vpmc_access_may_use_system() : 0;
}

static int device_start_events(struct vpmc_handle *h, struct vpmc_start *start,
			       const struct vpmc_target *target,
			       struct vpmc_events *events)
{
	struct vpmc_session *session = device_session(h, start->flags);
	struct vpmc_answer answer __uninitialized;
	struct vpmc_group *group;
	int err;

	if (IS_ERR(session))
		return PTR_ERR(session);
	group = session ? session->group : NULL;
	err = vpmc_access_may_count(events->load.kernel) ?:
	      device_check_limit(events) ?:
	      device_may_collect_group(group) ?:
	      vpmc_control_start(target, events, start->flags, session,
				 &answer);
	if (err) {
		start->error = VPMC_REASON_RESUME;
		start->error_event = 0;
		return err;
	}
	start->generation = answer.generation;
	start->start = answer.identity;
	start->self_start = answer.self;
	vpmc_handle_bind(h, target);
	if (group)
		vpmc_group_again(group);
	if (target->task == current ||
	    (target->whole && same_thread_group(target->task, current)))
		vpmc_map_accept(answer.identity);
	return 0;
}

/* Return the rings of @h that a start with @flags may use, or NULL. */
static struct vpmc_rings *device_rings(const struct vpmc_handle *h, u32 flags)
{
	return flags & (VPMC_START_COLLECT | VPMC_START_RESUME) ? h->rings : NULL;
}

static int device_start_target(struct vpmc_handle *h, struct vpmc_start *start,
			       const struct vpmc_target *target)
{
	struct vpmc_events *events;
	int err;

	events = vpmc_start_ioctl_events(start, device_flags_fit(start->flags),
					 device_rings(h, start->flags));
	if (IS_ERR(events))
		return PTR_ERR(events);
	err = device_start_events(h, start, target, events);
	vpmc_events_put(events);
	return err;
}

/* Start the target of @h. On success, @h is bound to the process. */
static int device_ioctl_start(struct vpmc_handle *h, struct vpmc_start *start)
{
	struct vpmc_target target;
	int err;

	err = vpmc_handle_get_target(h, &target);
	if (err)
		return err;
	err = device_start_target(h, start, &target);
	vpmc_handle_put_target(h, &target);
	return err;
}

static long device_ioctl_stop(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_target target;
	struct vpmc_answer answer __uninitialized;
	struct vpmc_stop __user *user = arg;
	u32 flags;
	int err;

	err = vpmc_copy_check_answerable(sizeof(*user), arg);
	if (err)
		return err;
	if (get_user(flags, &user->flags))
		return -EFAULT;
	if (flags)
		return -EINVAL;
	err = vpmc_handle_get_target(h, &target);
	if (err)
		return err;
	err = vpmc_control_stop(&target, &answer);
	vpmc_handle_put_target(h, &target);
	if (err)
		return err;
	return vpmc_copy_stop_out(user, answer.generation, answer.identity);
}

/*
 * Copy @count and @time out for all events. Copy only the part of @time that fits into
 * the caller's structure.
 */
static __always_inline int
device_copy_counts_out(struct vpmc_read __user *arg, const struct vpmc_read *read)
{
	const u32 head = offsetof(struct vpmc_read, count[read->nr_counts]);
	const u32 times = offsetof(struct vpmc_read, time);
	const u32 end = offsetof(struct vpmc_read, time[read->nr_counts]);

	if (read->size < head)
		return -EINVAL;
	if (vpmc_copy_counts(arg, read, true))
		return -EFAULT;
	if (read->size > times &&
	    copy_to_user(arg->time, read->time, min(read->size, end) - times))
		return -EFAULT;
	return 0;
}

/* Copy out the fields after the times. The caller's structure has all of them. */
static int device_copy_turns_out(struct vpmc_read __user *arg,
				 const struct vpmc_read *read)
{
	const size_t used = offsetof(struct vpmc_read, turn[read->nr_turns]) -
			    VPMC_READ_SHORT;

	return copy_to_user(&arg->nr_turns, &read->nr_turns, used) ? -EFAULT : 0;
}

/**
 * struct device_read_args - the input of VPMC_READ
 * @size: size of the caller's structure
 * @scope: enum vpmc_scope
 * @flags: 0
 */
struct device_read_args {
	u32 size;
	u32 scope;
	u32 flags;
};

/* Copy the input of VPMC_READ in, and check the size of the caller's structure. */
static int device_copy_read_in(struct device_read_args *args,
			       struct vpmc_read __user *user)
{
	const size_t min = offsetof(struct vpmc_read, count);
	const size_t size = sizeof(*user);

	if (!user_read_access_begin(user, offsetof(struct vpmc_read, state)))
		return -EFAULT;
	unsafe_get_user(args->size, &user->size, fault);
	unsafe_get_user(args->scope, &user->scope, fault);
	unsafe_get_user(args->flags, &user->flags, fault);
	user_read_access_end();
	return vpmc_copy_judge_size(args->size, size, min, user);
fault:
	user_read_access_end();
	return vpmc_copy_check_size(size, min, user, &args->size) ?: -EFAULT;
}

/* Read counts with turns, which need a structure that is too large for the stack. */
static noinline long device_read_turns(struct vpmc_handle *h,
				       struct vpmc_read __user *user,
				       u32 scope)
{
	struct vpmc_long_read *all = kmalloc(sizeof(*all), GFP_KERNEL);
	struct vpmc_read *read;
	int err;

	if (!all)
		return -ENOMEM;
	read = &all->read;
	read->size = VPMC_SIZE_LONG;
	read->scope = scope;
	/* Another task may have started other events since the first attempt. */
	read->nr_turns = 0;
	read->turn_shift = vpmc_rotate_shift;
	err = vpmc_device_read_counts(h, read) ?:
	      device_copy_counts_out(user, read) ?:
	      device_copy_turns_out(user, read);
	kfree(all);
	return err;
}

/*
 * Read with a large structure on the stack. This is not inlined, so that the common case does not
 * reserve the stack.
 */
static noinline long device_read_any(struct vpmc_handle *h,
				     struct vpmc_read __user *user,
				     const struct device_read_args *args)
{
	/* vpmc_device_read_counts() fills in all fields that device_copy_counts_out() copies. */
	u8 memory[VPMC_READ_SHORT] __aligned(8) __uninitialized;
	struct vpmc_read *read = (void *)memory;
	int err;

	read->size = args->size;
	read->scope = args->scope;
	err = vpmc_device_read_counts(h, read);
	if (err)
		return err == -ENOBUFS ? device_read_turns(h, user, args->scope) :
					 err;
	return device_copy_counts_out(user, read);
}

static long device_ioctl_read(struct vpmc_handle *h, void __user *arg)
{
	struct device_read_args args;
	int err;

	err = device_copy_read_in(&args, arg);
	if (err)
		return err;
	if (args.flags)
		return -EINVAL;
	if (args.scope == VPMC_SCOPE_THREAD &&
	    likely(vpmc_own_ioctl_read(h, arg, args.size)))
		return 0;
	return device_read_any(h, arg, &args);
}

static long device_ioctl_query(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_query query;
	struct vpmc_subject subject;
	u32 size, used;
	int err;

	err = vpmc_copy_in(&query, sizeof(query),
			   offsetof(struct vpmc_query, event), arg, &size);
	if (err)
		return err;
	if (query.flags)
		return -EINVAL;
	err = vpmc_handle_subject(h, query.scope, &subject) ?:
	      vpmc_read_events(&subject, &query);
	if (err)
		return err;
	used = offsetof(struct vpmc_query, event[query.nr_events]);
	if (size < used)
		return -EINVAL;
	return vpmc_copy_out(arg, &query, used, size);
}

/* Take the oldest record. It is dropped after it has been copied to the caller. */
static long device_take_record(struct vpmc_handle *h,
			       struct vpmc_record __user *user,
			       struct vpmc_record *record, size_t known,
			       u32 size)
{
	int err = vpmc_read_record(h->session, record);

	/* This may have been VPMC_SIZE_LONG. The caller gets its own size back. */
	record->size = size;
	err = err ?: vpmc_copy_out(user, record, known, size);
	if (!err)
		vpmc_session_drop(h->session, record);
	return err;
}

/* Take a record with turns, which needs a structure that is too large for the stack. */
static noinline long device_take_turns(struct vpmc_handle *h,
				       struct vpmc_record __user *user, u32 size)
{
	struct vpmc_record *record = kzalloc(sizeof(*record), GFP_KERNEL);
	long err;

	if (!record)
		return -ENOMEM;
	record->size = VPMC_SIZE_LONG;
	err = device_take_record(h, user, record, sizeof(*record), size);
	kfree(record);
	return err;
}

static long device_ioctl_record(struct vpmc_handle *h, void __user *arg)
{
	u8 memory[VPMC_RECORD_SHORT] __aligned(8) = {};
	struct vpmc_record *record = (void *)memory;
	struct vpmc_record __user *user = arg;
	u32 size, flags;
	long err;

	err = vpmc_copy_check_size(sizeof(*user),
				   offsetof(struct vpmc_record, time), arg,
				   &size);
	if (err)
		return err;
	if (get_user(flags, &user->flags))
		return -EFAULT;
	if (flags)
		return -EINVAL;
	if (!h->session)
		return -ENODATA;
	record->size = size;
	err = device_take_record(h, arg, record, sizeof(memory), size);
	return err == -ENOBUFS ? device_take_turns(h, arg, size) : err;
}

static long device_ioctl_attach(struct vpmc_handle *h, void __user *arg)
{
	const u32 known = VPMC_ATTACH_THREAD | VPMC_ATTACH_PIDFD;
	struct vpmc_attach attach;
	int err;

	err = vpmc_copy_in_answerable(&attach, sizeof(attach), arg);
	if (err)
		return err;
	if (attach.flags & ~known || attach.pad)
		return -EINVAL;
	err = vpmc_handle_attach(h, &attach);
	return err ?: vpmc_copy_out(arg, &attach, sizeof(attach), sizeof(attach));
}

static long device_ioctl_signal(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_signal signal;
	int err;

	err = vpmc_copy_in_answerable(&signal, sizeof(signal), arg);
	if (err)
		return err;
	if (signal.flags)
		return -EINVAL;
	if (!vpmc_handle_is_own(h))
		return -EXDEV;
	err = vpmc_signal_set(&signal);
	return err ?: vpmc_copy_out(arg, &signal, sizeof(signal), sizeof(signal));
}

/* Let a handle collect a cgroup, if the caller may count all processes. */
static int device_collect_group(struct vpmc_handle *h, int fd)
{
	struct vpmc_session *s = h->session;
	struct vpmc_group *group;
	int err = vpmc_access_may_use_system();

	lockdep_assert_held(&h->lock);
	if (err)
		return err;
	/* A start that failed also leaves a session here. */
	if (!s || !s->events)
		return -ENODATA;
	if (s->group)
		return -EBUSY;
	group = vpmc_group_begin(s, fd);
	if (IS_ERR(group))
		return PTR_ERR(group);
	spin_lock(&s->lock);
	s->group = group;
	spin_unlock(&s->lock);
	return 0;
}

static long device_ioctl_cgroup(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_cgroup cgroup;
	u32 size;
	int err;

	err = vpmc_copy_in(&cgroup, sizeof(cgroup), sizeof(cgroup), arg, &size);
	if (err)
		return err;
	if (cgroup.flags || cgroup.pad)
		return -EINVAL;
	return device_collect_group(h, cgroup.fd);
}

static long device_ioctl_samples(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_samples samples;
	struct vpmc_rings *r;
	int err;

	err = vpmc_copy_in_answerable(&samples, sizeof(samples), arg);
	if (err)
		return err;
	if (h->rings || h->process)
		return -EBUSY;
	err = vpmc_sample_enable(samples.flags & VPMC_SAMPLES_TICKS);
	if (err)
		return err;
	r = vpmc_rings_create(&samples);
	if (IS_ERR(r))
		return PTR_ERR(r);
	/* Pairs with device_mmap(). */
	smp_store_release(&h->rings, r);
	samples.nr_rings = nr_cpu_ids;
	return vpmc_copy_out(arg, &samples, sizeof(samples), sizeof(samples));
}

/* The calling thread's page is at offset 0, and rings follow. */
static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct vpmc_handle *h = file->private_data;
	struct vpmc_rings *r;

	if (!vma->vm_pgoff)
		return vpmc_mapping_mmap(file, vma);
	/* Pairs with device_ioctl_samples(). */
	r = smp_load_acquire(&h->rings);
	return r ? vpmc_rings_mmap(r, vma) : -EINVAL;
}

static long device_ioctl_map(struct vpmc_handle *h, struct file *file,
			     void __user *arg)
{
	struct vpmc_map __user *user = arg;
	struct vpmc_map map;
	u32 flags;
	int err;

	err = vpmc_copy_check_answerable(sizeof(map), arg);
	if (err)
		return err;
	if (get_user(flags, &user->flags))
		return -EFAULT;
	if (flags)
		return -EINVAL;
	if (!vpmc_handle_is_own(h))
		return -EXDEV;
	err = vpmc_map_own(file, &map);
	if (err)
		return err;
	if (put_user(map.address, &user->address) ||
	    put_user(map.generation, &user->generation) ||
	    put_user(map.start, &user->start))
		return -EFAULT;
	return 0;
}

/*
 * Carry out calls with large structures on the stack. This is not inlined, so that a read
 * does not reserve the stack. The handle's lock is held.
 */
static noinline long device_request(struct vpmc_handle *h, struct file *file,
				    unsigned int cmd, void __user *user)
{
	switch (cmd) {
	case VPMC_INFO:
		return device_ioctl_info(h, user);
	case VPMC_START:
		return vpmc_start_ioctl(h, user, device_ioctl_start);
	case VPMC_STOP:
		return device_ioctl_stop(h, user);
	case VPMC_QUERY:
		return device_ioctl_query(h, user);
	case VPMC_RECORD:
		return device_ioctl_record(h, user);
	case VPMC_ATTACH:
		return device_ioctl_attach(h, user);
	case VPMC_SIGNAL:
		return device_ioctl_signal(h, user);
	case VPMC_MAP:
		return device_ioctl_map(h, file, user);
	case VPMC_SAMPLES:
		return device_ioctl_samples(h, user);
	case VPMC_CGROUP:
		return device_ioctl_cgroup(h, user);
	default:
		return vpmc_system_device_ioctl(h, cmd, user);
	}
}

/* Try a call that usually does not need the lock. Returns -EAGAIN if it needs the lock. */
static __always_inline long device_try(const struct vpmc_handle *h,
				       unsigned int cmd, void __user *user)
{
	switch (cmd) {
	case VPMC_START:
		return vpmc_own_ioctl_start(h, user);
	case VPMC_STOP:
		return vpmc_own_ioctl_stop(h, user);
	default:
		return -EAGAIN;
	}
}

/*
 * Page faults in the caller's memory can make a call arbitrarily slow. So other tasks
 * that have the file can be killed while they wait for the lock. A task that tests
 * whether the file is a terminal does not wait for the lock, and a read usually does not
 * need it.
 */
static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct vpmc_handle *h = file->private_data;
	void __user *user = (void __user *)arg;
	long result;

	if (likely(cmd == VPMC_READ))
		return device_ioctl_read(h, user);
	result = device_try(h, cmd, user);
	if (result != -EAGAIN)
		return result;
	if (_IOC_TYPE(cmd) != VPMC_IOC_MAGIC)
		return -ENOTTY;
	if (mutex_lock_killable(&h->lock))
		return -EINTR;
	result = device_request(h, file, cmd, user);
	mutex_unlock(&h->lock);
	return result;
}

/*
 * This does not take the lock, so a task that has the file cannot block another task's
 * event loop.
 */
static __poll_t device_poll(struct file *file, struct poll_table_struct *wait)
{
	struct vpmc_handle *h = file->private_data;
	struct vpmc_session *s;

	poll_wait(file, &h->ready, wait);
	/* Pairs with device_session(). */
	s = smp_load_acquire(&h->session);
	return s ? vpmc_session_poll(s) : 0;
}

static int device_open(struct inode *inode, struct file *file)
{
	struct vpmc_handle *h = kzalloc(sizeof(*h), GFP_KERNEL_ACCOUNT);

	if (!h)
		return -ENOMEM;
	mutex_init(&h->lock);
	init_waitqueue_head(&h->ready);
	file->private_data = h;
	vpmc_hooks_use();
	/*
	 * Without this flag, io_uring polls the file before it calls
	 * vpmc_device_read_iter().
	 */
	file->f_mode |= FMODE_NOWAIT;
	return stream_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
	struct vpmc_handle *h = file->private_data;

	vpmc_system_release(h);
	vpmc_handle_release(h);
	vpmc_hooks_unuse();
	kfree(h);
	return 0;
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = vpmc_device_read,
	.read_iter = vpmc_device_read_iter,
	.poll = device_poll,
	.mmap = device_mmap,
};

static ssize_t device_show_holders(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	return vpmc_release_holders(buf);
}

/* The list names processes of all users, so only root may read it. */
static struct device_attribute device_holders =
	__ATTR(holders, 0400, device_show_holders, NULL);

static struct attribute *device_attrs[] = {
	&device_holders.attr,
	NULL,
};
ATTRIBUTE_GROUPS(device);

static struct miscdevice device_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "vpmc",
	.fops = &device_fops,
	.mode = 0666,
	.groups = device_groups,
};

int vpmc_device_init(void)
{
	return misc_register(&device_misc);
}

void vpmc_device_exit(void)
{
	misc_deregister(&device_misc);
}
