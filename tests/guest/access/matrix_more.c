// SPDX-License-Identifier: GPL-2.0-only
/* This file tests sequences that are not in the table of "matrix". */
#include <err.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "matrix.h"
#include "privileged_programs.h"

static void tell(const char *text)
{
	snprintf(situation, sizeof(situation), "%s", text);
}

static void see(int fd, unsigned int scope, unsigned int role, enum answer want,
		struct cost cost)
{
	struct asked *asked = shared(sizeof(*asked));

	asked->fd = fd;
	asked->scope = scope;
	ask(&roles[role], asked);
	check_answer(&asked->read, asked->error, want, cost, 2,
		     roles[role].name, "read");
}

/* Let the puppet read its own counts, and check the answer. */
static void see_itself(struct puppet *p, int fd, unsigned int scope,
		       enum answer want)
{
	struct vpmc_read read = { .size = sizeof(read), .scope = scope };
	struct cost cost = cost_add(p->cost, COST_TO_CALL);
	int result = puppet_ioctl(p, fd, VPMC_READ, &read, sizeof(read));

	memcpy(&read, p->order.data, sizeof(read));
	check_answer(&read, result, want, cost, 2, "itself", "read");
}

static void set_dumpable(struct puppet *p, uint32_t value)
{
	if (puppet_call(p, SYS_prctl, PR_SET_DUMPABLE, value))
		errx(2, "PR_SET_DUMPABLE");
}

static int puppet_stop(struct puppet *p, int fd)
{
	struct vpmc_stop stop = { .size = sizeof(stop) };
	struct cost cost = cost_add(p->cost, COST_TO_CALL);
	int result = puppet_ioctl(p, fd, VPMC_STOP, &stop, sizeof(stop));

	p->cost = cost;
	p->counts = false;
	return result;
}

static int user_attaches(const struct puppet *p, int *fd)
{
	*fd = open_device();
	return attach_as(&roles[USER], *fd, p->pid, 0);
}

/* Make the puppet dumpable again, and read. @before is a handle of the user. */
static void see_dumpable_again(struct puppet *p, int before)
{
	int after;

	tell("dumpable again");
	set_dumpable(p, 1);
	see(before, VPMC_SCOPE_SELF, USER, DENIED, p->cost);
	cell(!user_attaches(p, &after), "attach again");
	see(after, VPMC_SCOPE_SELF, USER, DENIED, p->cost);
	cell(!start_as(&roles[USER], after, start_arg(FIRST, VPMC_START_FORCE)),
	     "start from outside again");
	p->cost = NOTHING;
	see(before, VPMC_SCOPE_SELF, USER, SHOWN, p->cost);
	see_itself(p, UNBOUND, VPMC_SCOPE_SELF, SHOWN);
	puppet_end(p);
	cell(!p->children->error && p->children->read.revoked == 1 &&
		     p->children->read.count[0] == p->cost.instructions,
	     "%s: the parent has the rest: %llu, %u revoked", situation,
	     p->children->read.count[0], p->children->read.revoked);
}

/*
 * Test that counts from a time in which a program may not be watched stay hidden later. The program
 * itself and readers with CAP_PERFMON may see them.
 */
static void test_undumpable(void)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]);
	int before, after;

	tell("not dumpable");
	cell(!user_attaches(&p, &before), "attach");
	set_dumpable(&p, 0);
	cell(!puppet_start(&p, COLLECTOR, start_arg(FIRST, 0)), "start");
	see(before, VPMC_SCOPE_SELF, USER, DENIED, p.cost);
	see(before, VPMC_SCOPE_SELF, WITH_PTRACE, DENIED, p.cost);
	see(before, VPMC_SCOPE_SELF, WITH_PERFMON, SHOWN, p.cost);
	see_itself(&p, UNBOUND, VPMC_SCOPE_SELF, SHOWN);
	cell(user_attaches(&p, &after) == -EPERM, "attach now");
	cell(start_as(&roles[USER], before,
		      start_arg(FIRST, VPMC_START_FORCE)) == -EPERM,
	     "start from outside");
	see_dumpable_again(&p, before);
	check(!check_failures, "what is counted while not dumpable");
}

