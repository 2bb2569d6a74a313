// SPDX-License-Identifier: GPL-2.0-only
/* The character device: each ioctl copies in, checks, acts and copies out. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "control.h"
#include "copy.h"
#include "cpu.h"
#include "device.h"
#include "handle.h"
#include "process.h"
#include "session.h"
#include "signals.h"
#include "system.h"
#include "thread.h"
#include "window.h"

static bool restricted;
module_param(restricted, bool, 0644);
MODULE_PARM_DESC(restricted,
		 "Only CAP_PERFMON may count, its own user mode included (default: no)");

/* Whose counters the calls on @h show, or NULL if there are none. */
static struct vpmc_process *shown(const struct vpmc_handle *h)
{
	return h->process ?: current->signal->vpmc;
}

static long ioctl_info(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_process *p = shown(h);
	struct vpmc_info info;
	u32 size;
	int err;

	err = vpmc_copy_in(&info, sizeof(info), offsetof(struct vpmc_info, system),
			   arg, &size);
	if (err)
		return err;
	if (info.flags || info.pad)
		return -EINVAL;
	info.abi_version = VPMC_ABI_VERSION;
	info.nr_counters = vpmc_pmu->nr_counters;
	info.counter_bits = vpmc_pmu->counter_bits;
	info.features = vpmc_pmu->features();
	info.generation = p ? vpmc_process_generation(p) : 0;
	strscpy_pad(info.pmu, vpmc_pmu->name);
	info.system = vpmc_epoch_is_system(READ_ONCE(vpmc_epoch));
	return vpmc_copy_out(arg, &info, sizeof(info), size);
}

static int may_start(const struct vpmc_start *start)
{
	u16 modes = 0;
	u32 i;

	for (i = 0; i < start->nr_events; i++)
		modes |= start->event[i].modes;
	if ((restricted || modes & VPMC_MODE_KERNEL) && !perfmon_capable())
		return -EPERM;
	return 0;
}

static bool flags_fit(u32 flags)
{
	const u32 from_zero = VPMC_START_COLLECT | VPMC_START_RECORDS |
			      VPMC_START_FORCE | VPMC_START_FOLD;
	const u32 known = VPMC_START_AT_EXEC | VPMC_START_RESUME |
			  VPMC_START_MULTIPLEX | from_zero;

	if (flags & VPMC_START_RECORDS && !(flags & VPMC_START_COLLECT))
		return false;
	if (flags & VPMC_START_RESUME && flags & from_zero)
		return false;
	return !(flags & ~known);
}

struct vpmc_events *vpmc_start_events(struct vpmc_start *start, bool flags_fit)
{
	struct vpmc_events *events = ERR_PTR(-EINVAL);
	enum vpmc_reason reason = VPMC_REASON_FLAGS;

	start->error_event = 0;
	if (flags_fit && !start->pad)
		events = vpmc_events_create(start->event, start->nr_events,
					    start->flags & VPMC_START_MULTIPLEX,
					    &reason, &start->error_event);
	start->error = reason;
	return events;
}

/* The session to start with: NULL if none is wanted, or ERR_PTR(-ENOMEM). */
static struct vpmc_session *session_for(struct vpmc_handle *h, u32 flags)
{
	if (!(flags & VPMC_START_COLLECT))
		return NULL;
	if (!h->session)
		h->session = vpmc_session_create();
	return h->session ?: ERR_PTR(-ENOMEM);
}

static int start_target(struct vpmc_handle *h, struct vpmc_start *start,
			const struct vpmc_target *target)
{
	struct vpmc_session *session;
	struct vpmc_events *events;
	int err;

	events = vpmc_start_events(start, flags_fit(start->flags));
	if (IS_ERR(events))
		return PTR_ERR(events);
	session = session_for(h, start->flags);
	err = PTR_ERR_OR_ZERO(session);
	if (!err)
		err = may_start(start);
	if (!err)
		err = vpmc_control_start(target, events, start->flags, session,
					 &start->generation);
	if (err) {
		vpmc_events_put(events);
		start->error = VPMC_REASON_RESUME;
		return err;
	}
	if (!h->process)
		h->process = vpmc_process_find(target->task);
	if (target->task == current ||
	    (target->whole && same_thread_group(target->task, current)))
		vpmc_window_accept(start->generation);
	return 0;
}

