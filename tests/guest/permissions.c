// SPDX-License-Identifier: GPL-2.0-only
/*
 * permissions: who may do what, each row of the table in vpmc(7) as those who
 * may and as those who may not, who then change nothing. What a program that
 * raises rights shows is the subject of "raise".
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/capability.h>
#include <unistd.h>

#include "follow.h"

#define NOBODY	65534
#define ROOT	0
#define NEITHER "=ep cap_perfmon,cap_sys_admin-ep"

/**
 * struct caller - a process that tries
 * @name: who it is
 * @has: its capabilities, as cap_from_text(3) has them
 * @user: its user and group
 * @watches: whether it may count what is not its own user mode
 */
struct caller {
	const char *name;
	const char *has;
	uid_t user;
	bool watches;
};

static const struct caller callers[] = {
	{ "nobody", "=", NOBODY, false },
	{ "nobody with CAP_PERFMON", "cap_perfmon=ep", NOBODY, true },
	{ "nobody with CAP_SYS_ADMIN", "cap_sys_admin=ep", NOBODY, true },
	{ "nobody with all the others", NEITHER, NOBODY, false },
	{ "nobody with both, not effective", "cap_perfmon,cap_sys_admin=p",
	  NOBODY, false },
	{ "nobody with both to inherit", "cap_perfmon,cap_sys_admin=i", NOBODY,
	  false },
	{ "root", "=ep", ROOT, true },
	{ "root with CAP_PERFMON alone", "cap_perfmon=ep", ROOT, true },
	{ "root with all the others", NEITHER, ROOT, false },
	{ "root with nothing", "=", ROOT, false },
};

/**
 * struct attempt - a start of the caller's own counts
 * @name: what is started
 * @flags: of the start
 * @modes: of its two events
 */
struct attempt {
	const char *name;
	unsigned int flags;
	unsigned short modes[2];
};

#define U VPMC_MODE_USER
#define K VPMC_MODE_KERNEL

static const struct attempt attempts[] = {
	{ "user mode", 0, { U, U } },
	{ "user mode at exec", VPMC_START_AT_EXEC, { U, U } },
	{ "user mode, collected", VPMC_START_COLLECT, { U, U } },
	{ "kernel mode", 0, { K, K } },
	{ "kernel mode too", 0, { U | K, U | K } },
	{ "kernel mode of one event", 0, { U, K } },
	{ "kernel mode at exec", VPMC_START_AT_EXEC, { U | K, U | K } },
	{ "kernel mode, collected", VPMC_START_COLLECT, { K, U } },
};

/* What the tests below are about at present. */
static const struct caller *caller;
static const struct attempt *attempt;
static bool restricted;

static void become(uid_t user, const char *has)
{
	cap_t own, wanted = cap_from_text(has);

	if (!wanted)
		err(2, "%s", has);
	if (user != ROOT && (cap_setgroups(user, 0, NULL) || cap_setuid(user)))
		err(2, "user %u", (unsigned int)user);
	if (cap_set_proc(wanted))
		err(2, "%s", has);
	own = cap_get_proc();
	if (!own || cap_compare(own, wanted))
		err(2, "%s was not set", has);
	cap_free(own);
	cap_free(wanted);
}

/* root's file needs no capability of its owner. */
static void restrict_to_capable(bool on)
{
	int fd = open("/sys/module/vpmc/parameters/restricted", O_WRONLY);

	if (fd < 0 || write(fd, on ? "1" : "0", 1) != 1)
		err(2, "restricted");
	close(fd);
	restricted = on;
}

static int start_own(int fd, const struct attempt *a)
{
	struct vpmc_start *start = start_arg(FIRST, a->flags);

	start->event[0].modes = a->modes[0];
	start->event[1].modes = a->modes[1];
	return request(fd, VPMC_START, start);
}

static struct vpmc_read state_of(int fd)
{
	return read_scope(fd, VPMC_SCOPE_SELF);
}

/* The calling process has never counted, and the handle is free. */
static void check_untouched(int fd)
{
	struct vpmc_info info = { .size = sizeof(info) };

	check(!request(fd, VPMC_INFO, &info) && !info.generation &&
		      !info.system &&
		      request(fd, VPMC_READ, read_arg(0)) == -ENODATA &&
		      request(fd, VPMC_STOP, stop_arg()) == -ENODATA,
	      "nothing has started");
}