/* Like test_undumpable(), but another process starts the count. */
static void undumpable_outside(const struct role *holder)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]);
	int before, fd = open_device();

	snprintf(situation, sizeof(situation), "not dumpable, %s starts",
		 holder->name);
	cell(!user_attaches(&p, &before), "attach");
	set_dumpable(&p, 0);
	cell(!attach_as(holder, fd, p.pid, 0) &&
		     !start_as(holder, fd, start_arg(FIRST, 0)),
	     "%s: start", situation);
	p.counts = true;
	see(before, VPMC_SCOPE_SELF, USER, DENIED, p.cost);
	see(fd, VPMC_SCOPE_SELF, WITH_PTRACE, DENIED, p.cost);
	see(fd, VPMC_SCOPE_SELF, WITH_PERFMON, SHOWN, p.cost);
	see_itself(&p, UNBOUND, VPMC_SCOPE_SELF, SHOWN);
	puppet_end(&p);
	check(!check_failures, "%s", situation);
}

static void test_undumpable_ptrace(void)
{
	undumpable_outside(&roles[WITH_PTRACE]);
}

static void test_undumpable_root(void)
{
	undumpable_outside(&roles[SUPERUSER]);
}

/*
 * Test a program that could be watched at the start, and can no longer be watched. Its counts stay
 * visible, but others can no longer control the count.
 */
static void test_undumpable_later(void)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]);
	int before, after;

	tell("not dumpable later");
	cell(!user_attaches(&p, &before), "attach");
	cell(!start_as(&roles[USER], before, start_arg(FIRST, 0)), "start");
	p.counts = true;
	set_dumpable(&p, 0);
	see(before, VPMC_SCOPE_SELF, USER, SHOWN, p.cost);
	see(before, VPMC_SCOPE_SELF, OTHER_USER, DENIED, p.cost);
	cell(user_attaches(&p, &after) == -EPERM, "attach");
	cell(start_as(&roles[USER], before,
		      start_arg(FIRST, VPMC_START_FORCE)) == -EPERM,
	     "start from outside");
	see_itself(&p, UNBOUND, VPMC_SCOPE_SELF, SHOWN);
	puppet_end(&p);
	check(!check_failures, "what is counted before");
}

/*
 * Count a child that gains rights. The starter sees the child's counts only if the starter may see
 * everything.
 */
static void child_gains(const struct role *holder, bool counts_on)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]), child;
	struct asked *asked = shared(sizeof(*asked));
	struct cost want;

	snprintf(situation, sizeof(situation), "%s starts, a child gains",
		 holder->name);
	cell(!attach_as(holder, COLLECTOR, p.pid, 0) &&
		     !start_as(holder, COLLECTOR,
			       start_arg(FIRST, VPMC_START_COLLECT)),
	     "%s: start", situation);
	p.counts = true;
	child = puppet_spawn(&p, SETUID_STRANGER);
	asked->fd = COLLECTOR;
	asked->scope = VPMC_SCOPE_ALL;
	ask(&roles[SUPERUSER], asked);
	want = counts_on ? cost_add(p.cost, child.cost) : p.cost;
	cell(!asked->error && asked->read.revoked == !counts_on &&
		     asked->read.count[0] == want.instructions &&
		     asked->read.count[1] == want.branches,
	     "%s: ALL: errno %d, %llu %llu (%u revoked) want %llu %llu (%u)",
	     situation, -asked->error, asked->read.count[0],
	     asked->read.count[1], asked->read.revoked,
	     (unsigned long long)want.instructions,
	     (unsigned long long)want.branches, !counts_on);
	puppet_exit(&p);
	puppet_end(&p);
	check(!check_failures, "%s", situation);
}

static void test_child_gains_root(void)
{
	child_gains(&roles[SUPERUSER], true);
}

static void test_child_gains_user(void)
{
	child_gains(&roles[USER], false);
}

/*
 * Test that a handle that was passed to another process shows the counts that its reader may see.
 */