/* On success the handle is bound to the process. */
static int start(struct vpmc_handle *h, struct vpmc_start *start)
{
	struct vpmc_target target;
	int err;

	err = vpmc_handle_target(h, &target);
	if (err)
		return err;
	err = start_target(h, start, &target);
	vpmc_handle_release_target(h, &target);
	return err;
}

/* As many events as there are; those that the caller has no room for are zero. */
static int copy_start_in(struct vpmc_start *start,
			 struct vpmc_start __user *arg)
{
	u32 size, used;
	int err;

	err = vpmc_check_size(sizeof(*start), offsetof(struct vpmc_start, event),
			      arg, &size);
	if (err)
		return err;
	size = min(size, sizeof(*start));
	if (copy_from_user(start, arg, size))
		return -EFAULT;
	used = offsetof(struct vpmc_start,
			event[min(start->nr_events, VPMC_MAX_EVENTS)]);
	if (size < used)
		memset((void *)start + size, 0, used - size);
	return 0;
}

long vpmc_ioctl_start(struct vpmc_handle *h, void __user *arg,
		      int (*start)(struct vpmc_handle *, struct vpmc_start *))
{
	struct vpmc_start __user *user = arg;
	/* Large; filled in as far as it is looked at. */
	struct vpmc_start args __uninitialized;
	int err;

	err = copy_start_in(&args, user);
	if (err)
		return err;
	err = start(h, &args);
	if (err == -EINVAL) {
		if (put_user(args.error, &user->error) ||
		    put_user(args.error_event, &user->error_event))
			return -EFAULT;
		return err;
	}
	if (!err && put_user(args.generation, &user->generation))
		return -EFAULT;
	return err;
}

static long ioctl_stop(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_target target;
	struct vpmc_stop stop;
	u32 size;
	int err;

	err = vpmc_copy_in(&stop, sizeof(stop), sizeof(stop), arg, &size);
	if (err)
		return err;
	if (stop.flags)
		return -EINVAL;
	err = vpmc_handle_target(h, &target);
	if (err)
		return err;
	err = vpmc_control_stop(&target, &stop.generation);
	vpmc_handle_release_target(h, &target);
	if (err)
		return err;
	return vpmc_copy_out(arg, &stop, sizeof(stop), size);
}

static int read_thread(struct vpmc_handle *h, const struct vpmc_process *p,
		       struct vpmc_read *read)
{
	if (h->alone)
		return vpmc_thread_read(h->thread, read);
	if (h->pid || p != current->signal->vpmc)
		return -EXDEV;
	return vpmc_thread_read(current->thread.vpmc, read);
}

static int read_scope(struct vpmc_handle *h, struct vpmc_read *read)
{
	struct vpmc_process *p = shown(h);

	if (p && p != current->signal->vpmc && !vpmc_process_may_read(p))
		return -EPERM;
	switch (read->scope) {
	case VPMC_SCOPE_THREAD:
		return read_thread(h, p, read);
	case VPMC_SCOPE_SELF:
	case VPMC_SCOPE_CHILDREN:
		if (h->alone)
			return -EXDEV;
		return p ? vpmc_process_read(p, read) : -ENODATA;
	case VPMC_SCOPE_ALL:
		return h->session ? vpmc_session_read(h->session, read) :
				    -ENODATA;
	default:
		return -EINVAL;
	}
}

/* Of @count and @time as much as there are events, and room for. */
static int copy_counts_out(struct vpmc_read __user *arg,
			   const struct vpmc_read *read)
{
	const u32 head = offsetof(struct vpmc_read, count[read->nr_counts]);
	const u32 times = offsetof(struct vpmc_read, time);
	const u32 end = offsetof(struct vpmc_read, time[read->nr_counts]);

	if (read->size < head)
		return -EINVAL;
	if (copy_to_user(arg, read, head))
		return -EFAULT;
	if (read->size > times &&
	    copy_to_user(arg->time, read->time, min(read->size, end) - times))
		return -EFAULT;
	return 0;
}

static long ioctl_read(struct vpmc_handle *h, void __user *arg)
{
	/* Large; what copy_counts_out() takes of it is filled in before. */
	struct vpmc_read read __uninitialized;
	struct vpmc_read __user *user = arg;
	int err;

	err = vpmc_check_size(sizeof(read), offsetof(struct vpmc_read, count),
			      arg, &read.size);
	if (err)
		return err;
	if (get_user(read.scope, &user->scope) ||
	    get_user(read.flags, &user->flags))
		return -EFAULT;
	if (read.flags)
		return -EINVAL;
	err = read_scope(h, &read);
	return err ?: copy_counts_out(user, &read);
}

