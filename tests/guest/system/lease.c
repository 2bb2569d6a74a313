// SPDX-License-Identifier: GPL-2.0-only
/*
 * lease: test that perf_event and the driver count the same if perf_event leases counters to the
 * driver. Each process counts its instructions in user mode with both, does a random workload, and
 * compares the counts. They differ by the instructions between the two starts and between the two
 * reads, which are the same in all processes. Then a process reads its count in user mode, and
 * another one finds no counts of others in the leased counters.
 *
 * lease PROCESSES [SEED]
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/vpmc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <vpmc.h>

#include "child.h"
#include "perf_event.h"
#include "seed.h"

/* The event of executed instructions on all processors on which perf_event leases counters. */
#define INSTRUCTIONS 0xc0

/* The number of events of perf_event that need more counters than there are. */
#define MANY 12

/* Processes at the same time, actions and threads of a process, and rounds of a loop, at most. */
#define CROWD	4
#define ACTIONS 6
#define THREADS 3
#define ROUNDS	20000

/* The number of reads in user mode, and the rounds of the loop that they count. */
#define READS 100
#define LOOP  1000

/* The differences of the counts are less than this. */
#define FEW 200

/* The driver gives the counters back two or three seconds after their last use. */
#define TRIES 100
#define PAUSE 100000 /* microseconds */

/* The rounds of a process that does not count, which are more than another one needs to see it. */
#define UNSEEN 1000000

/* The distances of samples make perf_event throttle the events. */
#define PERIOD 1009

#define RING_SIZE (9 * (size_t)sysconf(_SC_PAGESIZE))

/* These descriptors survive an execve(). */
struct both {
	int perf;
	int vpmc;
	int answer;
};

static void loop(uint32_t rounds)
{
	while (rounds--)
		__asm__ volatile("");
}

static int open_perf(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	long fd;

	attr->type = PERF_TYPE_HARDWARE;
	attr->size = sizeof(*attr);
	attr->config = PERF_COUNT_HW_INSTRUCTIONS;
	attr->exclude_kernel = 1;
	fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, 0);
	if (fd < 0)
		err(2, "perf_event_open");
	return (int)fd;
}

static void open_both(struct both *b)
{
	struct perf_event_attr attr = {
		.disabled = 1,
		.pinned = 1,
		.inherit = 1,
		.inherit_thread = 1,
	};

	b->perf = open_perf(&attr, 0, -1);
	b->vpmc = open(VPMC_DEVICE, O_RDONLY);
	if (b->vpmc < 0)
		err(2, VPMC_DEVICE);
}

static void start_both(const struct both *b)
{
	struct vpmc_start start = {
		.size = sizeof(start),
		.nr_events = 1,
		.event = { {
			.code = INSTRUCTIONS,
			.counter = VPMC_COUNTER_ANY,
			.modes = VPMC_MODE_USER,
		} },
	};

	if (ioctl(b->perf, PERF_EVENT_IOC_ENABLE, 0))
		err(2, "PERF_EVENT_IOC_ENABLE");
	if (ioctl(b->vpmc, VPMC_START, &start))
		err(2, "VPMC_START, reason %u", start.error);
}

/*
 * Read the count of the driver first, and return how much more perf_event has counted. read(2) of
 * the C library executes more instructions once there have been several threads.
 */
static int64_t read_both(const struct both *b)
{
	struct vpmc_read counts = {
		.size = sizeof(counts),
		.scope = VPMC_SCOPE_SELF,
	};
	uint64_t count;

	if (ioctl(b->vpmc, VPMC_READ, &counts) ||
	    syscall(SYS_read, b->perf, &count, sizeof(count)) != sizeof(count))
		err(2, "read");
	return (int64_t)(count - counts.count[0]);
}

static void do_fork(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	loop(below(ROUNDS));
	if (!pid)
		_exit(0);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

static void *run_thread(void *rounds)
{
	loop(*(uint32_t *)rounds);
	sched_yield();
	loop(*(uint32_t *)rounds);
	return NULL;
}

static void do_threads(void)
{
	uint32_t nr = 1 + below(THREADS), rounds[THREADS], i;
	pthread_t thread[THREADS];

	for (i = 0; i < nr; i++) {
		rounds[i] = below(ROUNDS);
		if (pthread_create(&thread[i], NULL, run_thread, &rounds[i]))
			errx(2, "pthread_create");
	}
	loop(below(ROUNDS));
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
}

static void do_migrate(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(below((uint32_t)get_nprocs()), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "sched_setaffinity");
	loop(below(ROUNDS));
}

static void handle(int signal)
{
	loop((uint32_t)signal);
}

static void do_signals(void)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 500 } };
	const struct itimerval never = { .it_value = { 0, 0 } };

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	raise(SIGALRM);
	loop(ROUNDS * 5);
	setitimer(ITIMER_REAL, &never, NULL);
}

