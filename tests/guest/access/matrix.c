// SPDX-License-Identifier: GPL-2.0-only
/*
 * matrix [some]: test the access of readers to counts, in every combination of three tasks. A
 * starter starts a count, the counted process executes programs, and a reader reads the count in
 * one of several ways. Each combination must have the answer that the tables in vpmc(7) give. The
 * tables are in access.inc. The code here derives all answers from them.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "matrix.h"

const struct role roles[NR_ROLES] = {
	[USER] = { "user", WATCHED, "=" },
	[OTHER_USER] = { "other user", STRANGER, "=" },
	[WITH_PTRACE] = { "CAP_SYS_PTRACE", STRANGER, "cap_sys_ptrace=ep" },
	[WITH_PERFMON] = { "CAP_PERFMON", STRANGER, "cap_perfmon=ep" },
	[WITH_ADMIN] = { "CAP_SYS_ADMIN", STRANGER, "cap_sys_admin=ep" },
	[SUPERUSER] = { "root", ROOT, "=ep" },
};

unsigned int cells;
char situation[128];

/* These are the levels of counts, see vpmc(7). */
enum level {
	OPEN,
	OWN,
	CLOSED,
	ENDED, /* counting has ended before this program */
	NR_LEVELS,
	NEW = NR_LEVELS, /* OPEN or OWN, which depends on the program that is executed now */
};

enum moment {
#define MOMENT(id, name, ...) id,
#include "access.inc"
#undef MOMENT
	NR_MOMENTS,
};

/* This is the new level after an event, for each old level. */
static const enum level moments[NR_MOMENTS][ENDED] = {
#define MOMENT(id, name, ...) [id] = { __VA_ARGS__ },
#include "access.inc"
#undef MOMENT
};

/* The program itself gets the same answer as other readers. */
#define AS_OTHERS NR_ANSWERS

enum reader {
#define READER(id, name, ...) id,
#include "access.inc"
#undef READER
	NR_READERS,
};

static const enum answer readers[NR_READERS][NR_LEVELS] = {
#define READER(id, name, ...) [id] = { __VA_ARGS__ },
#include "access.inc"
#undef READER
};

/* A program has the rights of one of these. */
enum whose {
	USERS,
	BOTHS, /* the rights of two users, or of the user and a capability */
	ROOTS,
};

/**
 * struct access - the state that decides who may see counts
 * @level: the level of the counts
 * @whose: the rights of the program that was counted
 * @privileged: true if the start was privileged
 * @executed: true if the process has executed a program since the start
 * @missing: true if some counts were not added
 */
struct access {
	enum level level;
	enum whose whose;
	bool privileged, executed, missing;
};

/**
 * struct kind - the programs that a puppet executes
 * @name: name of the kind in messages
 * @user: user of the puppet at the beginning
 * @first: the program that the puppet executes first, or NONE
 * @drops: true if the puppet then becomes user WATCHED
 * @second: the program that the puppet executes last, or NONE
 */
struct kind {
	const char *name;
	uid_t user;
	enum file first;
	bool drops;
	enum file second;
};

#define NONE NR_FILES

static const struct kind what[] = {
	{ "nothing", WATCHED, NONE, false, NONE },
	{ "ordinary", WATCHED, PLAIN, false, NONE },
	{ "set-uid to root", WATCHED, SETUID_ROOT, false, NONE },
	{ "set-uid", WATCHED, SETUID_STRANGER, false, NONE },
	{ "set-gid", WATCHED, SETGID, false, NONE },
	{ "capabilities", WATCHED, CAPABLE, false, NONE },
	{ "unreadable", WATCHED, UNREADABLE, false, NONE },
	{ "set-uid to root, ordinary", WATCHED, SETUID_ROOT, true, PLAIN },
	{ "set-uid, ordinary", WATCHED, SETUID_STRANGER, true, PLAIN },
	{ "set-uid, set-gid", WATCHED, SETUID_STRANGER, true, SETGID },
	{ "root's", ROOT, PLAIN, false, NONE },
	{ "root drops", ROOT, PLAIN, true, NONE },
	{ "root drops, ordinary", ROOT, PLAIN, true, PLAIN },
	{ "root drops, set-uid", ROOT, PLAIN, true, SETUID_STRANGER },
	{ "root drops, unreadable", ROOT, PLAIN, true, UNREADABLE },
	{ "root drops at once, ordinary", ROOT, NONE, true, PLAIN },
	{ "root drops at once, set-uid", ROOT, NONE, true, SETUID_STRANGER },
};

