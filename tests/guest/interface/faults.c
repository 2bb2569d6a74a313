// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults driver|anywhere: let each allocation of each operation of the driver fail. In the first
 * run of an operation the first allocation fails, in the second run the second one, and so on,
 * until all allocations succeed.
 *
 * With "driver", only allocations of the driver's own objects fail. Each failure must make the
 * operation fail, and the number of failures must equal the number in the table. With "anywhere",
 * allocations of pages and of the kernel fail too, and the operation may also succeed.
 *
 * An operation that fails returns ENOMEM and changes nothing. All handles return the same answers
 * as before, and the operation succeeds when it is repeated.
 *
 * The first process of the guest checks for leaks: it unloads the driver and scans for
 * memory without references.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroups.h"
#include "faults.h"

#define DEBUG  "/sys/kernel/debug/"
#define CACHES "/sys/kernel/slab"

/* The number of allocations of any operation is smaller than this. */
#define MOST 2000

/*
 * This is the number of attempts of each operation. Several are necessary, because a stale
 * pointer in memory may hide the leak of one attempt.
 */
#define ATTEMPTS 3

/*
 * This is the number of failures to try if the test cannot detect whether an allocation failed.
 */
#define SOME 40

/*
 * struct fault - the faults of a thread
 * @nth: the number of the allocation that fails, as text, or 0 for none
 * @left: the number of allocations that remained until then, as text; 0 if the allocation has
 *	failed
 * @serial: the number of calls of fault_serial()
 */
struct fault {
	char nth[16], left[16];
	unsigned int serial;
};

static struct fault *fault;
static int nth_fd;
static bool anywhere;

/* This is the result of an attempt, which the attempt's process shares with this one. */
static struct attempt {
	bool injected, failed;
} * attempt;

int watched[MAX_WATCHED];

static void set(const char *kind, const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), DEBUG "%s/%s", kind, name);
	set_file(path, value);
}

/* Find the addresses of the driver's functions. */
static void find_driver(char *start, char *end, size_t size)
{
	char line[256];
	FILE *file = fopen("/sys/module/vpmc/sections/.text", "re");
	unsigned long first, length = 0;

	if (!file || !fgets(line, sizeof(line), file))
		err(2, "where the driver is");
	fclose(file);
	first = strtoul(line, NULL, 16);
	length = number_in("/proc/modules", "vpmc ");
	snprintf(start, size, "%#lx", first);
	snprintf(end, size, "%#lx", first + length);
}

/* Choose the allocations that are counted: those with the driver among the callers, or all. */
static void set_kind(const char *kind)
{
	char start[32], end[32];

	set(kind, "ignore-gfp-wait", "N");
	set(kind, "verbose", "0");
	if (anywhere)
		return;
	find_driver(start, end, sizeof(start));
	set(kind, "require-start", start);
	set(kind, "require-end", end);
	set(kind, "stacktrace-depth", "32");
}

static bool is_used_by_driver(const char *cache)
{
	return !strncmp(cache, "kmalloc-", 8) || !strcmp(cache, "vpmc_process");
}

/* Choose caches, except those that the kernel's own checks use. */
static void choose_caches(void)
{
	DIR *caches = opendir(CACHES);
	struct dirent *cache;
	char path[sizeof(CACHES) + sizeof(cache->d_name) + 16];

	if (!caches)
		err(2, CACHES);
	while ((cache = readdir(caches))) {
		snprintf(path, sizeof(path), CACHES "/%s/failslab",
			 cache->d_name);
		if (is_used_by_driver(cache->d_name))
			set_file(path, "1");
	}
	closedir(caches);
	set("failslab", "cache-filter", "Y");
}

static void set_up(void)
{
	set_kind("failslab");
	set_kind("fail_page_alloc");
	if (!anywhere)
		choose_caches();
	set("fail_page_alloc", "ignore-gfp-highmem", "N");
	set("fail_page_alloc", "min-order", anywhere ? "0" : "20");
}

static void open_nth(void)
{
	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		err(2, "fail-nth");
}

static bool arm(const char *nth)
{
	return write(nth_fd, nth, strlen(nth)) == (ssize_t)strlen(nth);
}

unsigned int fault_serial(void)
{
	return fault->serial++;
}

void fault_arm(void)
{
	if (!arm(fault->nth))
		err(2, "fail-nth");
}

void fault_arm_forked(void)
{
	open_nth();
	fault_arm();
}

void fault_disarm(void)
{
	if (pread(nth_fd, fault->left, sizeof(fault->left), 0) < 0 || !arm("0"))
		err(2, "fail-nth");
}

static void script_write(struct script *s, const char *nth)
{
	script_call(s, SYS_write, (uint32_t)nth_fd, P(nth), strlen(nth));
}

void script_fault_arm(struct script *s)
{
	script_write(s, fault->nth);
}

void script_fault_disarm(struct script *s)
{
	char *none = shared(2);

	none[0] = '0';
	script_call(s, SYS_pread64, (uint32_t)nth_fd, P(fault->left),
		    sizeof(fault->left), 0, 0);
	script_write(s, none);
}