/* Let the events of this process share counters. */
static void do_multiplex(void)
{
	int perf[MANY], i;

	for (i = 0; i < MANY; i++) {
		struct perf_event_attr attr = { .inherit = 1 };

		perf[i] = open_perf(&attr, 0, -1);
	}
	loop(ROUNDS * 2);
	for (i = 0; i < MANY; i++)
		close(perf[i]);
}

/*
 * Let perf_event take samples of @pid on @cpu. Nobody reads the ring, which is soon full. Returns
 * the ring, and the event in @perf.
 */
static void *take_samples(pid_t pid, int cpu, int *perf)
{
	struct perf_event_attr attr = {
		.sample_period = PERIOD,
		.sample_type = PERF_SAMPLE_IP,
	};
	void *ring;

	*perf = open_perf(&attr, pid, cpu);
	ring = mmap(NULL, RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, *perf,
		    0);
	if (ring == MAP_FAILED)
		err(2, "mmap");
	return ring;
}

static void do_samples(void)
{
	int perf;
	void *ring = take_samples(0, -1, &perf);

	loop(ROUNDS);
	munmap(ring, RING_SIZE);
	close(perf);
}

static void do_sleep(void)
{
	usleep(below(2000));
}

static void (*const actions[])(void) = {
	do_fork,      do_threads, do_migrate, do_signals,
	do_multiplex, do_samples, do_sleep,
};

static void act(void)
{
	uint32_t nr = 1 + below(ACTIONS);

	while (nr--)
		actions[below(sizeof(actions) / sizeof(*actions))]();
}

static void answer(const struct both *b)
{
	int64_t more = read_both(b);

	if (write(b->answer, &more, sizeof(more)) != sizeof(more))
		err(2, "write");
}

/* Let another program of the same process, this one, do the rest. */
static _Noreturn void exec_rest(const struct both *b)
{
	char words[4][16];
	char *argv[] = { "lease",  "rest",   words[0], words[1],
			 words[2], words[3], NULL };

	snprintf(words[0], sizeof(words[0]), "%d", b->perf);
	snprintf(words[1], sizeof(words[1]), "%d", b->vpmc);
	snprintf(words[2], sizeof(words[2]), "%d", b->answer);
	snprintf(words[3], sizeof(words[3]), "%d", (int)seed);
	execv("/proc/self/exe", argv);
	err(2, "execv");
}

static int rest(char **words)
{
	long number[4];
	struct both b;
	int i;

	for (i = 0; i < 4; i++)
		number[i] = strtol(words[i], NULL, 10);
	b = (struct both){ (int)number[0], (int)number[1], (int)number[2] };
	seed = (uint32_t)number[3];
	act();
	answer(&b);
	return 0;
}

static _Noreturn void work(int result, uint32_t number)
{
	struct both b = { .answer = result };

	seed += number * 2654435761U;
	open_both(&b);
	start_both(&b);
	act();
	if (!below(4))
		exec_rest(&b);
	answer(&b);
	_exit(0);
}

static void create(int result, uint32_t number)
{
	pid_t pid = child_fork();

	if (!pid)
		work(result, number);
}

/* Wait for a process. Returns whether it has succeeded. */
static bool reap(void)
{
	int status;

	if (wait(&status) < 0)
		err(2, "wait");
	return !status;
}

/* Return how many of the @nr processes have not told the difference @want. */
static uint32_t count_others(int results, uint32_t nr, int64_t *want)
{
	uint32_t i, others = 0;
	int64_t more;

	for (i = 0; i < nr; i++) {
		if (read(results, &more, sizeof(more)) != sizeof(more))
			errx(2, "%u processes have not answered", nr - i);
		if (!i)
			*want = more;
		others += more != *want;
	}
	return others;
}

