// SPDX-License-Identifier: GPL-2.0-only
/* This file creates puppets and gives them orders. */
#include <err.h>
#include <sched.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "privileged_programs.h"
#include "puppet.h"

/* This is the cost from the first instruction to the first order. */
#define COST_TO_SLEEP ((struct cost){ 10, 2 })

const char *const files[NR_FILES] = {
	[PLAIN] = "/tmp/plain",
	[SETUID_ROOT] = "/tmp/setuid-root",
	[SETUID_STRANGER] = "/tmp/setuid-stranger",
	[SETGID] = "/tmp/setgid",
	[CAPABLE] = "/tmp/capable",
	[UNREADABLE] = "/tmp/unreadable",
};

void make_files(void)
{
	static const enum file of_kinds[NR_KINDS] = { SETUID_ROOT, SETGID,
						      CAPABLE, UNREADABLE };
	size_t i;

	for (i = 0; i < NR_KINDS; i++)
		make_program(&kinds[i], "puppet", files[of_kinds[i]]);
	copy("puppet", files[PLAIN]);
	copy("puppet", files[SETUID_STRANGER]);
	if (chmod(files[PLAIN], 0755) ||
	    chown(files[SETUID_STRANGER], STRANGER, ROOT) ||
	    chmod(files[SETUID_STRANGER], 04755))
		err(2, "chmod");
}

void become(const struct role *role)
{
	cap_t wanted = cap_from_text(role->has);

	if (!wanted ||
	    (role->user != ROOT &&
	     (cap_setgroups(role->user, 0, NULL) || cap_setuid(role->user))) ||
	    cap_set_proc(wanted))
		err(2, "%s", role->name);
	cap_free(wanted);
}

void as(const struct role *role, void (*act)(void *arg), void *arg)
{
	int status;
	pid_t pid = child_fork();

	if (!pid) {
		become(role);
		act(arg);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "%s: status %d", role->name, status);
}

static _Noreturn void be_puppet(const struct puppet *p, uid_t user,
				enum file file)
{
	const struct role watched = { "the puppet's user", WATCHED, "=" };

	if (dup2(p->in.in, ORDERS) < 0 || dup2(p->out.out, ANSWERS) < 0 ||
	    dup2(p->memory.out, SHOW) < 0)
		err(2, "dup2");
	if (user != ROOT)
		become(&watched);
	execl(files[file], "puppet", (char *)NULL);
	err(2, "%s", files[file]);
}

/*
 * Be the parent: create the puppet, take a role, and wait for the puppet. Other processes of the
 * parent's user may watch it.
 */
static _Noreturn void be_parent(const struct puppet *p, uid_t user,
				const struct role *role,
				const struct gate *ready)
{
	struct children *children = p->children;
	pid_t pid = child_fork();

	if (!pid)
		be_puppet(p, user, PLAIN);
	children->puppet = pid;
	become(role);
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
	gate_open(ready);
	gate_wait(&p->wait);
	if (waitpid(children->puppet, NULL, 0) != children->puppet)
		err(2, "waitpid");
	children->read = (struct vpmc_read){ .size = sizeof(children->read),
					     .scope = VPMC_SCOPE_CHILDREN };
	children->error = request(UNBOUND, VPMC_READ, &children->read);
	_exit(0);
}

static void receive(const struct puppet *p, void *data, size_t size)
{
	if (read(p->out.in, data, size) != (ssize_t)size)
		err(2, "puppet");
}

static void until_idle(const struct puppet *p)
{
	const struct gate orders = { .in = ORDERS };

	until_at_gate((uint32_t)p->tid, &orders);
}

/* Receive the address that a program sends at its beginning. */
static void greet(struct puppet *p)
{
	script_word order;

	receive(p, &order, sizeof(order));
	p->data = order + offsetof(struct order, data);
	until_idle(p);
}

static struct puppet new_strings(void)
{
	int fd;

	for (fd = COLLECTOR; fd <= SPARE; fd++) {
		if (dup2(open_device(), fd) < 0)
			err(2, "dup2");
	}
	return (struct puppet){
		.wait = gate_new(),
		.in = gate_new(),
		.out = gate_new(),
		.memory = gate_new(),
		.children = shared(sizeof(struct children)),
	};
}

struct puppet puppet_new(uid_t user, const struct role *parent)
{
	struct puppet p = new_strings();
	const struct gate ready = gate_new();

	p.parent = child_fork();
	if (!p.parent)
		be_parent(&p, user, parent, &ready);
	gate_wait(&ready);
	p.pid = p.tid = p.children->puppet;
	greet(&p);
	return p;
}

void puppet_new_pair(struct puppet *parent, struct puppet *child,
		     enum file file)
{
	*child = new_strings();
	*parent = new_strings();
	parent->pid = child_fork();
	if (!parent->pid) {
		child->pid = child_fork();
		if (!child->pid)
			be_puppet(child, WATCHED, file);
		child->children->puppet = child->pid;
		be_puppet(parent, WATCHED, PLAIN);
	}
	parent->tid = parent->pid;
	greet(parent);
	child->pid = child->tid = child->children->puppet;
	greet(child);
}

static void pay(struct puppet *p, struct cost cost)
{
	if (p->counts)
		p->cost = cost_add(p->cost, cost);
}

static void send(struct puppet *p, const script_word call[6])
{
	p->order.nr = call[0];
	memcpy(p->order.arg, call + 1, sizeof(p->order.arg));
	if (write(p->in.out, &p->order, sizeof(p->order)) != sizeof(p->order))
		err(2, "puppet");
	pay(p, COST_TO_CALL);
}

static int answer(struct puppet *p)
{
	receive(p, &p->order, sizeof(p->order));
	until_idle(p);
	pay(p, COST_BEHIND_CALL);
	return (int)p->order.result;
}