#define NR_WHAT (sizeof(what) / sizeof(what[0]))

/*
 * These are the processes that start counts, and whether they may see all counts, and whether they
 * may start counts of root's processes.
 */
struct actor {
	struct role role;
	bool may_all, may_root;
};

static const struct actor by_root = { { "root", ROOT, "=ep" }, true, true };
static const struct actor by_user = { { "user", WATCHED, "=" }, false, false };
static const struct actor by_perfmon = {
	{ "user with CAP_PERFMON", WATCHED, "cap_perfmon=ep" }, true, false
};
static const struct actor by_admin = {
	{ "user with CAP_SYS_ADMIN", WATCHED, "cap_sys_admin=ep" }, true, false
};
static const struct actor by_ptracer = { { "user with CAP_SYS_PTRACE", WATCHED,
					   "cap_sys_ptrace=ep" },
					 false,
					 true };
static const struct actor by_other = { { "other user with CAP_SYS_PTRACE",
					 STRANGER, "cap_sys_ptrace=ep" },
				       false,
				       true };

/**
 * struct starter - a way to start a count
 * @name: name of the way in messages
 * @who: the process that starts the count, or NULL for the puppet itself
 * @kernel: true if kernel mode is counted
 * @at_exec: true if the count begins with the next program
 * @first: the process that has already started another thread, whose counts the new start joins, or
 *	NULL
 */
struct starter {
	const char *name;
	const struct actor *who;
	bool kernel, at_exec;
	const struct actor *first;
};

static const struct starter starters[] = {
	{ "itself", .who = NULL },
	{ "root", .who = &by_root },
	{ "user", .who = &by_user },
	{ "CAP_PERFMON", .who = &by_perfmon },
	{ "CAP_SYS_ADMIN", .who = &by_admin },
	{ "CAP_SYS_PTRACE", .who = &by_ptracer },
	{ "other user", .who = &by_other },
	{ "root, kernel mode", .who = &by_root, .kernel = true },
	{ "itself, kernel mode", .kernel = true },
	{ "itself, at exec", .at_exec = true },
	{ "root, at exec", .who = &by_root, .at_exec = true },
	{ "user, at exec", .who = &by_user, .at_exec = true },
	{ "itself, kernel mode, at exec", .kernel = true, .at_exec = true },
	{ "root, kernel mode, at exec", .who = &by_root, .kernel = true,
	  .at_exec = true },
	{ "itself, beside root's", .first = &by_root },
	{ "itself, beside a user's", .first = &by_user },
	{ "root, beside a user's", .who = &by_root, .first = &by_user },
	{ "user, beside root's", .who = &by_user, .first = &by_root },
};

#define NR_STARTERS (sizeof(starters) / sizeof(starters[0]))

/*
 * These describe the current attempt. @variant is the role of the puppet's parent, and of the
 * process that takes the record.
 */
static const struct starter *starter;
static const struct kind *kind;
static unsigned int variant;
static int suid_dumpable;

/* This is the access to the counts of the current attempt, and to ALL. */
static struct access now, collected;

void set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		err(2, "%s", path);
	close(fd);
}

static void do_ask(void *arg)
{
	struct asked *asked = arg;
	struct vpmc_query query = { .size = sizeof(query),
				    .scope = asked->scope };

	asked->read = (struct vpmc_read){ .size = sizeof(asked->read),
					  .scope = asked->scope };
	asked->error = request(asked->fd, VPMC_READ, &asked->read);
	asked->query = request(asked->fd, VPMC_QUERY, &query);
}

void ask(const struct role *role, struct asked *asked)
{
	as(role, do_ask, asked);
}

struct attempt {
	int fd;
	pid_t pid;
	unsigned int flags;
	struct vpmc_start start;
	int result;
};

static void do_attach(void *arg)
{
	struct attempt *a = arg;

	a->result = attach(a->fd, a->pid, a->flags, NULL);
}

static void do_start(void *arg)
{
	struct attempt *a = arg;

	a->result = request(a->fd, VPMC_START, &a->start);
}

int attach_as(const struct role *role, int fd, pid_t pid, unsigned int flags)
{
	struct attempt *a = shared(sizeof(*a));

	*a = (struct attempt){ .fd = fd, .pid = pid, .flags = flags };
	as(role, do_attach, a);
	return a->result;
}