void script_fault_arm_own(struct script *s)
{
	static const char path[] = "/proc/thread-self/fail-nth";
	char *copy = shared(sizeof(path));
	uint32_t *fd = shared(sizeof(*fd));

	memcpy(copy, path, sizeof(path));
	script_call(s, SYS_open, P(copy), O_WRONLY);
	script_save(s, fd);
	script_load(s, 0, fd);
	script_call(s, SYS_write, 0, P(fault->nth), strlen(fault->nth));
}

/*
 * These are the answers of all handles for all scopes, except for counts that are still growing.
 */
struct answers {
	int result[MAX_WATCHED][4], query[MAX_WATCHED][4];
	struct vpmc_read read[MAX_WATCHED][4];
	struct vpmc_query events[MAX_WATCHED][4];
	struct vpmc_info info[MAX_WATCHED];
};

static void ask(struct answers *a, unsigned int i, unsigned int scope)
{
	struct vpmc_read *read = &a->read[i][scope];
	struct vpmc_query *query = &a->events[i][scope];

	*read = (struct vpmc_read){ .size = sizeof(*read), .scope = scope };
	*query = (struct vpmc_query){ .size = sizeof(*query), .scope = scope };
	a->result[i][scope] = request(watched[i], VPMC_READ, read);
	a->query[i][scope] = request(watched[i], VPMC_QUERY, query);
	if (read->state == VPMC_STATE_RUNNING) {
		read->tsc = 0;
		memset(read->count, 0, sizeof(read->count));
		memset(read->time, 0, sizeof(read->time));
		memset(read->turn, 0, sizeof(read->turn));
	}
}

static void ask_all(struct answers *a)
{
	unsigned int i, scope;

	memset(a, 0, sizeof(*a));
	for (i = 0; i < MAX_WATCHED; i++) {
		a->info[i].size = sizeof(a->info[i]);
		request(watched[i], VPMC_INFO, &a->info[i]);
		for (scope = 0; scope < 4; scope++)
			ask(a, i, scope);
	}
}

static const struct operation *operation;
static unsigned int number;

static void say(const char *what, int result)
{
	check(false, "%s, allocation %u: %s: %d", operation->name, number, what,
	      result);
}

static bool is_expected(int result)
{
	return result == -ENOMEM || (anywhere && result == -EAGAIN);
}

/* Check that the failed operation has changed nothing, and that it succeeds now. */
static void check_failure(const struct answers *before, int result)
{
	static struct answers after;

	if (!is_expected(result))
		say("the error", result);
	ask_all(&after);
	if (memcmp(before, &after, sizeof(after)) != 0)
		say("something has changed", result);
	memcpy(fault->nth, "0", 2);
	result = operation->act();
	if (result)
		say("it fails again", result);
}

static void attempt_one(void)
{
	static struct answers before;
	int result;

	memset(watched, 0xff, sizeof(watched));
	open_nth();
	if (operation->prepare)
		operation->prepare();
	snprintf(fault->nth, sizeof(fault->nth), "%u", number);
	memset(fault->left, 0, sizeof(fault->left));
	ask_all(&before);
	result = operation->act();
	attempt->injected = !strcmp(fault->left, "0\n");
	attempt->failed = result;
	if (result && !attempt->injected)
		say("it fails without reason", result);
	else if (result)
		check_failure(&before, result);
	else if (operation->outcome && !anywhere)
		operation->outcome(number);
}

/*
 * Return whether all allocations succeeded in the last attempt, so that no more attempts are
 * necessary.
 */
static bool is_last(void)
{
	if (operation->outcome)
		return number > (anywhere ? SOME : operation->faults);
	return !attempt->injected && !attempt->failed;
}

/*
 * Return whether the number of failed allocations is right. With "anywhere" the exact number is not
 * known: an allocation sometimes needs a new page for its objects and sometimes does not.
 */
static bool is_number(unsigned int failed)
{
	if (operation->outcome)
		return true;
	return anywhere ? !failed == !operation->faults
			: failed == operation->faults;
}

static void attempt_often(void)
{
	unsigned int i;

	for (i = 0; i < ATTEMPTS; i++) {
		*attempt = (struct attempt){};
		run(attempt_one);
	}
}

static void test_operation(void)
{
	unsigned int failed = 0, injected = 0;

	for (number = 1; number < MOST; number++) {
		attempt_often();
		failed += attempt->failed;
		injected += attempt->injected;
		if (is_last())
			break;
	}
	check(number < MOST && is_number(failed),
	      "%s: %u of %u faults make it fail, want %u", operation->name,
	      failed, injected, operation->faults);
}

static void test_all(const struct operation *first, unsigned int nr)
{
	for (operation = first; operation < first + nr; operation++)
		test_operation();
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: faults driver|anywhere");
	anywhere = !strcmp(argv[1], "anywhere");
	groups_make();
	set_up();
	/*
	 * Each set of more than two events would take additional memory. Only the operations with
	 * turns use more events.
	 */
	start_at_most(2);
	fault = shared(sizeof(*fault));
	attempt = shared(sizeof(*attempt));
	test_all(call_operations, nr_call_operations);
	test_all(life_operations, nr_life_operations);
	return check_status();
}