static void test_passed(void)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]);
	int pidfd = (int)syscall(SYS_pidfd_open, p.pid, 0), fd;

	tell("a handle that was passed");
	cell(!puppet_start(&p, COLLECTOR, start_arg(FIRST, VPMC_START_COLLECT)),
	     "start");
	puppet_exec(&p, PLAIN);
	fd = (int)syscall(SYS_pidfd_getfd, pidfd, COLLECTOR, 0);
	if (fd < 0)
		err(2, "pidfd_getfd");
	see(fd, VPMC_SCOPE_SELF, USER, SHOWN, p.cost);
	see(fd, VPMC_SCOPE_ALL, USER, SHOWN, p.cost);
	see(fd, VPMC_SCOPE_SELF, OTHER_USER, DENIED, p.cost);
	see(fd, VPMC_SCOPE_ALL, OTHER_USER, DENIED, p.cost);
	see(fd, VPMC_SCOPE_ALL, WITH_PTRACE, SHOWN, p.cost);
	puppet_end(&p);
	check(!check_failures, "handles that are passed");
}

/*
 * Test that a parent does not get the counts of a child that it may not see, even if both have
 * executed the same number of programs. The parent has set itself not dumpable.
 */
static void steal(enum file file)
{
	struct puppet parent, child;

	tell(files[file]);
	puppet_new_pair(&parent, &child, file);
	set_dumpable(&parent, 0);
	cell(!puppet_start(&parent, COLLECTOR, start_arg(FIRST, 0)) &&
		     !puppet_stop(&parent, COLLECTOR),
	     "start and stop");
	cell(!puppet_start(&child, SPARE, start_arg(FIRST, 0)), "start");
	puppet_exit(&child);
	if (puppet_call(&parent, SYS_wait4, (uint32_t)-1, 0, 0, 0) != child.pid)
		errx(2, "wait4");
	see_itself(&parent, UNBOUND, VPMC_SCOPE_CHILDREN, GONE);
	puppet_exit(&parent);
	waitpid(parent.pid, NULL, 0);
	check(!check_failures, "%s: nothing for the parent", situation);
}

static void test_steal_unreadable(void)
{
	steal(UNREADABLE);
}

static void test_steal_capable(void)
{
	steal(CAPABLE);
}

/*
 * Test counts from before a new start at exec. The level of the next program's counts does not
 * depend on them.
 */
static void at_exec(const struct role *parent, bool shown)
{
	struct puppet p = puppet_new(WATCHED, parent);
	struct cost first, want;

	tell("counted before a start at exec");
	puppet_exec(&p, SETUID_STRANGER);
	cell(!puppet_start(&p, COLLECTOR, start_arg(FIRST, 0)) &&
		     !puppet_stop(&p, COLLECTOR),
	     "start and stop");
	first = p.cost;
	cell(!puppet_start(&p, COLLECTOR, start_arg(FIRST, VPMC_START_AT_EXEC)),
	     "start at exec");
	puppet_drop(&p);
	puppet_exec_counted(&p, PLAIN);
	see(COLLECTOR, VPMC_SCOPE_SELF, USER, SHOWN, p.cost);
	see_itself(&p, UNBOUND, VPMC_SCOPE_SELF, SHOWN);
	puppet_end(&p);
	want = shown ? cost_add(p.cost, first) : p.cost;
	cell(!p.children->error &&
		     p.children->read.count[0] == want.instructions &&
		     p.children->read.revoked == !shown,
	     "%s: %s: CHILDREN of the parent: %llu (%u revoked) want %llu",
	     situation, parent->name, p.children->read.count[0],
	     p.children->read.revoked, (unsigned long long)want.instructions);
	check(!check_failures, "%s: %s", situation, parent->name);
}

static void test_at_exec_user(void)
{
	at_exec(&roles[USER], false);
}

static void test_at_exec_root(void)
{
	at_exec(&roles[SUPERUSER], true);
}

