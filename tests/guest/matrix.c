// SPDX-License-Identifier: GPL-2.0-only
/*
 * matrix [some]: who started a count, what was executed then, and who reads it in
 * which way: each combination has the answer that the table of vpmc(7) gives.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
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

/* To whom counts may be shown, as in vpmc(7). */
enum level {
	OPEN,	   /* a program of the user's */
	OPEN_ROOT, /* one that began as root's */
	OPEN_BOTH, /* one that is two users, or has more capabilities */
	OWN,
	CLOSED,
	ENDED,	    /* counting has, in front of the program */
	ENDED_ROOT, /* likewise, and the program before was root's */
	NR_LEVELS,
};

/* What the puppet itself and the others get, in the order of their roles. */
struct readers {
	enum answer self, others[NR_ROLES];
};

#define S SHOWN
#define D DENIED
#define G GONE

/* THREAD, SELF, CHILDREN, QUERY, and of these the puppet's page and signals. */
static const struct readers process_readers[NR_LEVELS] = {
	/*		    user other ptrace perfmon admin root */
	[OPEN] = { S, { S, D, S, S, S, S } },
	[OPEN_ROOT] = { S, { D, D, S, S, S, S } },
	[OPEN_BOTH] = { S, { D, D, S, S, S, S } },
	[OWN] = { S, { D, D, D, S, S, S } },
	[CLOSED] = { D, { D, D, D, S, S, S } },
	[ENDED] = { G, { G, D, G, G, G, G } },
	[ENDED_ROOT] = { D, { D, D, G, G, G, G } },
};

/*
 * ALL, which began with the program before. What has more rights than that one
 * is collected for who may see everything, if so started, and else is missing.
 */
static const struct readers all_readers[NR_LEVELS] = {
	[OPEN] = { S, { S, D, S, S, S, S } },
	[OPEN_ROOT] = { D, { D, D, S, S, S, S } },
	[OPEN_BOTH] = { D, { D, D, D, S, S, S } },
	[OWN] = { D, { D, D, D, S, S, S } },
	[CLOSED] = { D, { D, D, D, S, S, S } },
	[ENDED] = { G, { G, D, G, G, G, G } },
	[ENDED_ROOT] = { D, { D, D, G, G, G, G } },
};

#undef S
#undef D
#undef G

/**
 * struct kind - what is executed
 * @name: in messages
 * @user: whose puppet it is
 * @first: what it executes then, or NR_FILES
 * @drops: then it becomes WATCHED
 * @second: what it executes after that, or NR_FILES
 * @level: if the starter may not see everything, and if he may
 */
struct kind {
	const char *name;
	uid_t user;
	enum file first;
	bool drops;
	enum file second;
	enum level level[2];
};

#define NONE NR_FILES

static const struct kind what[] = {
	{ "nothing", WATCHED, NONE, false, NONE, { OPEN, OPEN } },
	{ "ordinary", WATCHED, PLAIN, false, NONE, { OPEN, OPEN } },
	{ "set-uid to root",
	  WATCHED,
	  SETUID_ROOT,
	  false,
	  NONE,
	  { ENDED, OWN } },
	{ "set-uid", WATCHED, SETUID_STRANGER, false, NONE, { ENDED, OWN } },
	{ "set-gid", WATCHED, SETGID, false, NONE, { ENDED, OWN } },
	{ "capabilities", WATCHED, CAPABLE, false, NONE, { ENDED, OWN } },
	{ "unreadable", WATCHED, UNREADABLE, false, NONE, { ENDED, OWN } },
	{ "set-uid to root, ordinary",
	  WATCHED,
	  SETUID_ROOT,
	  true,
	  PLAIN,
	  { ENDED, CLOSED } },
	{ "set-uid, ordinary",
	  WATCHED,
	  SETUID_STRANGER,
	  true,
	  PLAIN,
	  { ENDED, CLOSED } },
	{ "set-uid, set-gid",
	  WATCHED,
	  SETUID_STRANGER,
	  true,
	  SETGID,
	  { ENDED, CLOSED } },
	{ "root's", ROOT, PLAIN, false, NONE, { OPEN_ROOT, OPEN_ROOT } },
	{ "root drops", ROOT, PLAIN, true, NONE, { OPEN_ROOT, OPEN_ROOT } },
	{ "root drops, ordinary",
	  ROOT,
	  PLAIN,
	  true,
	  PLAIN,
	  { CLOSED, CLOSED } },
	{ "root drops, set-uid",
	  ROOT,
	  PLAIN,
	  true,
	  SETUID_STRANGER,
	  { ENDED_ROOT, CLOSED } },
	{ "root drops, unreadable",
	  ROOT,
	  PLAIN,
	  true,
	  UNREADABLE,
	  { ENDED_ROOT, CLOSED } },
};

