/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares an open file, and the process or thread to which the file is bound. */
#ifndef VPMC_HANDLE_H
#define VPMC_HANDLE_H

#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "calls/own.h"

struct pid;
struct vpmc_attach;
struct vpmc_process;
struct vpmc_rings;
struct vpmc_session;
struct vpmc_subject;
struct vpmc_target;
struct vpmc_thread;

/**
 * struct vpmc_handle - an open file
 * @lock: held during most calls on this file; vpmc_handle_reads_own() is an exception
 * @process: the process to which the first start or an attachment has bound it, with a reference
 * @session: the session that it collects since the first start with VPMC_START_COLLECT,
 *	with a reference
 * @ready: tasks that wait in poll(2) for records of @session
 * @pid: the process or thread to which it is attached, with a reference, or NULL
 * @alone: whether it is attached only to the thread @pid, not to its process
 * @rings: the rings for samples of a start, with a reference, or NULL. Once set, it does not
 *	change.
 * @thread: the counters of the thread @pid, with a reference, if @alone is set
 */
struct vpmc_handle {
	struct mutex lock;	/* see above */
	struct vpmc_process *process;
	struct vpmc_session *session;
	struct wait_queue_head ready;
	struct pid *pid;
	bool alone;
	struct vpmc_rings *rings;
	struct vpmc_thread *thread;
};

/*
 * The functions below are called with @h->lock held, and may sleep.
 *
 * Carry out VPMC_ATTACH. Returns 0 or an error that uapi/linux/vpmc.h lists.
 */
int vpmc_handle_attach(struct vpmc_handle *h, struct vpmc_attach *args);

/*
 * Find the threads that a start or stop on @h applies to. Returns 0, -EXDEV, -ESRCH,
 * -EPERM or -EINTR. After success, call vpmc_handle_put_target().
 */
int vpmc_handle_get_target(struct vpmc_handle *h, struct vpmc_target *target);
void vpmc_handle_put_target(const struct vpmc_handle *h,
			    const struct vpmc_target *target);

/* Bind @h to the process of @target, after a successful start, if @h is not bound yet. */
void vpmc_handle_bind(struct vpmc_handle *h, const struct vpmc_target *target);

/* Return the process whose counters the calls on @h show, or NULL if it has no counters. */
struct vpmc_process *vpmc_handle_process(const struct vpmc_handle *h);

/* Find the owner of the counts that a read of @scope shows. Returns 0, -EXDEV or -EINVAL. */
int vpmc_handle_subject(const struct vpmc_handle *h, u32 scope,
			struct vpmc_subject *subject);

/*
 * Return whether @h is bound to the calling process, or not bound. Calls for the calling
 * thread fail on other handles.
 */
bool vpmc_handle_is_own(const struct vpmc_handle *h);

/*
 * Return whether a read of VPMC_SCOPE_THREAD on @h returns the counts of the calling
 * thread. If not, vpmc_handle_subject() decides. The lock need not be held.
 */
static inline bool vpmc_handle_reads_own(const struct vpmc_handle *h)
{
	/* Pairs with the attachment, which sets @pid first. */
	const struct vpmc_process *p = smp_load_acquire(&h->process);

	return !READ_ONCE(h->pid) && (!p || p == current->signal->vpmc);
}

/*
 * Call vpmc_own_begin() if a read of VPMC_SCOPE_THREAD on @h returns the counts of the calling
 * thread. The lock need not be held.
 */
static __always_inline const struct vpmc_thread *
vpmc_handle_begin_own(const struct vpmc_handle *h)
{
	/* Pairs with the attachment, which sets @pid first. */
	const struct vpmc_process *p = smp_load_acquire(&h->process);

	return READ_ONCE(h->pid) ? NULL : vpmc_own_begin(p);
}

/* Drop all references of @h, because the file is closed. */
void vpmc_handle_release(struct vpmc_handle *h);

#endif /* VPMC_HANDLE_H */