/* Test that kernel-mode counts are visible only to readers that may count kernel mode. */
static void test_kernel_at_exec(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_AT_EXEC);
	struct puppet p = puppet_new(ROOT, &roles[USER]);
	struct asked *asked = shared(sizeof(*asked));
	int late;

	tell("kernel mode at exec");
	start_count_kernel(start);
	cell(!puppet_start(&p, COLLECTOR, start), "start at exec");
	puppet_drop(&p);
	puppet_exec_counted(&p, PLAIN);
	see_itself(&p, UNBOUND, VPMC_SCOPE_THREAD, DENIED);
	see_itself(&p, UNBOUND, VPMC_SCOPE_SELF, DENIED);
	see(COLLECTOR, VPMC_SCOPE_SELF, USER, DENIED, p.cost);
	cell(!user_attaches(&p, &late), "attach");
	see(late, VPMC_SCOPE_SELF, USER, DENIED, p.cost);
	asked->fd = COLLECTOR;
	asked->scope = VPMC_SCOPE_SELF;
	ask(&roles[WITH_PERFMON], asked);
	cell(!asked->error && asked->read.count[1], "with CAP_PERFMON");
	puppet_end(&p);
	cell(!p.children->error && p.children->read.revoked == 1 &&
		     !p.children->read.count[0],
	     "%s: the parent", situation);
	check(!check_failures, "%s", situation);
}

/* Check only whether a reader may see the counts, because the kernel-mode count is not known. */
static void see_self(int fd, unsigned int role, enum answer want)
{
	struct asked *asked = shared(sizeof(*asked));

	asked->fd = fd;
	asked->scope = VPMC_SCOPE_SELF;
	ask(&roles[role], asked);
	cell(asked->error == (want == DENIED ? -EPERM : 0), "%s: %s: errno %d",
	     situation, roles[role].name, -asked->error);
}

/* Start to count kernel mode. @holder starts the count, or the puppet itself if @holder is NULL. */
static int start_kernel(struct puppet *p, const struct role *holder)
{
	struct vpmc_start *start = start_arg(FIRST, 0);
	int result;

	start_count_kernel(start);
	if (!holder)
		return puppet_start(p, SPARE, start);
	result = attach_as(holder, SPARE, p->pid, 0);
	return result ? result : start_as(holder, SPARE, start);
}

/*
 * Test a child that inherits a count of kernel mode. Its counts are CLOSED if another process
 * started them, or if the child itself may not count kernel mode.
 */
static void kernel_forked(const struct role *holder, bool drops)
{
	struct puppet p = puppet_new(ROOT, &roles[USER]), child;
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_SELF };
	int result;

	snprintf(situation, sizeof(situation), "kernel mode of a child, %s%s",
		 holder ? holder->name : "itself", drops ? ", drops" : "");
	result = start_kernel(&p, holder);
	cell(!result, "%s: start: errno %d", situation, -result);
	if (drops) {
		puppet_drop(&p);
		set_dumpable(&p, 1);
	}
	child = puppet_fork(&p);
	result = puppet_ioctl(&child, UNBOUND, VPMC_READ, &read, sizeof(read));
	cell(result == (drops ? -EPERM : 0), "%s: itself: errno %d", situation,
	     -result);
	result = attach_as(&roles[WITH_PTRACE], COLLECTOR, child.pid, 0);
	cell(!result, "%s: attach: errno %d", situation, -result);
	see_self(COLLECTOR, WITH_PTRACE, holder || drops ? DENIED : SHOWN);
	see_self(COLLECTOR, WITH_PERFMON, SHOWN);
	puppet_fork_end(&p, &child);
	puppet_end(&p);
	check(!check_failures, "%s", situation);
}

static void test_kernel_forked_others(void)
{
	kernel_forked(&roles[SUPERUSER], false);
}

static void test_kernel_forked_itself(void)
{
	kernel_forked(NULL, false);
}

static void test_kernel_forked_drops(void)
{
	kernel_forked(NULL, true);
}

/* Check that starts are refused to processes that may not see everything. */
static void check_starts(const char *why)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]);
	unsigned int i;

	tell(why);
	cell(puppet_start(&p, COLLECTOR, start_arg(FIRST, 0)) == -EPERM,
	     "%s: itself", why);
	for (i = 0; i < NR_ROLES; i++) {
		int want = i < WITH_PERFMON ? -EPERM : 0;
		int fd = open_device(), other = open_device(), result;

		result = start_as(&roles[i], fd, start_arg(FIRST, 0));
		cell(result == want, "%s: %s: errno %d want %d", why,
		     roles[i].name, -result, -want);
		/* Also start the puppet from outside, where this role may attach to it. */
		result = attach_as(&roles[i], other, p.pid, 0);
		if (result == -EPERM)
			continue;
		result = start_as(&roles[i], other, start_arg(FIRST, 0));
		cell(result == want, "%s: %s, from outside: errno %d want %d",
		     why, roles[i].name, -result, -want);
	}
	puppet_end(&p);
	check(!check_failures, "%s", why);
}