int start_as(const struct role *role, int fd, const struct vpmc_start *start)
{
	struct attempt *a = shared(sizeof(*a));

	*a = (struct attempt){ .fd = fd, .start = *start };
	as(role, do_start, a);
	return a->result;
}

static bool is_shown(const struct vpmc_read *read, struct cost cost,
		     unsigned int exact)
{
	return read->count[0] == cost.instructions &&
	       (exact < 2 || read->count[1] == cost.branches) &&
	       !read->revoked && !read->other_events;
}

/* True if another thread has run, but has not executed instructions in user mode. */
static bool another_ran;

static bool is_gone(const struct vpmc_read *read)
{
	return !read->count[0] && !read->count[1] &&
	       (another_ran || !read->tsc) && read->revoked == 1 &&
	       !read->other_events;
}

void check_answer(const struct vpmc_read *read, int error, enum answer want,
		  struct cost cost, unsigned int exact, const char *who,
		  const char *scope)
{
	static const char *const names[] = { "shown", "EPERM", "gone" };
	bool ok = !error;

	if (want == DENIED)
		ok = error == -EPERM;
	else if (want == SHOWN)
		ok = ok && is_shown(read, cost, exact);
	else
		ok = ok && is_gone(read);
	cell(ok,
	     "%s: %s: %s: errno %d, %llu %llu (%u revoked) want %s (%llu %llu)",
	     situation, who, scope, -error, read->count[0], read->count[1],
	     read->revoked, names[want], (unsigned long long)cost.instructions,
	     (unsigned long long)cost.branches);
}

/* Return whether the user's own processes may trace a process that executes this file. */
static bool is_traceable(enum file file)
{
	return file == PLAIN || file == NONE || suid_dumpable == 1;
}

static enum whose whose(enum file file, bool dropped)
{
	if (kind->user == ROOT && !dropped)
		return ROOTS;
	return is_traceable(file) && (file == PLAIN || file == NONE ||
				      file == UNREADABLE)
		       ? USERS
		       : BOTHS;
}

/*
 * Return whether each process that may watch a program of @watched may also watch a program of
 * @other_one.
 */
static bool covers(enum whose watched, enum whose other_one)
{
	return watched == ROOTS || watched == other_one;
}

static void pass(struct access *a, enum moment moment, enum file file,
		 bool dropped)
{
	enum level level = moments[moment][a->level];

	if (level == NEW) {
		a->whose = whose(file, dropped);
		level = is_traceable(file) ? OPEN : OWN;
	}
	a->level = level;
}

static bool is_privileged(const struct actor *who)
{
	return who ? who->may_all : kind->user == ROOT;
}

/*
 * Compute the access after the start of the count. If another process has started first, the start
 * joins that process's count.
 */
static void note_start(void)
{
	const struct actor *first =
		starter->first ? starter->first : starter->who;

	now = (struct access){ .privileged = is_privileged(first) };
	pass(&now, starter->kernel && first ? START_KERNEL : START, NONE,
	     false);
	if (starter->first)
		pass(&now, JOIN, NONE, false);
	collected = now;
}

/*
 * Return whether a process that may count kernel mode still may do so after it has executed the
 * file.
 */
static bool counts_kernel_behind(enum file file, bool dropped)
{
	return file == SETUID_ROOT || (kind->user == ROOT && !dropped);
}

static enum moment moment_of_exec(enum file file, bool dropped, bool counted)
{
	bool without = starter->kernel && !counts_kernel_behind(file, dropped);

	if (!now.privileged && !covers(now.whose, whose(file, dropped)))
		return EXEC_GAINED;
	if (!now.privileged && !is_traceable(file))
		return EXEC_GAINED;
	if (!counted && starter->kernel)
		return without ? BEGIN_KERNEL_WITHOUT : BEGIN_KERNEL;
	if (!counted)
		return BEGIN;
	if (without)
		return EXEC_KERNEL_WITHOUT;
	return dropped ? EXEC_LOST : EXEC;
}

static void note_exec(enum file file, bool dropped, bool counted)
{
	now.executed = collected.executed = true;
	if (now.level != ENDED)
		pass(&now, moment_of_exec(file, dropped, counted), file,
		     dropped);
}