static void test(uint32_t nr)
{
	uint32_t i, others, failed = 0;
	int result[2];
	int64_t more = 0;

	if (pipe(result))
		err(2, "pipe");
	fcntl(result[1], F_SETPIPE_SZ, 1 << 20);
	for (i = 0; i < nr; i++) {
		if (i >= CROWD)
			failed += !reap();
		create(result[1], i);
	}
	for (i = 0; i < nr && i < CROWD; i++)
		failed += !reap();
	close(result[1]);
	check(!failed, "%u processes have failed", failed);
	others = count_others(result[0], nr, &more);
	check(!others, "in %u processes of %u, perf_event counted %lld more",
	      nr - others, nr, (long long)more);
	check(more > 0 && more < FEW,
	      "that is the code between the starts and the reads: %lld",
	      (long long)more);
}

/* Count a loop without system calls. Returns a negative number if there is no count. */
__attribute__((noinline)) static int64_t count_loop(uint32_t rounds)
{
	int64_t before = vpmc_count(0), after;

	loop(rounds);
	after = vpmc_count(0);
	return before < 0 || after < 0 ? -1 : after - before;
}

static void start_mapped(void)
{
	const struct vpmc_event_sel sel = {
		.code = INSTRUCTIONS,
		.counter = VPMC_ANY_COUNTER,
		.modes = VPMC_USER,
	};
	struct vpmc_error error;
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &error) || vpmc_start(vpmc, &sel, 1, 0, &error) ||
	    vpmc_map(vpmc, &error))
		errx(2, "%s", error.text);
}

static void test_reads(void)
{
	int64_t more = 0, most = 0;
	uint32_t i, wrong = 0;

	start_mapped();
	for (i = 0; i < READS; i++) {
		more = count_loop(2 * LOOP) - count_loop(LOOP);
		most = count_loop(3 * LOOP) - count_loop(LOOP);
		wrong += more < LOOP || most != 2 * more;
		sched_yield();
	}
	check(!wrong,
	      "%u of %u reads in user mode are wrong: %lld and %lld more",
	      wrong, READS, (long long)more, (long long)most);
}

static void stay_on_first(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "sched_setaffinity");
}

/* Let another process count if @counts, and execute UNSEEN rounds. */
static void run_other(bool counts)
{
	struct both b;
	pid_t pid = child_fork();

	if (!pid && counts) {
		open_both(&b);
		start_both(&b);
	}
	if (!pid) {
		loop(UNSEEN);
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

static uint64_t rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

/* Return the number of the first leased counter, and the number of the counter after the last. */
static uint32_t find_leased(uint32_t *end)
{
	FILE *file = fopen("/sys/module/vpmc/parameters/lease", "re");
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open(VPMC_DEVICE, O_RDONLY);
	char nr[16] = "";

	if (!file || !fgets(nr, sizeof(nr), file) || fd < 0 ||
	    ioctl(fd, VPMC_INFO, &info))
		err(2, "the leased counters");
	fclose(file);
	close(fd);
	*end = info.nr_counters;
	return *end - (uint32_t)strtoul(nr, NULL, 10);
}

/* Return the most that a leased counter shows after another process has run. */
static uint64_t show_leased(uint32_t counter, uint32_t end)
{
	uint64_t most = 0, now;

	run_other(false);
	for (; counter < end; counter++) {
		now = rdpmc(counter);
		most = now > most ? now : most;
	}
	return most;
}

/*
 * perf_event allows RDPMC in a process that maps one of its events. The process never finds what
 * others count, and after the driver has given the counters back, it finds zero.
 */
static void test_hidden(void)
{
	uint32_t end, first = find_leased(&end), tries = TRIES, seen = 0;
	uint64_t most;
	int perf;

	stay_on_first();
	take_samples(0, -1, &perf);
	run_other(true);
	do {
		most = show_leased(first, end);
		seen += most >= UNSEEN;
	} while (most && --tries && !usleep(PAUSE));
	check(!seen && !most,
	      "%u reads show what others execute, and the last one shows %llu",
	      seen, (unsigned long long)most);
}

int main(int argc, char **argv)
{
	int cpu, perf;

	if (argc == 6 && !strcmp(argv[1], "rest"))
		return rest(&argv[2]);
	if (argc < 2)
		errx(2, "usage: lease PROCESSES [SEED]");
	seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
	for (cpu = 0; cpu < get_nprocs(); cpu++)
		take_samples(-1, cpu, &perf);
	test((uint32_t)strtoul(argv[1], NULL, 10));
	if (is_child()) {
		test_reads();
		return check_status();
	}
	if (is_child())
		test_hidden();
	return check_status();
}
