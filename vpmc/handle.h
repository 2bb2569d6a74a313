/* SPDX-License-Identifier: GPL-2.0-only */
/* An open file, and whom it stands for. */
#ifndef VPMC_HANDLE_H
#define VPMC_HANDLE_H

#include <linux/mutex.h>
#include <linux/types.h>

struct pid;
struct vpmc_attach;
struct vpmc_process;
struct vpmc_session;
struct vpmc_target;
struct vpmc_thread;

/**
 * struct vpmc_handle - an open file
 * @lock: held throughout a call on this file
 * @process: what it is bound to, by the first start or because it is attached;
 *	a reference
 * @session: what it collects, from the first start that asks for it; a
 *	reference
 * @pid: what it is attached to, or NULL; a reference
 * @alone: to that thread, not to its process
 * @thread: its counters; a reference. NULL if it had exited when the file was
 *	attached.
 */
struct vpmc_handle {
	struct mutex lock;	/* see above */
	struct vpmc_process *process;
	struct vpmc_session *session;
	struct pid *pid;
	bool alone;
	struct vpmc_thread *thread;
};

/* VPMC_ATTACH. Returns 0 or the errors listed there. May sleep. */
int vpmc_handle_attach(struct vpmc_handle *h, struct vpmc_attach *args);

/*
 * Whom a start or stop on @h is about. Returns 0, with @target to be released,
 * -EXDEV, -ESRCH, -EPERM or -EINTR. May sleep.
 */
int vpmc_handle_target(struct vpmc_handle *h, struct vpmc_target *target);
void vpmc_handle_release_target(const struct vpmc_handle *h,
				const struct vpmc_target *target);

/* The file is closed. May sleep. */
void vpmc_handle_release(struct vpmc_handle *h);

#endif /* VPMC_HANDLE_H */
