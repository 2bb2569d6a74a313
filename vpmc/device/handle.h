/* SPDX-License-Identifier: GPL-2.0-only */
/* An open file, and the process or thread that it stands for. */
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
struct vpmc_session;
struct vpmc_subject;
struct vpmc_target;
struct vpmc_thread;

/**
 * struct vpmc_handle - an open file
 * @lock: held throughout a call on this file, but see vpmc_handle_reads_own()
 * @process: what it is bound to, by the first start or because it is attached;
 *	a reference
 * @session: what it collects, from the first start that asks for it; a
 *	reference
 * @ready: who waits in poll(2) for records of @session
 * @pid: what it is attached to, or NULL; a reference
 * @alone: to that thread, not to its process
 * @thread: its counters; a reference. NULL if it had exited when the file was
 *	attached.
 */
struct vpmc_handle {
	struct mutex lock;	/* see above */
	struct vpmc_process *process;
	struct vpmc_session *session;
	struct wait_queue_head ready;
	struct pid *pid;
	bool alone;
	struct vpmc_thread *thread;
};

/*
 * The calls below have @h->lock held and may sleep.
 *
 * VPMC_ATTACH. Returns 0 or the errors listed there.
 */
int vpmc_handle_attach(struct vpmc_handle *h, struct vpmc_attach *args);

/*
 * Which threads a start or stop on @h is about. Returns 0, with @target to be
 * released, -EXDEV, -ESRCH, -EPERM or -EINTR.
 */
int vpmc_handle_get_target(struct vpmc_handle *h, struct vpmc_target *target);
void vpmc_handle_put_target(const struct vpmc_handle *h,
			    const struct vpmc_target *target);

/* A start on @target succeeded: @h is bound to its process from now on. */
void vpmc_handle_bind(struct vpmc_handle *h, const struct vpmc_target *target);

/* Whose counters the calls on @h show, or NULL if there are none. */
struct vpmc_process *vpmc_handle_process(const struct vpmc_handle *h);

/* Whose counts a read of @scope is about. Returns 0, -EXDEV or -EINVAL. */
int vpmc_handle_subject(const struct vpmc_handle *h, u32 scope,
			struct vpmc_subject *subject);

/*
 * Does @h stand for the calling process? Only then do calls that concern the
 * calling thread work on it.
 */
bool vpmc_handle_is_own(const struct vpmc_handle *h);

/*
 * Is a read of VPMC_SCOPE_THREAD on @h about the calling thread? Does not need the
 * lock. If not, ask vpmc_handle_subject().
 */
static inline bool vpmc_handle_reads_own(const struct vpmc_handle *h)
{
	/* Pairs with the attachment, which sets @pid first. */
	const struct vpmc_process *p = smp_load_acquire(&h->process);

	return !READ_ONCE(h->pid) && (!p || p == current->signal->vpmc);
}

/* The same: vpmc_own_begin() if it is. */
static __always_inline const struct vpmc_thread *
vpmc_handle_begin_own(const struct vpmc_handle *h)
{
	/* Pairs with the attachment, which sets @pid first. */
	const struct vpmc_process *p = smp_load_acquire(&h->process);

	return READ_ONCE(h->pid) ? NULL : vpmc_own_begin(p);
}

/* The file is closed. */
void vpmc_handle_release(struct vpmc_handle *h);

#endif /* VPMC_HANDLE_H */