#define NR_WHAT (sizeof(what) / sizeof(what[0]))

/**
 * struct starter - who starts
 * @name: in messages
 * @role: who, if it is not
 * @itself: the puppet
 * @may_all: may see everything
 * @may_root: may start a process of root's
 * @kernel: and counts kernel mode
 */
struct starter {
	const char *name;
	struct role role;
	bool itself;
	bool may_all, may_root, kernel;
};

static const struct starter starters[] = {
	{ "itself", { 0 }, true, false, true, false },
	{ "root", { "root", ROOT, "=ep" }, false, true, true, false },
	{ "user", { "user", WATCHED, "=" }, false, false, false, false },
	{ "CAP_PERFMON",
	  { "user with CAP_PERFMON", WATCHED, "cap_perfmon=ep" },
	  false,
	  true,
	  false,
	  false },
	{ "CAP_SYS_ADMIN",
	  { "user with CAP_SYS_ADMIN", WATCHED, "cap_sys_admin=ep" },
	  false,
	  true,
	  false,
	  false },
	{ "CAP_SYS_PTRACE",
	  { "user with CAP_SYS_PTRACE", WATCHED, "cap_sys_ptrace=ep" },
	  false,
	  false,
	  true,
	  false },
	{ "other user",
	  { "other user with CAP_SYS_PTRACE", STRANGER, "cap_sys_ptrace=ep" },
	  false,
	  false,
	  true,
	  false },
	{ "root, kernel mode",
	  { "root", ROOT, "=ep" },
	  false,
	  true,
	  true,
	  true },
};

#define NR_STARTERS (sizeof(starters) / sizeof(starters[0]))

/* What is tried at present. @variant: who is the parent and takes the record. */
static const struct starter *starter;
static const struct kind *kind;
static unsigned int variant;
static int suid_dumpable;

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

static bool is_gone(const struct vpmc_read *read)
{
	return !read->count[0] && !read->count[1] && !read->tsc &&
	       read->revoked == 1 && !read->other_events;
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

static bool starts_with_all(void)
{
	return starter->may_all || (starter->itself && kind->user == ROOT);
}

/* Where fs.suid_dumpable lets such programs be traced by who has their rights. */
static enum level level_traceable(enum level level)
{
	if (suid_dumpable != 1 || level == CLOSED)
		return level;
	if (kind->first == UNREADABLE)
		return OPEN;
	if (level == ENDED_ROOT)
		return CLOSED;
	return level == OWN ? OPEN_BOTH : level;
}

/* Kernel mode, started by somebody else, is nobody's. */
static enum level level_now(void)
{
	if (starter->kernel)
		return CLOSED;
	return level_traceable(kind->level[starts_with_all()]);
}

/* Who may not see everything does not collect it either. */
static const struct readers *all_now(void)
{
	enum level level = level_now();

	if (level == CLOSED && !starts_with_all())
		level = ENDED_ROOT;
	return &all_readers[level];
}

static unsigned int exact(void)
{
	return starter->kernel ? 1 : 2;
}

static struct vpmc_start *start_wanted(void)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);

	if (starter->kernel)
		start->event[1].modes = VPMC_MODE_KERNEL;
	return start;
}

/* Returns whether the count has begun. */
static bool begin(struct puppet *p)
{
	bool may = kind->user != ROOT || starter->may_root;
	int result;

	if (starter->itself) {
		result = puppet_start(p, COLLECTOR, start_wanted());
	} else {
		result = attach_as(&starter->role, COLLECTOR, p->pid, 0);
		cell(result == (may ? 0 : -EPERM), "%s: attach: errno %d",
		     situation, -result);
		if (result)
			return false;
		result = start_as(&starter->role, COLLECTOR, start_wanted());
		p->counts = !result;
	}
	cell(!result, "%s: start: errno %d", situation, -result);
	return !result;
}

/* Returns what had been counted when the last program began. */
static struct cost execute(struct puppet *p)
{
	struct cost before = p->cost;

	if (kind->first != NONE) {
		before = cost_add(p->cost, COST_TO_CALL);
		puppet_exec(p, kind->first);
	}
	if (kind->drops)
		puppet_drop(p);
	if (kind->second != NONE && level_now() != ENDED)
		before = cost_add(p->cost, COST_TO_CALL);
	if (kind->second != NONE)
		puppet_exec(p, kind->second);
	return before;
}

static void check_asked(const struct asked *asked, enum answer want,
			struct cost cost, const char *who)
{
	static const char *const names[] = { "THREAD", "SELF", "CHILDREN",
					     "ALL" };
	const char *scope = names[asked->scope];

