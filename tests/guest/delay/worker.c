// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker: turn sleeping threads into workers, as io_uring and vhost create them in a process, as
 * long as the module is inserted. Not every kernel for tests has io_uring or vhost.
 *
 *	insmod worker.ko comm=NAME
 *
 * The threads must not run while the module is inserted.
 */
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

/* Linux 6.1 does not define this name. */
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
		/*
		 * Do not use for_each_thread(), which may need a lock that is not exported to
		 * modules.
		 */
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