/* Compute the access to ALL after counts were added that some readers of ALL may not see. */
static void add_more_to_all(void)
{
	pass(&collected,
	     collected.privileged ? ALL_PRIVILEGED : ALL_UNPRIVILEGED, NONE,
	     false);
	collected.missing = !collected.privileged;
}

/* Compute the access to ALL after a read, which adds the current counts. */
static void note_collected(void)
{
	if (now.level == ENDED)
		collected.missing = true;
	else if (collected.level == CLOSED ||
		 (now.level == OPEN && covers(collected.whose, now.whose)))
		pass(&collected, ALL_ADDS, NONE, false);
	else
		add_more_to_all();
}

static enum reader reader_of(unsigned int role, const struct access *a)
{
	if (role == WITH_PTRACE)
		return PTRACE;
	if (role >= WITH_PERFMON)
		return PERFMON;
	return role == USER && a->whose == USERS ? ITS_USER : ANOTHER_USER;
}

static enum answer answer_to(unsigned int role, const struct access *a)
{
	enum answer answer = readers[reader_of(role, a)][a->level];

	return answer == SHOWN && a->missing ? GONE : answer;
}

static bool itself_may_all(void)
{
	return (kind->first == SETUID_ROOT && !kind->drops) ||
	       (kind->user == ROOT && !kind->drops);
}

/*
 * Return the answer to the puppet itself. @own is true if the counts belong to the program that the
 * puppet executes now: the program began them, or the counts of its process continue.
 */
static enum answer answer_to_itself(const struct access *a, bool own)
{
	unsigned int role = itself_may_all() ? SUPERUSER : USER;
	enum answer answer = readers[ITSELF][a->level];

	if (!own || answer == AS_OTHERS || role == SUPERUSER)
		return answer_to(role, a);
	return answer == SHOWN && a->missing ? GONE : answer;
}

static unsigned int exact(void)
{
	return starter->kernel ? 1 : 2;
}

static struct vpmc_start *start_wanted(unsigned int flags)
{
	struct vpmc_start *start = start_arg(FIRST, flags);

	if (starter->at_exec)
		start->flags |= VPMC_START_AT_EXEC;
	if (starter->kernel)
		start_count_kernel(start);
	return start;
}

/* Start the count of a process or thread from outside. Returns whether the start was permitted. */
static bool start_outside(const struct actor *who, int fd, pid_t pid,
			  unsigned int attach_flags, unsigned int start_flags)
{
	bool may = kind->user != ROOT || who->may_root;
	int result = attach_as(&who->role, fd, pid, attach_flags);

	cell(result == (may ? 0 : -EPERM), "%s: attach: errno %d", situation,
	     -result);
	if (result)
		return false;
	result = start_as(&who->role, fd, start_wanted(start_flags));
	cell(!result, "%s: start: errno %d", situation, -result);
	return !result;
}

static bool start_inside(struct puppet *p, int fd, unsigned int flags)
{
	bool may = !starter->kernel || kind->user == ROOT;
	int result = puppet_start(p, fd, start_wanted(flags));

	cell(result == (may ? 0 : -EPERM), "%s: start: errno %d", situation,
	     -result);
	return !result;
}

#define COLLECTS (VPMC_START_COLLECT | VPMC_START_RECORDS)

/*
 * Start a thread that only sleeps, and then another thread, which joins the count. Returns whether
 * the second thread has joined.
 */
static bool join(struct puppet *p)
{
	bool begins = start_outside(starter->first, COLLECTOR, p->pid,
				    VPMC_ATTACH_THREAD, COLLECTS);

	if (!begins || !starter->who)
		return begins && start_inside(p, SPARE, 0);
	p->counts = start_outside(starter->who, open_device(), p->tid,
				  VPMC_ATTACH_THREAD, 0);
	return p->counts;
}

/* Begin the count. Return whether it has begun. */
static bool begin(struct puppet *p)
{
	bool begins;

	if (starter->first)
		return join(p);
	if (!starter->who)
		return start_inside(p, COLLECTOR, COLLECTS);
	begins = start_outside(starter->who, COLLECTOR, p->pid, 0, COLLECTS);
	p->counts = begins && !starter->at_exec;
	return begins;
}

/*
 * Let the puppet execute a file. @before receives the counts at the beginning of the last program
 * that is counted.
 */
static void execute_file(struct puppet *p, enum file file, bool dropped,
			 struct cost *before)
{
	bool counted = p->counts;