	/* It has no children. */
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

/* @process, @thread: attached before the programs. */
static void check_others(const struct puppet *p, int process, int thread)
{
	struct asked *asked = shared(sizeof(*asked));
	enum level level = level_now();
	unsigned int i;

	for (i = 0; i < NR_ROLES; i++) {
		enum answer want = process_readers[level].others[i];
		enum answer all = all_now()->others[i];

		ask_for(asked, i, thread, VPMC_SCOPE_THREAD, want, p->cost);
		ask_for(asked, i, process, VPMC_SCOPE_SELF, want, p->cost);
		ask_for(asked, i, process, VPMC_SCOPE_CHILDREN, want, p->cost);
		ask_for(asked, i, COLLECTOR, VPMC_SCOPE_ALL, all, p->cost);
	}
}

/* May the user attach to what is executed in the end? */
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

/* Who may attach now sees what he saw with a handle from before. */
static void check_late(const struct puppet *p)
{
	struct asked *asked = shared(sizeof(*asked));
	enum level level = level_now();
	int fd = open_device();
	bool traceable = may_attach_late();
	int result = attach_as(&roles[USER], fd, p->pid, 0);

	cell(result == (traceable ? 0 : -EPERM),
	     "%s: attach afterwards: errno %d", situation, -result);
	if (!result)
		ask_for(asked, USER, fd, VPMC_SCOPE_SELF,
			process_readers[level].others[USER], p->cost);
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

/* In a system call the page is what it is around it. */
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

static bool itself_may_all(void)
{
	return (kind->first == SETUID_ROOT && !kind->drops) ||
	       (kind->user == ROOT && !kind->drops);
}

static void check_itself(struct puppet *p)
{
	enum level level = level_now();
	enum answer want = process_readers[level].self;
	enum answer all = all_now()->self;

	if (itself_may_all()) {
		want = process_readers[level].others[SUPERUSER];
		all = all_now()->others[SUPERUSER];
	}
	puppet_asks(p, UNBOUND, VPMC_SCOPE_THREAD, want);
	puppet_asks(p, UNBOUND, VPMC_SCOPE_SELF, want);
	puppet_asks(p, UNBOUND, VPMC_SCOPE_CHILDREN, want);
	puppet_asks(p, COLLECTOR, VPMC_SCOPE_ALL, all);
	check_page(p, want);
	/* That counting has ended comes first. */
	check_signal(p, level == ENDED_ROOT ? GONE : want);
}

static void take_record(void *arg)
{
	struct vpmc_record *record = arg;

	record->flags = (uint32_t)request(COLLECTOR, VPMC_RECORD, record);
}

/* @before: what the record of a count that has ended says. */
static void check_record(const struct puppet *p, struct cost before)
{
	struct vpmc_record *record = shared(sizeof(*record));
	enum level level = level_now();
	enum answer all = all_now()->others[variant];
	bool ended = level == ENDED || level == ENDED_ROOT;
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

/* What it may not see when it waits is not added, but numbered. */
static void check_parent(const struct puppet *p)
{
	enum level level = level_now();
	enum answer want = process_readers[level].others[variant];

	check_answer(&p->children->read, p->children->error,
		     want == SHOWN ? SHOWN : GONE, p->cost, exact(),
		     roles[variant].name, "CHILDREN of the parent");
}

static void try_one(void)
{
	int process = open_device(), thread = open_device();
	struct puppet p = puppet_new(kind->user, &roles[variant]);
	/* Of another's handle it makes no difference who has attached it. */
	const struct role *holder =
		&roles[kind->user == ROOT ? SUPERUSER : USER];
	struct cost before;

	snprintf(situation, sizeof(situation),
		 "suid_dumpable %d: %s starts, %s", suid_dumpable,
		 starter->name, kind->name);
	if (attach_as(holder, process, p.pid, 0) ||
	    attach_as(holder, thread, p.pid, VPMC_ATTACH_THREAD))
		errx(2, "%s: attach", situation);
	if (!begin(&p))
		return;
	before = execute(&p);
	if (!variant) {
		check_others(&p, process, thread);
		check_late(&p);
		check_itself(&p);
	}
	puppet_end(&p);
	check_parent(&p);
	check_record(&p, before);
	check(!check_failures, "%s: %u cells", situation, cells);
}

/* "some": of the variants the first, and one that is another each time. */
static bool only_some;

static bool is_wanted(void)
{
	static unsigned int number;

	if (!only_some || !variant)
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

/* The same for what differs, with those who differ in it. */
static void try_dumpable(int value)
{
	const char text[] = { (char)('0' + value), '\0' };
	size_t i;

	suid_dumpable = value;
	set("/proc/sys/fs/suid_dumpable", text);
	variant = USER;
	for (starter = starters;
	     starter->itself || starter->role.user != STRANGER; starter++) {
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
