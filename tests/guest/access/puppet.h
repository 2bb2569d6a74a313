/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares puppets. A puppet is a process that executes programs of several kinds and
 * carries out the orders of a test. Its user-mode instructions are known exactly.
 */
#ifndef PUPPET_H
#define PUPPET_H

#include <sys/types.h>

#include "hold.h"

/* Users. Each has a group of the same number. */
#define ROOT	 0
#define WATCHED	 1000 /* the user of most puppets */
#define STRANGER 1001

/**
 * struct role - the identity of a process
 * @name: its name in messages
 * @user: its user and group
 * @has: its capabilities, as cap_from_text(3) has them
 */
struct role {
	const char *name;
	uid_t user;
	const char *has;
};

void become(const struct role *role);

/* Run a function in a process with that role. */
void as(const struct role *role, void (*act)(void *arg), void *arg);

/* These are the files that a puppet can execute: copies of the same program. */
enum file {
	PLAIN,
	SETUID_ROOT,
	SETUID_STRANGER,
	SETGID,
	CAPABLE,
	UNREADABLE,
	NR_FILES,
};

extern const char *const files[NR_FILES];

/* Create these files. Call this once. */
void make_files(void);

/* A system call for a puppet. puppet-32.S and puppet-64.S have the offsets of the fields. */
struct order {
	script_word nr;
	script_word arg[5];
	script_word result;
	uint32_t data[402];
};

_Static_assert(sizeof(struct vpmc_start) <= sizeof(((struct order *)0)->data) &&
		       sizeof(struct vpmc_read) <=
			       sizeof(((struct order *)0)->data),
	       "an order has room for the largest structure");

/* Descriptors of every puppet, which stay open at an exec. */
enum {
	COLLECTOR = 100, /* a handle for starts with VPMC_START_COLLECT */
	UNBOUND,	 /* a handle by which the puppet reads itself */
	SPARE,		 /* a handle for other purposes */
	SHOW,		 /* the pipe of puppet_show() */
	ORDERS,
	ANSWERS,
};

/* These are the counts that the parent of a puppet reads after it has waited for the puppet. */
struct children {
	pid_t puppet;
	int error;
	struct vpmc_read read;
};

/**
 * struct puppet - a puppet
 * @pid: its process ID
 * @tid: the ID of its thread that carries out orders
 * @parent: the process ID of its parent, which does not count
 * @wait: gate at which the parent waits before it waits for the puppet
 * @children: the counts that the parent reads after that, in shared memory
 * @in, @out: pipes for orders and answers
 * @memory: pipe for memory of the puppet, see puppet_show()
 * @data: the address of the data of its order
 * @order: the last order, with its answer
 * @counts: whether the puppet counts
 * @cost: its count when it sleeps
 */
struct puppet {
	pid_t pid, tid;
	pid_t parent;
	struct gate wait;
	struct children *children;
	struct gate in, out, memory;
	script_word data;
	struct order order;
	bool counts;
	struct cost cost;
};

/* This is the cost of a system call up to the call, and after it. */
#define COST_TO_CALL	 ((struct cost){ 9, 2 })
#define COST_BEHIND_CALL ((struct cost){ 12, 3 })

/* Return a new puppet of user WATCHED or root. Its parent has the role @parent. */
struct puppet puppet_new(uid_t user, const struct role *parent);

/*
 * Make two puppets of user WATCHED: a child, which executes the file, and its parent. Both have
 * executed the same number of programs then.
 */
void puppet_new_pair(struct puppet *parent, struct puppet *child,
		     enum file file);

/* Let the puppet make a system call. Returns the result when the puppet sleeps again. */
#define puppet_call(p, ...) \
	puppet_call_(p, (const script_word[6]){ __VA_ARGS__ })
int puppet_call_(struct puppet *p, const script_word call[6]);

/* Call ioctl(2) like puppet_call(). Afterwards p->order has the data of the answer. */
int puppet_ioctl(struct puppet *p, int fd, unsigned long what, const void *arg,
		 size_t size);

/* Copy from the memory of the puppet. */
void puppet_show(struct puppet *p, script_word address, void *copy,
		 size_t size);

/* Let the puppet call VPMC_START. Its count begins at zero. */
int puppet_start(struct puppet *p, int fd, const struct vpmc_start *start);

/* Let the puppet execute a file. */
void puppet_exec(struct puppet *p, enum file file);

/* Like puppet_exec(), if the exec makes the puppet count. */
void puppet_exec_counted(struct puppet *p, enum file file);

/*
 * Let the puppet create a thread, which carries out the orders from then on. The first thread
 * sleeps until the process exits or executes a file.
 */
void puppet_split(struct puppet *p);

/*
 * Let the puppet create a child that executes a file. From then on both take orders
 * from the same pipe, and the first one to read gets the order.
 */
struct puppet puppet_spawn(struct puppet *p, enum file file);

/*
 * Let the puppet create a child, which carries out the orders until it exits. The puppet sleeps
 * until then.
 */
struct puppet puppet_fork(struct puppet *p);

/* Let the child of puppet_fork() exit. */
void puppet_fork_end(struct puppet *p, struct puppet *child);

/* Let the puppet become user WATCHED, without its other groups. */
void puppet_drop(struct puppet *p);

/* Let the puppet exit, and let its parent wait for it. */
void puppet_end(struct puppet *p);

/* Let the puppet exit. */
void puppet_exit(struct puppet *p);

#endif /* PUPPET_H */
