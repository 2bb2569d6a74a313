// SPDX-License-Identifier: GPL-2.0-only
/*
 * matrix [some]: test that each combination of who started a count, what was executed
 * then, and who reads it in which way has the answer of the tables in vpmc(7). The
 * tables are in access.inc, and no other code here knows who may see what.
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

/* To whom counts may be shown. */
enum level {
	OPEN,
	OWN,
	CLOSED,
	ENDED, /* counting has, in front of the program */
	NR_LEVELS,
	NEW = NR_LEVELS, /* OPEN or OWN, by the program that is executed now */
};

enum moment {
#define MOMENT(id, name, ...) id,
#include "access.inc"
#undef MOMENT
	NR_MOMENTS,
};

/* The new level after an event. */
static const enum level moments[NR_MOMENTS][ENDED] = {
#define MOMENT(id, name, ...) [id] = { __VA_ARGS__ },
#include "access.inc"
#undef MOMENT
};

/*
 * Other readers get this answer. The program itself also gets it when counting has ended.
 */
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

/* The owner of the rights of a program. */
enum whose {
	USERS,
	BOTHS, /* two users, or the user with a capability */
	ROOTS,
};

/**
 * struct access - to whom counts may be shown
 * @level: and
 * @whose: the program that was counted
 * @privileged: the start
 * @executed: the process has executed something since
 * @missing: there are counts that are not added
 */
struct access {
	enum level level;
	enum whose whose;
	bool privileged, executed, missing;
};

/**
 * struct kind - what is executed
 * @name: its name in messages
 * @user: whose puppet it is
 * @first: the program that it executes then, or NR_FILES
 * @drops: then it becomes WATCHED
 * @second: the program that it executes after @first, or NR_FILES
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

/* The starters, and whether they may see everything and start processes of root. */
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
 * struct starter - who starts
 * @name: its name in messages
 * @who: the starter, or NULL for the puppet itself
 * @kernel: true if it counts kernel mode
 * @at_exec: true if it counts from the next program on
 * @first: starts another thread before, whose generation this one joins, or NULL
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

/* Describe the present attempt. @variant says who is the parent and takes the record. */
static const struct starter *starter;
static const struct kind *kind;
static unsigned int variant;
static int suid_dumpable;

/* The access to its counts and to ALL. */
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

/* Another thread was on a processor, but executed nothing in user mode. */
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

/* Return whether this program may be traced. */
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

/* Return whether all that may watch the one program may watch the other. */
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

/* Note the start of the count. If another actor starts first, this start joins its count. */
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

/* A process that may count kernel mode and executes the file may do so after it, too. */
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

/* Add counts to ALL that some of its readers may not see. */
static void add_more_to_all(void)
{
	pass(&collected,
	     collected.privileged ? ALL_PRIVILEGED : ALL_UNPRIVILEGED, NONE,
	     false);
	collected.missing = !collected.privileged;
}

/* Note a read of ALL. Its counts began before the programs. */
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
 * Return the answer to the puppet itself. @own: the program that it executes began the
 * counts, or those of its process continue.
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
		start->event[1].modes = VPMC_MODE_KERNEL;
	return start;
}

/* Start a process or thread in one of the roles. Returns whether the start is permitted. */
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

/* Let a thread join another one and do nothing. Return whether it has joined. */
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
 * Let the puppet execute a file. @before: the counts at the begin of the last program that is
 * counted.
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
 * Check other readers. @process and @thread are handles that were attached before the
 * programs.
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

/* Return whether the user may attach to the program that is executed last. */
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

/* A reader that may attach now sees the same as with a handle from before. */
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

/* The page is the same during and around a system call. */
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
	/* The end of counting takes precedence. */
	check_signal(p, now.level == ENDED ? GONE : want);
}

static void take_record(void *arg)
{
	struct vpmc_record *record = arg;

	record->flags = (uint32_t)request(COLLECTOR, VPMC_RECORD, record);
}

/* Check the record. @before: the counts of the record of a count that has ended. */
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
 * Check the other readers, which have a handle from before. The parent has exited. They
 * may see open counts no matter what the parent was.
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
 * Counts that the parent may not see when it waits are counted as missing instead of
 * added.
 */
static void check_parent(const struct puppet *p)
{
	enum answer want = answer_to(variant, &now);

	check_answer(&p->children->read, p->children->error,
		     want == SHOWN ? SHOWN : GONE, p->cost, exact(),
		     roles[variant].name, "CHILDREN of the parent");
}

/* Check readers while it runs. @process and @thread were attached before the programs. */
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
	/* It does not matter who has attached another process's handle. */
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
	/* Two threads lead to two records, and to two missing counts. */
	if (!starter->first) {
		check_parent(&p);
		check_parent_outside(&p, parent);
		check_record(&p, before);
	}
	check(!check_failures, "%s: %u cells", situation, cells);
}

/*
 * "some" tries the first variant, and a different second one each time. So is it with what
 * differs from another starter in nothing that a parent sees.
 */
static bool only_some;

static bool is_wanted(void)
{
	static unsigned int number;
	bool own_kernel = starter->kernel && !starter->who;

	/* Without a program, a count that begins at one does not begin. */
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

/* Try only the cases that depend on @value, with the readers whose answers differ. */
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
