// SPDX-License-Identifier: GPL-2.0-only
/*
 * fixed: test that fixed counters count their events like other counters, on processors that have
 * them. Each instruction takes one clock here. So in user mode all three fixed counters must have
 * the same count as a general counter that counts instructions.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inline.h"

/*
 * These are the events of the fixed counters: instructions, clocks, and clocks of a fixed rate.
 */
static const uint32_t codes[] = { 0xc0, 0x3c, 0x300 };
#define NR_FIXED 3

static unsigned int general;

/*
 * The test counts instructions on the first general counter, and the events of all fixed counters.
 */
#define NR_EVENTS (1 + NR_FIXED)

static struct vpmc_start *fixed_arg(unsigned int flags, unsigned int modes)
{
	struct vpmc_start *start = shared(sizeof(*start));
	unsigned int i;

	*start = (struct vpmc_start){ .size = sizeof(*start),
				      .flags = flags,
				      .nr_events = NR_EVENTS };
	start->event[0] = (struct vpmc_event)EVENT(codes[0], 0, VPMC_MODE_USER);
	for (i = 0; i < NR_FIXED; i++)
		start->event[1 + i] = (struct vpmc_event)EVENT(
			codes[i], (uint16_t)(general + i), (uint16_t)modes);
	return start;
}

static void start_fixed(int fd, unsigned int modes)
{
	struct vpmc_start *start = fixed_arg(VPMC_START_FORCE, modes);
	int result = request(fd, VPMC_START, start);

	check(!result, "start: %d, reason %u, event %u", result, start->error,
	      start->error_event);
}

static void check_equal(const uint64_t *count, const char *what)
{
	check(count[0] > 1000 && count[1] == count[0] && count[2] == count[0] &&
		      count[3] == count[0],
	      "%s: %llu, fixed counters %llu %llu %llu", what,
	      (unsigned long long)count[0], (unsigned long long)count[1],
	      (unsigned long long)count[2], (unsigned long long)count[3]);
}

static void spin(unsigned int n)
{
	volatile unsigned int i;

	for (i = 0; i < n; i++)
		;
}

static void test_numbers(void)
{
	struct vpmc_info info = { .size = sizeof(info) };
	int result = request(open_device(), VPMC_INFO, &info);

	check(!result && info.nr_counters == general && general &&
		      info.nr_fixed == NR_FIXED,
	      "VPMC_INFO: %d, %u counters, %u fixed ones", result,
	      info.nr_counters, info.nr_fixed);
}

static void test_counts(void)
{
	int fd = open_device();
	struct vpmc_read read;

	start_fixed(fd, VPMC_MODE_USER);
	spin(1000);
	read = read_scope(fd, VPMC_SCOPE_THREAD);
	check_equal((const uint64_t *)read.count, "THREAD");
}

/* Check that one event is refused, with the given reason. */
static void refuse(uint32_t code, unsigned int counter, unsigned int reason,
		   const char *what)
{
	struct vpmc_start *start = fixed_arg(0, VPMC_MODE_USER);
	int result;

	start->nr_events = 1;
	start->event[0] = (struct vpmc_event)EVENT(code, (uint16_t)counter,
						   VPMC_MODE_USER);
	result = request(open_device(), VPMC_START, start);
	check(result == -EINVAL && start->error == reason,
	      "%s: %d, reason %u, want %u", what, result, start->error, reason);
}

static void test_refusals(void)
{
	refuse(codes[1], general, VPMC_REASON_WRONG_COUNTER,
	       "clocks on the counter of instructions");
	refuse(codes[0] | 1 << 18, general, VPMC_REASON_WRONG_COUNTER,
	       "edges of instructions on a fixed counter");
	refuse(0xc4, general + 1, VPMC_REASON_WRONG_COUNTER,
	       "branches on a fixed counter");
	refuse(codes[2], 0, VPMC_REASON_WRONG_COUNTER,
	       "clocks of a fixed rate on a general counter");
	refuse(codes[0], general + NR_FIXED, VPMC_REASON_NO_COUNTER,
	       "a counter behind the last");
}

/*
 * Test that the driver chooses the fixed counters for their events if the general counters are
 * taken.
 */