	if (now.level != ENDED)
		*before = counted ? cost_add(p->cost, COST_TO_CALL) : NOTHING;
	note_exec(file, dropped, counted);
	if (counted)
		puppet_exec(p, file);
	else
		puppet_exec_counted(p, file);
}

static struct cost execute(struct puppet *p)
{
	struct cost before = NOTHING;

	if (kind->first != NONE)
		execute_file(p, kind->first, false, &before);
	if (kind->drops)
		puppet_drop(p);
	if (kind->second != NONE)
		execute_file(p, kind->second, kind->drops, &before);
	return before;
}

static void check_asked(const struct asked *asked, enum answer want,
			struct cost cost, const char *who)
{
	static const char *const names[] = { "THREAD", "SELF", "CHILDREN",
					     "ALL" };
	const char *scope = names[asked->scope];

	/* The process has no children. */
	if (asked->scope != VPMC_SCOPE_CHILDREN)
		check_answer(&asked->read, asked->error, want, cost, exact(),
			     who, scope);
	else
		cell(asked->error == (want == DENIED ? -EPERM : 0) &&
			     !asked->read.count[0] && !asked->read.revoked,
		     "%s: %s: CHILDREN: errno %d", situation, who,
		     -asked->error);
	cell(asked->query == (want == DENIED ? -EPERM : 0),
	     "%s: %s: QUERY of %s: errno %d", situation, who, scope,
	     -asked->query);
}

static void ask_for(struct asked *asked, unsigned int role, int fd,
		    unsigned int scope, enum answer want, struct cost cost)
{
	asked->fd = fd;
	asked->scope = scope;
	ask(&roles[role], asked);
	check_asked(asked, want, cost, roles[role].name);
}

/*
 * Check readers other than the puppet. @process and @thread are handles that were attached before
 * the programs were executed.
 */
static void check_others(const struct puppet *p, int process, int thread)
{
	struct asked *asked = shared(sizeof(*asked));
	unsigned int i;

	for (i = 0; i < NR_ROLES; i++) {
		enum answer want = answer_to(i, &now);
		enum answer all = answer_to(i, &collected);

		ask_for(asked, i, thread, VPMC_SCOPE_THREAD, want, p->cost);
		ask_for(asked, i, process, VPMC_SCOPE_SELF, want, p->cost);
		ask_for(asked, i, process, VPMC_SCOPE_CHILDREN, want, p->cost);
		ask_for(asked, i, COLLECTOR, VPMC_SCOPE_ALL, all, p->cost);
	}
}

/* Return whether the user may attach to the last program that the puppet has executed. */
static bool may_attach_late(void)
{
	enum file last = kind->second != NONE ? kind->second : kind->first;
	bool user = kind->user != ROOT || kind->drops;

	if (!user)
		return false;
	if (kind->drops && kind->second == NONE)
		return suid_dumpable == 1;
	return last == PLAIN || last == NONE ||
	       (last == UNREADABLE && suid_dumpable == 1);
}

/*
 * Check that a handle that is attached now shows the same counts as a handle that was attached
 * earlier.
 */
static void check_late(const struct puppet *p)
{
	struct asked *asked = shared(sizeof(*asked));
	int fd = open_device();
	bool traceable = may_attach_late();
	int result = attach_as(&roles[USER], fd, p->pid, 0);

	cell(result == (traceable ? 0 : -EPERM),
	     "%s: attach afterwards: errno %d", situation, -result);
	if (!result)
		ask_for(asked, USER, fd, VPMC_SCOPE_SELF, answer_to(USER, &now),
			p->cost);
}

static void puppet_asks(struct puppet *p, int fd, unsigned int scope,
			enum answer want)
{
	struct asked asked = { .fd = fd, .scope = scope };
	struct vpmc_query query = { .size = sizeof(query), .scope = scope };
	struct cost cost = cost_add(p->cost, COST_TO_CALL);

	asked.read = (struct vpmc_read){ .size = sizeof(asked.read),
					 .scope = scope };
	asked.error =
		puppet_ioctl(p, fd, VPMC_READ, &asked.read, sizeof(asked.read));
	memcpy(&asked.read, p->order.data, sizeof(asked.read));
	asked.query = puppet_ioctl(p, fd, VPMC_QUERY, &query, sizeof(query));
	check_asked(&asked, want, cost, "itself");
}

