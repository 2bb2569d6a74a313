/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares puppets: processes that execute programs of all kinds and carry
 * out the orders of a test, with user-mode instructions that are known exactly.
 */
#ifndef PUPPET_H
#define PUPPET_H

#include <sys/types.h>

#include "hold.h"

/* Users. Each has a group of the same number. */
#define ROOT	 0
#define WATCHED	 1000 /* whose puppets are */
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

/* Run a function in a process of that role. */
void as(const struct role *role, void (*act)(void *arg), void *arg);

/* The files that a puppet can execute: copies of the same program. */
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

/* Make the files, once. */
void make_files(void);

/* A system call that a puppet makes; puppet-32.S and puppet-64.S have the same. */
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

/* Descriptors that every puppet has, and that no exec closes. */
enum {
	COLLECTOR = 100, /* a handle for starts with VPMC_START_COLLECT */
	UNBOUND,	 /* one that stays so, for the puppet to read itself */
	SPARE,		 /* one for anything else */
	SHOW,		 /* for puppet_show() */
	ORDERS,
	ANSWERS,
};

/* The counts that the parent of a puppet reads after it has waited for it. */
struct children {
	pid_t puppet;
	int error;
	struct vpmc_read read;
};

/**
 * struct puppet - one of them
 * @pid: its process
 * @tid: its thread that has the orders
 * @parent: parent of that process, which does not count
 * @wait: lets the parent wait for it
 * @children: the read of the parent then, in shared memory
 * @in, @out: orders and answers
 * @memory: the contents that it shows
 * @data: the address of its order's data
 * @order: the last one, with its answer
 * @counts: it counts
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

/* The cost of a system call up to the call, and after it. */
#define COST_TO_CALL	 ((struct cost){ 9, 2 })
#define COST_BEHIND_CALL ((struct cost){ 12, 3 })

/* A puppet that is WATCHED's or root's, and whose parent has that role. */
struct puppet puppet_new(uid_t user, const struct role *parent);

/*
 * Two puppets of the user's: a child, which executes the file, and its parent,
 * which has executed as many programs then.
 */
void puppet_new_pair(struct puppet *parent, struct puppet *child,
		     enum file file);

/* Let the puppet make a system call. Returns the result when the puppet sleeps again. */
#define puppet_call(p, ...) \
	puppet_call_(p, (const script_word[6]){ __VA_ARGS__ })
int puppet_call_(struct puppet *p, const script_word call[6]);

/* Like puppet_call(), with data, which are in p->order afterwards. */
int puppet_ioctl(struct puppet *p, int fd, unsigned long what, const void *arg,
		 size_t size);

/* Copy from the memory of the puppet. */
void puppet_show(struct puppet *p, script_word address, void *copy,
		 size_t size);

/* Let the puppet start from zero. */
int puppet_start(struct puppet *p, int fd, const struct vpmc_start *start);

/* Let the puppet execute a file. */
void puppet_exec(struct puppet *p, enum file file);

/* Like puppet_exec(), if the exec makes the puppet count. */
void puppet_exec_counted(struct puppet *p, enum file file);

/*
 * Let it create a thread, which has the orders from then on. The first one sleeps
 * until the process ends or executes a file.
 */
void puppet_split(struct puppet *p);

/*
 * Let the puppet create a child that executes a file. From then on both take orders
 * from the same pipe, and the first one to read gets the order.
 */
struct puppet puppet_spawn(struct puppet *p, enum file file);

/*
 * Let it create a child, which has the orders until it exits: the puppet sleeps so
 * long.
 */
struct puppet puppet_fork(struct puppet *p);

/* Let that child exit. */
void puppet_fork_end(struct puppet *p, struct puppet *child);

/* Let this puppet alone be WATCHED. */
void puppet_drop(struct puppet *p);

/* Let it exit, and its parent wait for it. */
void puppet_end(struct puppet *p);

/* Let it exit. */
void puppet_exit(struct puppet *p);

#endif /* PUPPET_H */