int puppet_call_(struct puppet *p, const script_word call[6])
{
	send(p, call);
	return answer(p);
}

int puppet_ioctl(struct puppet *p, int fd, unsigned long what, const void *arg,
		 size_t size)
{
	memcpy(p->order.data, arg, size);
	return puppet_call(p, SYS_ioctl, (script_word)fd, what, p->data);
}

void puppet_show(struct puppet *p, script_word address, void *copy, size_t size)
{
	if (puppet_call(p, SYS_write, SHOW, address, size) != (int)size ||
	    read(p->memory.in, copy, size) != (ssize_t)size)
		err(2, "puppet's memory");
}

int puppet_start(struct puppet *p, int fd, const struct vpmc_start *start)
{
	int result;

	memcpy(p->order.data, start, sizeof(*start));
	send(p, (const script_word[6]){ SYS_ioctl, (script_word)fd, VPMC_START,
					p->data });
	p->counts = true;
	p->cost = NOTHING;
	result = answer(p);
	if (result || start->flags & VPMC_START_AT_EXEC)
		p->cost = NOTHING;
	p->counts = !result && !(start->flags & VPMC_START_AT_EXEC);
	return result;
}

static void send_exec(struct puppet *p, enum file file)
{
	/* Send the arguments, and then the memory that they point to. */
	const script_word name = p->data + 2 * sizeof(name);
	const script_word arguments[2] = { name, 0 };

	memcpy(p->order.data, arguments, sizeof(arguments));
	memcpy((char *)p->order.data + sizeof(arguments), files[file],
	       strlen(files[file]) + 1);
	send(p, (const script_word[6]){ SYS_execve, name, p->data,
					p->data + sizeof(name) });
}

static void begin_program(struct puppet *p)
{
	p->tid = p->pid;
	greet(p);
	pay(p, COST_TO_SLEEP);
}

void puppet_exec(struct puppet *p, enum file file)
{
	send_exec(p, file);
	begin_program(p);
}

void puppet_exec_counted(struct puppet *p, enum file file)
{
	send_exec(p, file);
	p->counts = true;
	p->cost = NOTHING;
	begin_program(p);
}

/* The new thread does not use the stack. The first thread sleeps, as after vfork(). */
void puppet_split(struct puppet *p)
{
	const script_word flags = CLONE_VM | CLONE_FS | CLONE_FILES |
				  CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
				  CLONE_VFORK | CLONE_PARENT_SETTID;

	send(p, (const script_word[6]){ SYS_clone, flags, 0, p->data });
	receive(p, &p->order, sizeof(p->order));
	if (p->order.result)
		errx(2, "clone: %d", (int)p->order.result);
	p->tid = (pid_t)p->order.data[0];
	until_idle(p);
}

/*
 * Receive the answer of a parent whose child has begun a program, and the address that the child
 * sends.
 */
static pid_t receive_child(struct puppet *p)
{
	script_word greeting;
	struct {
		script_word greeting;
		struct order order;
	} both;
	size_t size = 0;

	/* Either message may come first. */
	while (size < sizeof(both)) {
		ssize_t part = read(p->out.in, (char *)&both + size,
				    sizeof(both) - size);

		if (part <= 0)
			err(2, "puppet");
		size += (size_t)part;
	}
	greeting = p->data - offsetof(struct order, data);
	if (both.greeting == greeting)
		p->order = both.order;
	else
		memcpy(&p->order, &both, sizeof(p->order));
	return (pid_t)p->order.result;
}

struct puppet puppet_spawn(struct puppet *p, enum file file)
{
	struct puppet child = *p;

	send(p, (const script_word[6]){ SYS_vfork });
	/* Only the child runs until it executes the file, so this answer is the child's. */
	receive(p, &p->order, sizeof(p->order));
	child.cost = NOTHING;
	pay(&child, COST_BEHIND_CALL);
	send_exec(&child, file);
	child.pid = child.tid = receive_child(p);
	until_idle(p);
	until_idle(&child);
	pay(p, COST_BEHIND_CALL);
	pay(&child, COST_TO_SLEEP);
	return child;
}

struct puppet puppet_fork(struct puppet *p)
{
	struct puppet child = *p;

	send(p, (const script_word[6]){ SYS_vfork });
	receive(p, &p->order, sizeof(p->order));
	child.cost = NOTHING;
	pay(&child, COST_BEHIND_CALL);
	/* Let the child report its process ID. */
	send(&child, (const script_word[6]){ SYS_getpid });
	receive(&child, &child.order, sizeof(child.order));
	child.pid = child.tid = (pid_t)child.order.result;
	until_idle(&child);
	pay(&child, COST_BEHIND_CALL);
	return child;
}

void puppet_fork_end(struct puppet *p, struct puppet *child)
{
	puppet_exit(child);
	answer(p);
}

void puppet_drop(struct puppet *p)
{
	if (puppet_call(p, SETGROUPS, 0, 0) &&
	    (int)p->order.result != -1 /* EPERM: may not give up groups */)
		errx(2, "setgroups: %d", (int)p->order.result);
	if (puppet_call(p, SETRESGID, WATCHED, WATCHED, WATCHED) ||
	    puppet_call(p, SETRESUID, WATCHED, WATCHED, WATCHED))
		errx(2, "setresuid: %d", (int)p->order.result);
}

void puppet_exit(struct puppet *p)
{
	send(p, (const script_word[6]){ SYS_exit_group, 0 });
}

void puppet_end(struct puppet *p)
{
	int status;

	puppet_exit(p);
	gate_open(&p->wait);
	if (waitpid(p->parent, &status, 0) != p->parent || status)
		errx(2, "parent: status %d", status);
}