/*
 * Check the puppet's page. The test reads the page during a system call of the puppet. Its contents
 * are the same before and after the call.
 */
static void check_page(struct puppet *p, enum answer want)
{
	struct vpmc_map map = { .size = sizeof(map) };
	struct vpmc_page page;
	bool valid;
	int result = puppet_ioctl(p, UNBOUND, VPMC_MAP, &map, sizeof(map));

	cell(result == (want == DENIED ? -EPERM : 0), "%s: MAP: errno %d",
	     situation, -result);
	if (result || starter->kernel)
		return;
	memcpy(&map, p->order.data, sizeof(map));
	puppet_show(p, (script_word)map.address, &page, sizeof(page));
	valid = !(page.count[0].high[1] & VPMC_PAGE_INVALID);
	cell(valid == (want == SHOWN), "%s: the page: %#llx", situation,
	     page.count[0].high[1]);
}

static void check_signal(struct puppet *p, enum answer want)
{
	static const int results[] = { 0, -EPERM, -ENODATA };
	struct vpmc_signal signal = { .size = sizeof(signal),
				      .signo = 10,
				      .period = UINT64_C(1) << 40 };
	int result =
		puppet_ioctl(p, UNBOUND, VPMC_SIGNAL, &signal, sizeof(signal));

	cell(result == results[want], "%s: SIGNAL: errno %d", situation,
	     -result);
}

static void check_itself(struct puppet *p)
{
	enum answer want = answer_to_itself(&now, true);
	enum answer all = answer_to_itself(&collected, !collected.executed);

	puppet_asks(p, UNBOUND, VPMC_SCOPE_THREAD, want);
	puppet_asks(p, UNBOUND, VPMC_SCOPE_SELF, want);
	puppet_asks(p, UNBOUND, VPMC_SCOPE_CHILDREN, want);
	puppet_asks(p, COLLECTOR, VPMC_SCOPE_ALL, all);
	check_page(p, want);
	/* If counting has ended, the call returns this error rather than -EPERM. */
	check_signal(p, now.level == ENDED ? GONE : want);
}

static void take_record(void *arg)
{
	struct vpmc_record *record = arg;

	record->flags = (uint32_t)request(COLLECTOR, VPMC_RECORD, record);
}

/* Check the record. If counting has ended, the record has the counts @before. */
static void check_record(const struct puppet *p, struct cost before)
{
	struct vpmc_record *record = shared(sizeof(*record));
	enum answer all = answer_to(variant, &collected);
	bool ended = now.level == ENDED;
	struct cost want = ended ? before : p->cost;
	unsigned int bits = VPMC_RECORD_LAST;

	if (all == DENIED || (all == GONE && !ended))
		want = NOTHING;
	if (all != SHOWN)
		bits |= VPMC_RECORD_REVOKED;
	record->size = sizeof(*record);
	as(&roles[variant], take_record, record);
	cell(!record->flags && record->pid == p->pid && record->what == bits &&
		     record->count[0] == want.instructions &&
		     (exact() < 2 || record->count[1] == want.branches) &&
		     (want.instructions || !record->tsc),
	     "%s: %s: record: errno %d, %#x, %llu %llu want %#x, %llu %llu",
	     situation, roles[variant].name, -(int)record->flags, record->what,
	     record->count[0], record->count[1], bits,
	     (unsigned long long)want.instructions,
	     (unsigned long long)want.branches);
}

/* Return the access to CHILDREN of a parent that has not counted itself. */
static struct access children_now(void)
{
	bool may = answer_to(variant, &now) == SHOWN;
	struct access children = { .level = OPEN, .missing = !may };
	enum moment moment = may ? WAIT_PARENT : WAIT_HIDDEN;

	if (may && now.level == OPEN)
		moment = WAIT;
	pass(&children, moment, NONE, false);
	return children;
}

/*
 * Check other readers of the parent's CHILDREN, with a handle that was attached before. The parent
 * has exited. Which user the parent had does not matter: these readers may see open counts.
 */
static void check_parent_outside(const struct puppet *p, int parent)
{
	static const unsigned int who[] = { WITH_PTRACE, WITH_PERFMON };
	struct access children = children_now();
	struct asked *asked = shared(sizeof(*asked));
	size_t i;

	asked->fd = parent;
	asked->scope = VPMC_SCOPE_CHILDREN;
	for (i = 0; i < sizeof(who) / sizeof(who[0]); i++) {
		ask(&roles[who[i]], asked);
		check_answer(&asked->read, asked->error,
			     answer_to(who[i], &children), p->cost, exact(),
			     roles[who[i]].name, "CHILDREN of the parent");
	}
}

