// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker: let threads that sleep be what io_uring and vhost create in a process to work
 * for it, as long as the module is there. Not every kernel for tests has these.
 *
 *	insmod worker.ko comm=NAME
 *
 * They must not run while it is inserted.
 */
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

/* Linux 6.1 does not have this name. */
#ifndef PF_USER_WORKER
#define PF_USER_WORKER	PF_IO_WORKER
#endif

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0444);
MODULE_PARM_DESC(comm, "the name of the threads");

static void mark(unsigned int flag)
{
	struct task_struct *p, *tsk;

	rcu_read_lock();
	for_each_process(p) {
		/* for_each_thread() may ask for a lock that modules cannot have. */
		list_for_each_entry_rcu(tsk, &p->signal->thread_head,
					thread_node) {
			if (!strcmp(tsk->comm, comm))
				tsk->flags = (tsk->flags & ~PF_USER_WORKER) |
					     flag;
		}
	}
	rcu_read_unlock();
}

static int __init worker_init(void)
{
	mark(PF_USER_WORKER);
	return 0;
}
module_init(worker_init);

static void __exit worker_exit(void)
{
	mark(0);
}
module_exit(worker_exit);

MODULE_DESCRIPTION("Let threads be what works for a process in the kernel");
MODULE_LICENSE("GPL");