static long ioctl_record(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_record record;
	u32 size;
	int err;

	err = vpmc_copy_in(&record, sizeof(record),
			   offsetof(struct vpmc_record, time), arg, &size);
	if (err)
		return err;
	if (record.flags || record.pad)
		return -EINVAL;
	if (!h->session)
		return -ENODATA;
	record = (struct vpmc_record){ .size = size };
	err = vpmc_session_next(h->session, &record);
	if (err)
		return err;
	return vpmc_copy_out(arg, &record, sizeof(record), size);
}

static long ioctl_attach(struct vpmc_handle *h, void __user *arg)
{
	const u32 known = VPMC_ATTACH_THREAD | VPMC_ATTACH_PIDFD;
	struct vpmc_attach attach;
	u32 size;
	int err;

	err = vpmc_copy_in(&attach, sizeof(attach), sizeof(attach), arg, &size);
	if (err)
		return err;
	if (attach.flags & ~known || attach.pad)
		return -EINVAL;
	err = vpmc_handle_attach(h, &attach);
	return err ?: vpmc_copy_out(arg, &attach, sizeof(attach), size);
}

static long ioctl_signal(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_signal signal;
	u32 size;
	int err;

	err = vpmc_copy_in(&signal, sizeof(signal), sizeof(signal), arg, &size);
	if (err)
		return err;
	if (signal.flags)
		return -EINVAL;
	if (h->pid || (h->process && h->process != current->signal->vpmc))
		return -EXDEV;
	err = vpmc_signals_set(&signal);
	return err ?: vpmc_copy_out(arg, &signal, sizeof(signal), size);
}

static long ioctl_map(struct vpmc_handle *h, struct file *file,
		      void __user *arg)
{
	struct vpmc_map map;
	u32 size;
	int err;

	err = vpmc_copy_in(&map, sizeof(map), sizeof(map), arg, &size);
	if (err)
		return err;
	if (map.flags)
		return -EINVAL;
	if (h->pid || (h->process && h->process != current->signal->vpmc))
		return -EXDEV;
	err = vpmc_window_map(file, &map);
	return err ?: vpmc_copy_out(arg, &map, sizeof(map), size);
}

static long vpmc_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct vpmc_handle *h = file->private_data;
	void __user *user = (void __user *)arg;

	guard(mutex)(&h->lock);
	switch (cmd) {
	case VPMC_INFO:
		return ioctl_info(h, user);
	case VPMC_START:
		return vpmc_ioctl_start(h, user, start);
	case VPMC_STOP:
		return ioctl_stop(h, user);
	case VPMC_READ:
		return ioctl_read(h, user);
	case VPMC_RECORD:
		return ioctl_record(h, user);
	case VPMC_ATTACH:
		return ioctl_attach(h, user);
	case VPMC_SIGNAL:
		return ioctl_signal(h, user);
	case VPMC_MAP:
		return ioctl_map(h, file, user);
	default:
		return vpmc_system_ioctl(h, cmd, user);
	}
}

static int vpmc_open(struct inode *inode, struct file *file)
{
	struct vpmc_handle *h = kzalloc(sizeof(*h), GFP_KERNEL_ACCOUNT);

	if (!h)
		return -ENOMEM;
	mutex_init(&h->lock);
	file->private_data = h;
	return 0;
}

static int vpmc_close(struct inode *inode, struct file *file)
{
	struct vpmc_handle *h = file->private_data;

	vpmc_system_release(h);
	vpmc_handle_release(h);
	kfree(h);
	return 0;
}

static const struct file_operations vpmc_fops = {
	.owner = THIS_MODULE,
	.open = vpmc_open,
	.release = vpmc_close,
	.unlocked_ioctl = vpmc_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = vpmc_window_mmap,
};

static struct miscdevice vpmc_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "vpmc",
	.fops = &vpmc_fops,
	.mode = 0666,
};

int vpmc_device_init(void)
{
	return misc_register(&vpmc_misc);
}

void vpmc_device_exit(void)
{
	misc_deregister(&vpmc_misc);
}