static void test_chosen(void)
{
	struct vpmc_start *start = fixed_arg(0, VPMC_MODE_USER);
	struct vpmc_query query = { .size = sizeof(query),
				    .scope = VPMC_SCOPE_SELF };
	int fd = open_device(), result;
	unsigned int i;

	start->nr_events = general + NR_FIXED;
	for (i = 0; i < general; i++)
		start->event[i] = (struct vpmc_event)EVENT(
			codes[0], (uint16_t)i, VPMC_MODE_USER);
	for (i = 0; i < NR_FIXED; i++)
		start->event[general + i] = (struct vpmc_event)EVENT(
			codes[i], VPMC_COUNTER_ANY, VPMC_MODE_USER);
	result = request(fd, VPMC_START, start);
	check(!result && !request(fd, VPMC_QUERY, &query), "start: %d", result);
	for (i = 0; i < NR_FIXED; i++)
		check(query.event[general + i].counter == general + i,
		      "event %#x has counter %u", codes[i],
		      query.event[general + i].counter);
}

/*
 * Return the difference of two reads of count @i. The same instructions are executed for each @i.
 */
static __attribute__((noinline)) int64_t between(unsigned int i)
{
	int64_t before = vpmc_count(i);

	spin(1000);
	return vpmc_count(i) - before;
}

/* Test reads through the page. RDPMC reads fixed counters by other numbers, which the page has. */
static void test_page(void)
{
	static struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	unsigned int i, nr = general + NR_FIXED;
	struct vpmc *vpmc = open_handle();
	int64_t first, found;

	for (i = 0; i < nr; i++)
		sel[i] = (struct vpmc_event_sel){
			codes[i < general ? 0 : i - general],
			i < general ? (int)i : VPMC_ANY_COUNTER, VPMC_USER
		};
	must(vpmc_start(vpmc, sel, nr, VPMC_FORCE, &error), "start");
	must(vpmc_map(vpmc, &error), "map");
	first = between(0);
	check(first > 2000, "between two reads of counter 0: %lld",
	      (long long)first);
	for (i = general; i < nr; i++) {
		found = between(i);
		check(found == first, "of counter %u: %lld, want %lld", i,
		      (long long)found, (long long)first);
	}
}

#define SWITCHES 500

static _Noreturn void neighbour(unsigned int modes, const struct gate *to,
				const struct gate *back)
{
	unsigned int i;

	if (modes)
		start_fixed(open_device(), modes);
	for (i = 0; i < SWITCHES; i++) {
		gate_wait(to);
		gate_open(back);
	}
	_exit(0);
}

/*
 * Test a process that runs in turn with another process. The other process counts @modes on the
 * fixed counters, or does not count if @modes is 0.
 */
static void test_switches(unsigned int modes, const char *what)
{
	struct gate to = gate_new(), back = gate_new();
	int fd = open_device();
	struct vpmc_read counts;
	unsigned int i;

	stay_on(0);
	fflush(stdout);
	if (!fork())
		neighbour(modes, &to, &back);
	start_fixed(fd, VPMC_MODE_USER);
	for (i = 0; i < SWITCHES; i++) {
		gate_open(&to);
		gate_wait(&back);
	}
	counts = read_scope(fd, VPMC_SCOPE_THREAD);
	check_equal((const uint64_t *)counts.count, what);
}

static void test_inherited(void)
{
	int fd = open_device(), status;
	struct vpmc_read counts;
	pid_t pid;

	start_fixed(fd, VPMC_MODE_USER);
	pid = child_fork();
	if (!pid) {
		spin(1000);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "child");
	counts = read_scope(fd, VPMC_SCOPE_CHILDREN);
	check_equal((const uint64_t *)counts.count, "a child");
}

static void test_system(void)
{
	struct vpmc_system_read *counts = system_read_arg(VPMC_ALL_CPUS);
	int fd = open_device(), result;

	result = request(fd, VPMC_SYSTEM_START,
			 fixed_arg(VPMC_START_FORCE, VPMC_MODE_USER));
	spin(1000);
	check(!result && !request(fd, VPMC_SYSTEM_STOP, stop_arg()) &&
		      !request(fd, VPMC_SYSTEM_READ, counts),
	      "system mode: %d", result);
	check_equal((const uint64_t *)counts->count, "system mode");
}

static void test_idle_neighbour(void)
{
	test_switches(0, "beside a process that does not count");
}

static void test_kernel_neighbour(void)
{
	test_switches(VPMC_MODE_KERNEL, "beside one that counts the kernel");
}

int main(void)
{
	general = counters_here();
	run(test_numbers);
	run(test_counts);
	run(test_refusals);
	run(test_chosen);
	run(test_page);
	run(test_idle_neighbour);
	run(test_kernel_neighbour);
	run(test_inherited);
	run(test_system);
	return check_status();
}