static void test_start(void)
{
	bool kernel = (attempt->modes[0] | attempt->modes[1]) & K;
	int want = (kernel || restricted) && !caller->watches ? -EPERM : 0;
	int fd = open_device(), result;

	become(caller->user, caller->has);
	result = start_own(fd, attempt);
	check(result == want, "%s%s, %s: errno %d want %d",
	      restricted ? "restricted, " : "", caller->name, attempt->name,
	      -result, -want);
	if (want)
		check_untouched(fd);
	else
		check(!request(fd, VPMC_STOP, stop_arg()), "stop");
}

/* The parameter is about starts: what is there can be stopped and read. */
static void test_restricted_meanwhile(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_RESUME);
	int fd = open_device();
	struct vpmc_read before, after;

	become(ROOT, "=");
	check(!request(fd, VPMC_START, start_arg(FIRST, 0)), "start");
	restrict_to_capable(true);
	check(!request(fd, VPMC_STOP, stop_arg()), "restricted, stop");
	before = state_of(fd);
	check(request(fd, VPMC_START, start) == -EPERM, "restricted, resume");
	after = state_of(fd);
	check(!memcmp(&before, &after, sizeof(before)) &&
		      after.state == VPMC_STATE_STOPPED,
	      "it has changed nothing");
	restrict_to_capable(false);
	check(!request(fd, VPMC_START, start), "resume");
}

/* Somebody else counts, who would lose the counters. */
static void test_system_start(void)
{
	int fd = open_device(), own = open_device(), result, want;
	struct vpmc_read before, after;

	become(caller->user, caller->has);
	check(!request(own, VPMC_START, start_arg(FIRST, 0)), "start");
	before = state_of(own);
	result = request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0));
	want = caller->watches ? -EBUSY : -EPERM;
	check(result == want, "%s, system mode: errno %d want %d", caller->name,
	      -result, -want);
	result = request(fd, VPMC_SYSTEM_START,
			 start_arg(FIRST, VPMC_START_FORCE));
	want = caller->watches ? 0 : -EPERM;
	check(result == want, "%s, by force: errno %d want %d", caller->name,
	      -result, -want);
	check(in_system_mode() == caller->watches, "system mode");
	after = state_of(own);
	if (caller->watches)
		check(after.state == VPMC_STATE_REVOKED &&
			      after.generation != before.generation,
		      "the thread has lost the counters");
	else
		check(after.state == VPMC_STATE_RUNNING &&
			      after.generation == before.generation,
		      "the thread counts on");
}

/* Who has the owner's handle needs a capability all the same. */
static void test_system_owner(void)
{
	int fd = open_device(), want = caller->watches ? 0 : -EPERM, result;

	check(!request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)), "start");
	become(caller->user, caller->has);
	result = request(fd, VPMC_SYSTEM_READ, system_read_arg(VPMC_ALL_CPUS));
	check(result == want, "%s, read of system mode: errno %d want %d",
	      caller->name, -result, -want);
	result = request(fd, VPMC_SYSTEM_START, start_arg(OTHER, 0));
	check(result == want, "%s, start anew: errno %d want %d", caller->name,
	      -result, -want);
	result = request(fd, VPMC_SYSTEM_STOP, stop_arg());
	check(result == want, "%s, stop of system mode: errno %d want %d",
	      caller->name, -result, -want);
	check(in_system_mode() == !caller->watches, "system mode");
}

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void try_attempts(void)
{
	size_t i;

	for (i = 0; i < LENGTH(attempts); i++) {
		attempt = &attempts[i];
		run(test_start);
	}
}

static void try_callers(void)
{
	size_t i;

	for (i = 0; i < LENGTH(callers); i++) {
		caller = &callers[i];
		try_attempts();
		restrict_to_capable(true);
		try_attempts();
		restrict_to_capable(false);
		run(test_system_start);
		run(test_system_owner);
	}
}

int main(void)
{
	try_callers();
	run(test_restricted_meanwhile);
	return check_status();
}