/*
 * Check the parent's CHILDREN. If the parent may not see the counts when it waits, CHILDREN must
 * report them as missing.
 */
static void check_parent(const struct puppet *p)
{
	enum answer want = answer_to(variant, &now);

	check_answer(&p->children->read, p->children->error,
		     want == SHOWN ? SHOWN : GONE, p->cost, exact(),
		     roles[variant].name, "CHILDREN of the parent");
}

/*
 * Check all readers while the puppet runs. @process and @thread were attached before the programs
 * were executed.
 */
static void check_running(struct puppet *p, int process, int thread)
{
	if (variant)
		return;
	check_others(p, process, thread);
	check_late(p);
	check_itself(p);
}

static void try_one(void)
{
	int process = open_device(), thread = open_device();
	struct puppet p = puppet_new(kind->user, &roles[variant]);
	/*
	 * The answers must not depend on the process that attaches a handle. So any process that
	 * may attach these handles can be the holder.
	 */
	const struct role *holder =
		&roles[kind->user == ROOT ? SUPERUSER : USER];
	int parent = open_device();
	struct cost before;

	snprintf(situation, sizeof(situation),
		 "suid_dumpable %d: %s starts, %s", suid_dumpable,
		 starter->name, kind->name);
	another_ran = starter->first;
	if (starter->first)
		puppet_split(&p);
	if (attach_as(&roles[SUPERUSER], parent, p.parent, 0) ||
	    attach_as(holder, process, p.pid, 0) ||
	    attach_as(holder, thread, p.tid, VPMC_ATTACH_THREAD))
		errx(2, "%s: attach", situation);
	if (!begin(&p))
		return;
	note_start();
	before = execute(&p);
	note_collected();
	check_running(&p, process, thread);
	puppet_end(&p);
	/*
	 * If there are two threads, there are two records, and two missing counts. Skip these
	 * checks then.
	 */
	if (!starter->first) {
		check_parent(&p);
		check_parent_outside(&p, parent);
		check_record(&p, before);
	}
	check(!check_failures, "%s: %u cells", situation, cells);
}

/*
 * With "some", each kind is tried with the first variant, and with one other variant, which changes
 * from kind to kind. Without "some", starters that make no difference to the parent are also tried
 * in this way.
 */
static bool only_some;

static bool is_wanted(void)
{
	static unsigned int number;
	bool own_kernel = starter->kernel && !starter->who;

	/* A count that begins at exec never begins if no program is executed. */
	if (starter->at_exec && kind->first == NONE && kind->second == NONE)
		return false;
	if (!variant)
		return true;
	if (starter->first)
		return false;
	if (!only_some && !starter->at_exec && !own_kernel)
		return true;
	if (variant == 1)
		number++;
	return variant == 1 + (number + number / NR_WHAT) % (NR_ROLES - 1);
}

static void try_kinds(void)
{
	size_t i;

	for (i = 0; i < NR_WHAT; i++) {
		kind = &what[i];
		for (variant = 0; variant < NR_ROLES; variant++) {
			if (is_wanted())
				run(try_one);
		}
	}
}

static void try_starters(void)
{
	size_t i;

	for (i = 0; i < NR_STARTERS; i++) {
		starter = &starters[i];
		try_kinds();
	}
}

/* Set suid_dumpable to @value, and try those starters and readers whose answers depend on it. */
static void try_dumpable(int value)
{
	const char text[] = { (char)('0' + value), '\0' };
	size_t i;

	suid_dumpable = value;
	set("/proc/sys/fs/suid_dumpable", text);
	variant = USER;
	for (starter = starters; starter->who != &by_other; starter++) {
		for (i = 0; i < NR_WHAT; i++) {
			kind = &what[i];
			run(try_one);
		}
	}
	set("/proc/sys/fs/suid_dumpable", "0");
	suid_dumpable = 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "count"))
		return be_counter();
	only_some = argc > 1 && !strcmp(argv[1], "some");
	make_files();
	try_starters();
	try_dumpable(1);
	if (!only_some)
		try_dumpable(2);
	try_more();
	return check_status();
}