/* Check that a process that has counted and stopped cannot start again while starts are denied. */
static void check_again(const char *why, const char *path, const char *denied,
			const char *allowed)
{
	struct puppet p = puppet_new(WATCHED, &roles[USER]);
	int result;

	result = puppet_start(&p, COLLECTOR, start_arg(FIRST, 0))
			 ?: puppet_ioctl(&p, COLLECTOR, VPMC_STOP, stop_arg(),
					 sizeof(struct vpmc_stop));
	cell(!result, "%s: errno %d before", why, -result);
	set(path, denied);
	result = puppet_start(&p, COLLECTOR, start_arg(FIRST, 0));
	cell(result == -EPERM, "%s: errno %d", why, -result);
	set(path, allowed);
	result = puppet_start(&p, COLLECTOR, start_arg(FIRST, 0));
	cell(!result, "%s: errno %d afterwards", why, -result);
	puppet_end(&p);
	check(!check_failures, "%s, start again", why);
}

static void deny_starts(const char *why, const char *path, const char *denied,
			const char *allowed)
{
	set(path, denied);
	check_starts(why);
	set(path, allowed);
	check_again(why, path, denied, allowed);
}

static void test_paranoid(void)
{
	deny_starts("perf_event_paranoid is 3",
		    "/proc/sys/kernel/perf_event_paranoid", "3", "2");
}

static void test_restricted(void)
{
	deny_starts("restricted", "/sys/module/vpmc/parameters/restricted", "1",
		    "0");
}

static const char counter[] = "/tmp/counter";

/* Test that a program that has given up its rights sees its children. */
int be_counter(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	struct vpmc_read self, children, all;
	int fd = open_device();
	pid_t pid;

	check_failures = 0;
	check(geteuid() == STRANGER && !request(fd, VPMC_START, start),
	      "a set-uid program starts");
	if (setresuid(WATCHED, WATCHED, WATCHED))
		err(2, "setresuid");
	pid = fork();
	if (!pid)
		_exit(0);
	check(waitpid(pid, NULL, 0) == pid &&
		      !request(fd, VPMC_STOP, stop_arg()),
	      "its child ends");
	self = read_scope(fd, VPMC_SCOPE_SELF);
	children = read_scope(fd, VPMC_SCOPE_CHILDREN);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(children.count[0] && !children.revoked,
	      "it reads what its child counts: %llu, %u revoked",
	      children.count[0], children.revoked);
	check(all.count[0] == self.count[0] + children.count[0] && !all.revoked,
	      "and collects it: %llu want %llu", all.count[0],
	      self.count[0] + children.count[0]);
	return check_status();
}

static void do_execute(void *unused)
{
	(void)unused;
	execl(counter, "matrix", "count", (char *)NULL);
	err(2, "%s", counter);
}

static void test_counter(void)
{
	copy("matrix", counter);
	if (chown(counter, STRANGER, ROOT) || chmod(counter, 04755))
		err(2, "%s", counter);
	as(&roles[USER], do_execute, NULL);
}

void try_more(void)
{
	run(test_undumpable);
	run(test_undumpable_ptrace);
	run(test_undumpable_root);
	run(test_undumpable_later);
	run(test_child_gains_root);
	run(test_child_gains_user);
	run(test_passed);
	run(test_steal_unreadable);
	run(test_steal_capable);
	run(test_at_exec_user);
	run(test_at_exec_root);
	run(test_kernel_at_exec);
	run(test_kernel_forked_others);
	run(test_kernel_forked_itself);
	run(test_kernel_forked_drops);
	run(test_paranoid);
	run(test_restricted);
	run(test_counter);
}
