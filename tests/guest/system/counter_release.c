// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter_release: test that the driver gives the counters back to perf_event when no thread
 * counts. This must not depend on the processes that have counted, or on open handles. Counts must
 * stay readable. Test also VPMC_RELEASE, which takes the counters from all processes. The test runs
 * on processors that perf_event supports.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "delayed.h"
#include "perf_event.h"

/* Check that perf_event gets the counters. Returns its file, which the caller closes. */
static int check_taken(const char *what)
{
	int perf = perf_await();

	check(perf >= 0, "%s: perf_event gets the counters: %d", what, perf);
	return perf;
}

/*
 * Wait until the driver has reviewed its processes. A review comes a second after a change. Without
 * this wait, it could come after the next change and notice that change, too. Then the test would
 * not show that the next change causes its own review.
 */
static void let_review_pass(void)
{
	usleep(1500000);
}

static void check_free(const char *what)
{
	close(check_taken(what));
}

static void check_kept(const char *what)
{
	int perf = perf_open();

	check(perf == -EBUSY, "%s: perf_event does not get them: %d", what,
	      perf);
	if (perf >= 0)
		close(perf);
}

/* Fork a child that calls @act and then sleeps. Returns after @act. */
static pid_t child_that(void (*act)(void))
{
	struct gate done = gate_new();
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		act();
		gate_open(&done);
		pause_forever();
	}
	gate_wait(&done);
	close(done.in);
	close(done.out);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

/* Wait until the process is a zombie, and do not reap it. */
static void until_zombie(pid_t pid)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		err(2, "waitid");
}

static void start_and_exit(void)
{
	int fd = open_device();

	must_start(fd, FIRST, 0);
	close(fd);
	_exit(0);
}

static pid_t zombie(void)
{
	pid_t pid;

	pid = child_fork();
	if (!pid)
		start_and_exit();
	until_zombie(pid);
	return pid;
}

static void test_zombie(void)
{
	pid_t pid = zombie();

	check_free("a zombie has counted, and no file is open");
	end(pid);
}

/* Test that the counts of a zombie stay readable while perf_event has the counters. */
static void test_zombie_file(void)
{
	struct vpmc_read before, after;
	int fd = open_device(), perf;
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		must_start(fd, FIRST, 0);
		_exit(0);
	}
	until_zombie(pid);
	before = read_scope(fd, VPMC_SCOPE_SELF);
	perf = check_taken("a zombie has counted, and its file is open");
	after = read_scope(fd, VPMC_SCOPE_SELF);
	check(before.count[0] && before.count[0] == after.count[0] &&
		      before.generation == after.generation,
	      "its counts stay: %llu want %llu",
	      (unsigned long long)after.count[0],
	      (unsigned long long)before.count[0]);
	close(perf);
	end(pid);
	close(fd);
}

static void reap_one(void)
{
	pid_t pid = fork();

	if (!pid)
		start_and_exit();
	waitpid(pid, NULL, 0);
}

static void test_collector(void)
{
	pid_t pid = child_that(reap_one);

	check_free("a process has reaped one that counted");
	end(pid);
}

static void start_and_stop(void)
{
	int fd = open_device();

	must_start(fd, FIRST, 0);
	must_stop(fd);
	close(fd);
}

static void test_stopped(void)
{
	pid_t pid = child_that(start_and_stop);

	check_free("a process has stopped and closed its file");
	end(pid);
}

static void arm(void)
{
	must_start(open_device(), FIRST, VPMC_START_AT_EXEC);
}

static void arm_and_stop(void)
{
	int fd = open_device();

	must_start(fd, FIRST, VPMC_START_AT_EXEC);
	must_stop(fd);
}

static void test_armed(void)
{
	pid_t pid = child_that(arm);

	check_kept("a process will count from its exec on");
	kill(pid, SIGKILL);
	until_zombie(pid);
	check_free("it has been killed before that");
	end(pid);
	pid = child_that(arm_and_stop);
	check_free("a process has given up its start at exec");
	end(pid);
}

/* Test counts of this process: read them, and resume after perf_event has released the counters. */
static void test_own(void)
{
	struct vpmc_read before, after;
	int fd = open_device(), perf;
	uint64_t generation;

	generation = must_start(fd, FIRST, 0);
	must_stop(fd);
	before = read_scope(fd, VPMC_SCOPE_THREAD);
	perf = check_taken("the process itself has stopped");
	after = read_scope(fd, VPMC_SCOPE_THREAD);
	check(before.count[0] && before.count[0] == after.count[0],
	      "its counts stay");
	check(start(fd, FIRST, VPMC_START_RESUME, NULL) == -EADDRINUSE,
	      "it does not resume beside perf_event");
	check(start(fd, FIRST, 0, NULL) == -EADDRINUSE, "nor start again");
	after = read_scope(fd, VPMC_SCOPE_THREAD);
	check(after.generation == generation &&
		      after.state == VPMC_STATE_STOPPED &&
		      before.count[0] == after.count[0],
	      "which changes nothing");
	close(perf);
	check(must_start(fd, FIRST, VPMC_START_RESUME) == generation,
	      "it resumes when perf_event has gone");
	check_kept("it counts");
	after = read_scope(fd, VPMC_SCOPE_THREAD);
	check(after.count[0] > before.count[0], "and goes on from its counts");
	must_stop(fd);
	check_free("it has stopped again");
	must_start(fd, FIRST, 0);
	check_kept("it has started again from zero");
	must_stop(fd);
	close(fd);
}

static void nothing(void)
{
}

static void hold_and_stop(pid_t pid, const char *what)
{
	int fd = hold(pid, 0);

	must_start(fd, FIRST, 0);
	check_kept(what);
	must_stop(fd);
	check_free(what);
	close(fd);
}

static void test_held(void)
{
	pid_t pid = child_that(nothing);

	hold_and_stop(pid, "another process counted, and was stopped");
	end(pid);
	hold_and_stop(1, "process 1 counted, and was stopped");
}

static void *count_and_leave(void *unused)
{
	(void)unused;
	must_start(open_device(), FIRST, 0);
	return NULL;
}

static void start_thread(void)
{
	pthread_t id;

	start_and_stop();
	let_review_pass();
	if (pthread_create(&id, NULL, count_and_leave, NULL))
		errx(2, "no thread");
	pthread_join(id, NULL);
}

static void test_thread(void)
{
	pid_t pid = child_that(start_thread);

	check_free("the only thread that counted has exited");
	end(pid);
}

static void start_only(void)
{
	must_start(open_device(), FIRST, 0);
}

/* Test a process from which system mode has taken the counters, and which makes no more calls. */
static void test_revoked(void)
{
	int fd = open_device();
	pid_t pid = child_that(start_only);

	if (request(fd, VPMC_SYSTEM_START,
		    start_arg(FIRST, VPMC_START_FORCE)) ||
	    request(fd, VPMC_SYSTEM_STOP, stop_arg()))
		check(false, "system mode");
	check_free("system mode has taken them from a process, and ended");
	end(pid);
	close(fd);
}

/* This is the address of the page that was mapped last. */
static void *mapped;

static int map(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	int fd = open_device(), error = request(fd, VPMC_MAP, &arg);

	mapped = pointer_to(arg.address);
	close(fd);
	return error;
}

static void map_and_unmap(void)
{
	if (map() || munmap(mapped, 1))
		errx(2, "no page");
}

static void map_only(void)
{
	if (map())
		errx(2, "no page");
}

static void *map_and_wait(void *arg)
{
	struct gate *done = arg;

	map_only();
	gate_open(done);
	pause();
	return NULL;
}

/*
 * Map a page in another thread, and leave a child that has a copy of this page. The copy does not
 * show counts.
 */
static void map_and_leave(void)
{
	struct gate done = gate_new();
	pthread_t id;
	char byte;

	if (pthread_create(&id, NULL, map_and_wait, &done) ||
	    read(done.in, &byte, 1) != 1)
		errx(2, "no thread");
	if (fork())
		_exit(0);
}

static void test_page(void)
{
	pid_t pid = child_that(map_only);
	int perf;

	usleep(3000000);
	check_kept("a process has a page");
	end(pid);
	pid = child_that(map_and_unmap);
	check_free("a process has unmapped its page");
	end(pid);
	map_and_unmap();
	perf = check_taken("the process itself has unmapped its page");
	check(map() == -EADDRINUSE, "no page beside perf_event");
	close(perf);
	check(!map(), "a page when it has gone");
	check_kept("there is a page again");
	munmap(mapped, 1);
}

static void test_page_copy(void)
{
	struct gate done = gate_new(), go = gate_new();
	char byte;
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		map_and_leave();
		gate_open(&done);
		if (read(go.in, &byte, 1) != 1)
			_exit(1);
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	gate_wait(&done);
	check_free("the child of a process that had a page has a copy");
	gate_open(&go);
}

/*
 * A start of events that share counters calls this function before it takes the lock of the
 * process.
 */
#define BEFORE_LOCK "vpmc_prealloc_sums"

static struct vpmc_start *shared_arg(void)
{
	struct vpmc_start *arg = start_arg(FIRST, VPMC_START_MULTIPLEX);
	unsigned int i, n = arg->nr_events;

	for (i = 0; i < n; i++)
		arg->event[n + i] = arg->event[i];
	arg->nr_events = 2 * n;
	return arg;
}

/* Start a second time, and be held in that start. Exits with its error. */
static _Noreturn void start_again(const struct gate *ready,
				  const struct gate *go)
{
	int fd = open_device();
	char byte;

	must_start_shared(fd, FIRST, 0);
	must_stop(fd);
	gate_open(ready);
	if (read(go->in, &byte, 1) != 1)
		_exit(1);
	name_delayed();
	_exit(-request(fd, VPMC_START, shared_arg()));
}

/* Let a held child go on. Returns its status when it has exited. */
static int end_delayed(pid_t pid)
{
	int status;

	delay_end();
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	return status;
}

/*
 * Let a start that is held continue after a release. perf_event has had the counters by @perf since
 * the release. If @by_perf is set, it keeps them until the start is over.
 */
static void check_start(pid_t pid, int perf, bool by_perf, const char *what)
{
	int status, want = by_perf ? EADDRINUSE : 0;

	if (!by_perf)
		close(perf);
	status = end_delayed(pid);
	check(WIFEXITED(status) && WEXITSTATUS(status) == want,
	      "%s: status %#x, want errno %d", what, (unsigned int)status,
	      want);
	if (by_perf)
		close(perf);
}

/*
 * Test a start that has found that its process has the counters. Before it continues, the driver
 * gives the counters back. If @by_perf is set, perf_event keeps them.
 */
static void test_start_late(bool by_perf)
{
	struct gate ready = gate_new(), go = gate_new();
	pid_t pid;
	int perf;

	start_prepare();
	shared_arg();
	pid = child_fork();
	if (!pid)
		start_again(&ready, &go);
	gate_wait(&ready);
	delay_at(BEFORE_LOCK);
	gate_open(&go);
	until_delayed();
	perf = check_taken("a start has not begun yet");
	check_start(pid, perf, by_perf, "it finds the counters gone");
}

static void test_start_late_perf(void)
{
	test_start_late(true);
}

static void test_start_late_alone(void)
{
	test_start_late(false);
}

/* The fork hook calls this function when it has found that the parent counts. */
#define FORK "vpmc_process_fork"

/*
 * Test a fork that has found that the parent counts. The parent is stopped before the fork
 * continues.
 */
static void test_fork_late(void)
{
	struct target t = target_new();
	struct script child = script_new();
	uint64_t before;
	int fd, perf;

	script_name_delayed(&t.script);
	target_gate(&t, true);
	script_fork(&t.script, &child, SYS_fork);
	script_exit(&child, 0);
	script_wait(&t.script);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, 0);
	delay_at(FORK);
	gate_open(&t.gate);
	until_delayed();
	must_stop(fd);
	perf = check_taken("a fork has not begun yet");
	before = perf_read(perf);
	delay_end();
	target_reap(&t);
	delay_remove();
	check(perf_read(perf) > before, "perf_event counts on");
	check(start(open_device(), FIRST, 0, NULL) == -EADDRINUSE,
	      "and has the counters");
	close(perf);
	close(fd);
}

/*
 * The driver stops processes whose counts no process can read. It does so in a shorter time than
 * this.
 */
#define STAYS 3500000 /* microseconds */

static void check_stays(const char *what)
{
	usleep(STAYS);
	check_kept(what);
}

/* Check the state of a process. It must still have counts. */
static void check_state(pid_t pid, enum vpmc_state state, const char *what)
{
	int fd = hold(pid, 0);
	struct vpmc_read now = read_scope(fd, VPMC_SCOPE_SELF);

	check(now.state == state && now.nr_counts, "%s: state %u want %u", what,
	      now.state, state);
	close(fd);
}

/* These are the handle and the flags for start_on_file(). */
static int file;
static unsigned int flags;

static void start_on_file(void)
{
	must_start(file, FIRST, flags);
}

static void start_and_close(void)
{
	start_on_file();
	close(file);
}

/*
 * Fork a process that calls @act, forks, and exits. Returns the process ID of the orphan that it
 * leaves.
 */
static pid_t orphan_of(void (*act)(void))
{
	uint32_t *pid = shared(sizeof(*pid));
	pid_t parent, orphan;
	int status;

	parent = child_fork();
	if (!parent) {
		act();
		orphan = fork();
		if (!orphan) {
			close(file);
			pause_forever();
		}
		*pid = (uint32_t)orphan;
		let_review_pass();
		_exit(0);
	}
	if (waitpid(parent, &status, 0) != parent || status)
		errx(2, "no orphan");
	return (pid_t)*pid;
}

/* Kill the orphan, and wait until the guest's first process has reaped it. */
static void end_orphan(pid_t pid)
{
	kill(pid, SIGKILL);
	while (!kill(pid, 0))
		usleep(PERF_PAUSE);
}

/* Test an orphan whose counts no process can get. The driver stops it. */
static void test_orphan(void)
{
	pid_t pid;

	file = open_device();
	flags = 0;
	pid = orphan_of(start_on_file);
	check_free("a process that was left running has no parent that counts");
	check_state(pid, VPMC_STATE_STOPPED, "it has stopped");
	end_orphan(pid);
	close(file);
}

static void test_collected(void)
{
	pid_t pid;

	file = open_device();
	flags = VPMC_START_COLLECT;
	pid = orphan_of(start_on_file);
	check_stays("a file collects a process that was left running");
	close(file);
	check_free("the file has been closed");
	check_state(pid, VPMC_STATE_STOPPED, "it has stopped");
	end_orphan(pid);
}

static void test_keep(void)
{
	pid_t pid;

	file = open_device();
	flags = VPMC_START_KEEP;
	pid = orphan_of(start_and_close);
	close(file);
	check_stays("a process that was left running shall count on");
	check_state(pid, VPMC_STATE_RUNNING, "it counts");
	end_orphan(pid);
}

/* Test a process whose holder is killed. The driver stops the process then. */
static void test_holder_killed(void)
{
	pid_t pid = child_that(nothing), holder;
	struct gate done = gate_new();

	holder = child_fork();
	if (!holder) {
		must_start(hold(pid, 0), FIRST, 0);
		gate_open(&done);
		pause_forever();
	}
	gate_wait(&done);
	check_stays("a process is counted by another one");
	end(holder);
	check_free("that has been killed");
	check_state(pid, VPMC_STATE_STOPPED, "it has stopped");
	end(pid);
}

/*
 * Test a process to which only a file for one of its threads is attached. It counts until the file
 * is closed.
 */
static void test_thread_file(void)
{
	pid_t pid = child_that(nothing);
	int fd = hold(pid, 0), alone = hold(pid, VPMC_ATTACH_THREAD);

	must_start(fd, FIRST, 0);
	close(fd);
	check_stays("a thread of the process is held");
	close(alone);
	check_free("it is let go");
	end(pid);
}

/*
 * Test a process whose only file is closed. Another file is attached to it before the driver's next
 * review.
 */
static void test_held_again(void)
{
	pid_t pid = child_that(nothing);
	int fd = hold(pid, 0);

	must_start(fd, FIRST, 0);
	check_stays("a process is held");
	close(fd);
	usleep(1500000);
	fd = hold(pid, 0);
	check_stays("it is held again");
	close(fd);
	end(pid);
}

static void start_fork_and_close(void)
{
	file = open_device();
	flags = 0;
	start_on_file();
	if (!fork()) {
		close(file);
		pause_forever();
	}
	close(file);
}

/*
 * Test a process that has started itself and closed its handle. It may open the device again and
 * read its counts and those of its children, so it continues to count.
 */
static void test_ancestor(void)
{
	pid_t pid = child_that(start_fork_and_close);

	check_stays("a process has started itself, and forked");
	check_state(pid, VPMC_STATE_RUNNING, "it counts");
	end(pid);
	check_free("it has been killed, and its child is left");
}

/* Test a process that starts itself and then executes another program. The driver stops it. */
static void test_exec(void)
{
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		must_start(open_device(), FIRST, 0);
		execl("/proc/self/exe", "counter_release", "sleep",
		      (char *)NULL);
		_exit(1);
	}
	check_free("a process has started itself and executed a program");
	check_state(pid, VPMC_STATE_STOPPED, "it has stopped");
	end(pid);
}

static void map_and_start(void)
{
	map_only();
	start_and_close();
}

/* Test an orphan that has a page, and so can read its counts. */
static void test_left_with_page(void)
{
	pid_t pid;

	file = open_device();
	flags = 0;
	pid = orphan_of(map_and_start);
	close(file);
	check_stays("a process that was left running has a page");
	check_state(pid, VPMC_STATE_RUNNING, "it counts");
	end_orphan(pid);
}

/* Read a count like vpmc_count(); see struct vpmc_page_count. */
static int64_t read_page(const volatile struct vpmc_page *page)
{
	uint32_t low = (uint32_t)__rdpmc((int)page->count[0].counter);

	return (int64_t)(page->count[0].high[!(low >> 31)] | low);
}

static void *execute_rdpmc(void *unused)
{
	(void)unused;
	__rdpmc(0);
	return NULL;
}

/* Let a thread without a page execute RDPMC. Returns the exit status of the process. */
static int use_in_thread(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, execute_rdpmc, NULL) ||
	    pthread_join(id, NULL))
		return 1;
	return read_page(mapped) > 0 ? 0 : 2;
}

/* This is the number of the counter that the page of the parent has shown. */
static int shown;

/* Execute RDPMC before the first read of the inherited page. Returns the exit status. */
static int use_before_read(void)
{
	return __rdpmc(shown) && read_page(mapped) > 0 ? 0 : 3;
}

/* Let a child that has inherited a page call @use. */
static void check_inherited(int (*use)(void), const char *what)
{
	pid_t pid;
	int status;

	pid = fork();
	if (!pid)
		_exit(use());
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(2, "no child");
	check(!status, "%s: %#x", what, (unsigned int)status);
}

/*
 * Test the first use of an inherited page. The use gives the counters to the page, and must not
 * change the results of RDPMC.
 */
static void test_inherited(void)
{
	const struct vpmc_page *page;
	int fd = open_device();

	must_start(fd, FIRST, 0);
	map_only();
	page = mapped;
	shown = (int)page->count[0].counter;
	check_inherited(use_in_thread,
			"a thread without a page executes RDPMC first");
	check_inherited(use_before_read,
			"a child executes RDPMC before it reads its page");
	close(fd);
}

static int release(void)
{
	struct vpmc_release arg = { .size = sizeof(arg) };
	int fd = open_device(), error = request(fd, VPMC_RELEASE, &arg);

	close(fd);
	return error;
}

/*
 * Return whether the list of processes that have the counters has a line with this process and
 * state.
 */
static bool is_listed(pid_t pid, const char *state)
{
	char line[200], wanted[20], number[20], word[20];
	FILE *list = fopen("/sys/class/misc/vpmc/holders", "r");
	bool found = false;

	if (!list)
		err(2, "holders");
	snprintf(wanted, sizeof(wanted), "%d", pid);
	while (fgets(line, sizeof(line), list))
		found |= sscanf(line, "%19s %*s %19s", number, word) == 2 &&
			 !strcmp(number, wanted) && !strcmp(word, state);
	fclose(list);
	return found;
}

/* Release the counters, and check that perf_event gets them at once. */
static void check_released(const char *what)
{
	int error = release(), perf = perf_open();

	check(!error && perf >= 0, "%s: %d, perf_event: %d", what, error, perf);
	if (perf >= 0)
		close(perf);
}

static void test_release(void)
{
	pid_t pid = child_that(start_only), armed = child_that(arm);
	int fd = hold(pid, 0);
	uint64_t generation = read_scope(fd, VPMC_SCOPE_SELF).generation;
	struct vpmc_read now;

	check(is_listed(pid, "running") && is_listed(armed, "armed"),
	      "both have the counters");
	check_released("the counters are taken from processes");
	check(!is_listed(pid, "running") && !is_listed(armed, "armed"),
	      "neither has them");
	now = read_scope(fd, VPMC_SCOPE_SELF);
	check(now.state == VPMC_STATE_REVOKED && now.generation != generation,
	      "what was counted is of another generation: state %u", now.state);
	must_start(fd, FIRST, 0);
	check_kept("it is started again");
	end(pid);
	end(armed);
	close(fd);
}

static void *map_and_end(void *unused)
{
	(void)unused;
	map_only();
	return NULL;
}

static void map_in_thread(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, map_and_end, NULL) ||
	    pthread_join(id, NULL))
		errx(2, "no thread");
}

static int map_in_child(void *unused)
{
	(void)unused;
	return map();
}

/* Map a page in a process that shares the memory of this process. */
static void map_in_clone(void)
{
	static char stack[65536];
	int status;
	pid_t pid;

	pid = clone(map_in_child, stack + sizeof(stack), CLONE_VM | SIGCHLD,
		    NULL);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		errx(2, "no page");
}

static void check_page_without_thread(void (*act)(void), const char *what)
{
	pid_t pid = child_that(act);

	check_kept(what);
	check(is_listed(pid, "page"), "its process is listed");
	check_released("the counters are taken from it");
	check(!is_listed(pid, "page"), "its process is not listed any more");
	end(pid);
}

/*
 * Test pages whose thread or process has exited. The page keeps the counters as long as it is
 * mapped.
 */
static void test_page_without_thread(void)
{
	check_page_without_thread(map_in_thread,
				  "a page whose thread has exited");
	check_page_without_thread(map_in_clone,
				  "a page whose process has exited");
}

static _Noreturn void release_delayed(void)
{
	name_delayed();
	_exit(-release());
}

/*
 * Test that starts and mappings are refused during a release. Otherwise a process that starts or
 * maps pages again and again could keep the counters.
 */
static void test_release_refuses(void)
{
	int fd = open_device(), status;
	pid_t pid;

	must_start(fd, FIRST, 0);
	delay_at("vpmc_review_now");
	pid = child_fork();
	if (!pid)
		release_delayed();
	until_delayed();
	status = start(fd, FIRST, VPMC_START_FORCE, NULL);
	check(status == -EADDRINUSE, "a start during a release: %d", status);
	status = map();
	check(status == -EADDRINUSE, "a page during a release: %d", status);
	status = request(open_device(), VPMC_SYSTEM_START, start_arg(FIRST, 0));
	check(status == -EADDRINUSE, "system mode during a release: %d",
	      status);
	delay_end();
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(!status, "the release: status %#x", (unsigned int)status);
	delay_remove();
	must_start(fd, FIRST, 0);
	check(!map(), "a page after it");
	close(fd);
}

static void test_release_system(void)
{
	int fd = open_device();
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_system_read *after = system_read_arg(VPMC_ALL_CPUS);

	if (request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)) ||
	    request(fd, VPMC_SYSTEM_READ, read))
		check(false, "system mode");
	check(is_listed(0, "system"), "system mode has the counters");
	check_released("the counters are taken from system mode");
	check(!request(fd, VPMC_SYSTEM_READ, after) &&
		      after->generation != read->generation,
	      "its counts can be read, and are of another generation");
	close(fd);
}

/* Test a release while this process has a page. The page stays mapped, and does not show counts. */
static void test_release_page(void)
{
	int fd = open_device(), perf;
	void *page;

	must_start(fd, FIRST, 0);
	if (map())
		errx(2, "no page");
	page = mapped;
	check(read_page(page) > 0, "a page shows a count");
	check(!release(), "the counters are taken");
	perf = perf_open();
	check(perf >= 0, "perf_event has them: %d", perf);
	check(read_page(page) < 0, "the page shows none");
	check(start(fd, FIRST, 0, NULL) == -EADDRINUSE, "no start beside it");
	check(map() == -EADDRINUSE, "nor the page");
	check(read_page(page) < 0, "the page shows none yet");
	close(perf);
	must_start(fd, FIRST, 0);
	check(read_page(page) > 0, "a start makes the page show counts");
	must_stop(fd);
	check(is_listed(getpid(), "stopped") || is_listed(getpid(), "page"),
	      "it is listed");
	check_released("the counters are taken from a page");
	check(!map() && mapped == page, "it is mapped again where it was");
	check_kept("it has them");
	munmap(page, 1);
	close(fd);
}

/* This function maps a page, and is called with the lock of the memory. */
#define MAPPING "vpmc_mapping_mmap"

/* Check an inherited page in a child. Returns the exit status. */
static int read_inherited(void)
{
	if (read_page(mapped) >= 0)
		return 1;
	if (start(open_device(), FIRST, 0, NULL))
		return 2;
	return read_page(mapped) > 0 ? 0 : 3;
}

/* Be a new child: wait until the test allows it to go on, and check its page. */
static _Noreturn void be_born(const struct gate *born, const struct gate *free)
{
	char byte;

	gate_open(born);
	_exit(read(free->in, &byte, 1) == 1 ? read_inherited() : 4);
}

/*
 * Map a page and fork. If @counts is false, stop before the fork. Exits with the status of the
 * child.
 */
static _Noreturn void fork_with_page(const struct gate *born,
				     const struct gate *free, bool counts)
{
	int fd = open_device();
	pid_t pid;
	int status;
	char byte;

	must_start(fd, FIRST, 0);
	map_only();
	if (read_page(mapped) <= 0)
		_exit(5);
	if (!counts)
		must_stop(fd);
	gate_open(born);
	if (read(free->in, &byte, 1) != 1)
		_exit(6);
	name_delayed();
	pid = fork();
	if (!pid)
		be_born(born, free);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		_exit(7);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 10 + WTERMSIG(status));
}

/* A fork calls this function to give the parent's page to the child. */
#define HAND_ON "vpmc_mapping_inherit"

/*
 * Release the counters while a process is held in a fork at @function. At HAND_ON, a child that
 * counts already has the counters. If @by_perf is set, perf_event keeps them until the fork is
 * over.
 */
static void release_in_fork(const char *function, bool counts, bool by_perf)
{
	struct gate born = gate_new(), free = gate_new();
	int perf, status;
	pid_t pid;

	pid = child_fork();
	if (!pid)
		fork_with_page(&born, &free, counts);
	gate_wait(&born);
	delay_at(function);
	gate_open(&free);
	until_delayed();
	check(!release(), "the counters are taken at %s", function);
	perf = perf_open();
	check(perf >= 0, "perf_event has them: %d", perf);
	if (!by_perf)
		close(perf);
	delay_end();
	gate_wait(&born);
	if (by_perf)
		close(perf);
	gate_open(&free);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "the child has a page, without a count until it starts: %#x",
	      (unsigned int)status);
}

static void test_release_in_fork(void)
{
	release_in_fork(FORK, true, false);
	release_in_fork(FORK, true, true);
}

static void test_release_hand_on(void)
{
	release_in_fork(HAND_ON, false, false);
	release_in_fork(HAND_ON, false, true);
}

/*
 * Be a second thread that maps its page, and is held with the lock of the memory. The first thread
 * has a page.
 */
static void *map_delayed(void *arg)
{
	const struct gate *go = arg;
	struct vpmc_map map_arg = { .size = sizeof(map_arg) };
	char byte;

	if (read(go->in, &byte, 1) == 1) {
		name_delayed();
		request(open_device(), VPMC_MAP, &map_arg);
	}
	return NULL;
}

static _Noreturn void map_twice(const struct gate *ready, const struct gate *go)
{
	pthread_t id;

	map_only();
	if (pthread_create(&id, NULL, map_delayed, (void *)go))
		_exit(1);
	gate_open(ready);
	pthread_join(id, NULL);
	pause_forever();
}

/* Test a release while a process maps a page, which can keep its memory locked for any time. */
static void test_release_mapping(void)
{
	struct gate ready = gate_new(), go = gate_new();
	pid_t pid;

	pid = child_fork();
	if (!pid)
		map_twice(&ready, &go);
	gate_wait(&ready);
	delay_at(MAPPING);
	gate_open(&go);
	until_delayed();
	check_released("the counters are taken while a page waits for memory");
	check(is_delayed() && !is_listed(pid, "page"), "no page has them then");
	delay_end();
	end(pid);
	delay_remove();
}

/* Make the first start of a process, and be held in it when the process has the counters. */
static _Noreturn void start_delayed(const struct gate *go)
{
	int fd = open_device();
	char byte;

	if (read(go->in, &byte, 1) != 1)
		_exit(1);
	name_delayed();
	_exit(-request(fd, VPMC_START, shared_arg()));
}

/*
 * A start has the counters and waits for memory, which can take any time. Release the counters in
 * this time. If @by_perf is set, perf_event then has them until the start is over.
 */
static void release_in_start(bool by_perf)
{
	struct gate go = gate_new();
	pid_t pid;
	int perf;

	start_prepare();
	shared_arg();
	pid = child_fork();
	if (!pid)
		start_delayed(&go);
	delay_at(BEFORE_LOCK);
	gate_open(&go);
	until_delayed();
	check_kept("a start has the counters");
	check(!release(), "they are taken from it");
	perf = perf_open();
	check(perf >= 0 && is_delayed(), "perf_event has them: %d", perf);
	check_start(pid, perf, by_perf, "the start takes them again or fails");
}

static void test_release_in_start(void)
{
	release_in_start(true);
	release_in_start(false);
}

/* This is called when a fork has given counters to a child that no task can see yet. */
#define UNSEEN "alloc_pid"

/* Return whether RDPMC shows what perf_event counts on this processor. */
static bool sees_perf(void)
{
	return __rdpmc(0) || __rdpmc(1);
}

/*
 * Return the status of the child, which does not count and cannot start while perf_event counts.
 * The child has a page, but the counters were taken before any task could see it.
 */
static int start_unseen(void)
{
	int fd = open_device();

	if (sees_perf())
		return 5;
	if (read_page(mapped) >= 0 || sees_perf())
		return 6;
	if (read_scope(fd, VPMC_SCOPE_SELF).state != VPMC_STATE_REVOKED)
		return 1;
	return start(fd, FIRST, 0, NULL) == -EADDRINUSE && !sees_perf() ? 0 : 2;
}

/*
 * Return the status of the child while another process counts. The child's page must not get a
 * reservation before the child starts.
 */
static int read_unseen(void)
{
	if (read_page(mapped) >= 0)
		return 7;
	if (is_listed(getpid(), "page"))
		return 8;
	return start(open_device(), FIRST, 0, NULL) || read_page(mapped) <= 0
		       ? 9
		       : 0;
}

/*
 * Map a page, count and fork. The child calls @be_child. Exits with the status of the child.
 */
static _Noreturn void fork_unseen(const struct gate *ready,
				  const struct gate *go, int (*be_child)(void))
{
	int fd = open_device(), status;
	pid_t pid;
	char byte;

	must_start(fd, FIRST, 0);
	map_only();
	gate_open(ready);
	if (read(go->in, &byte, 1) != 1)
		_exit(1);
	name_delayed();
	pid = fork();
	if (!pid)
		_exit(be_child());
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		_exit(3);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 4);
}

/*
 * Hold a process in a fork, while no task can see the child yet. Later, the child calls @be_child.
 */
static pid_t hold_unseen(int (*be_child)(void))
{
	struct gate ready = gate_new(), go = gate_new();
	pid_t pid;

	pid = child_fork();
	if (!pid)
		fork_unseen(&ready, &go, be_child);
	gate_wait(&ready);
	delay_at(UNSEEN);
	gate_open(&go);
	until_delayed();
	return pid;
}

/*
 * Release the counters while a fork, which can wait in the kernel for any time, has given them to
 * a child. Another process takes them again before the fork is over.
 */
static void test_release_unseen(void)
{
	int fd = open_device(), perf, status;
	uint64_t before;
	pid_t pid;

	start_prepare();
	pid = hold_unseen(start_unseen);
	check_kept("a process forks");
	check_released("the counters are taken from its child");
	must_start(fd, FIRST, 0);
	check_kept("another process takes them");
	check(!release(), "the counters are taken from that");
	perf = perf_open_for(-1, 0);
	check(perf >= 0 && is_delayed(), "perf_event has them: %d", perf);
	before = perf_read(perf);
	status = end_delayed(pid);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "the child does not count: %#x", (unsigned int)status);
	check(perf_read(perf) > before, "perf_event counts on");
	close(perf);
	close(fd);
}

/* Release the counters as test_release_unseen() does. Another process counts from then on. */
static void test_release_unseen_page(void)
{
	int fd = open_device(), status;
	pid_t pid = hold_unseen(read_unseen);

	check_released("the counters are taken from a child with a page");
	must_start(fd, FIRST, 0);
	check(is_delayed(), "another process takes them");
	status = end_delayed(pid);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "the child's page has them only after a start: %#x",
	      (unsigned int)status);
	close(fd);
}

/* VPMC_MAP calls this function to give the counters to a page. */
#define ALLOW "vpmc_rdpmc_allow"

/* These are the steps of a thread that maps its page twice. */
struct mapper {
	struct gate first;
	struct gate again;
	struct gate done;
};

/* Map a page. When the counters have been taken from it, map it again, and be held in this call. */
static void *map_again(void *arg)
{
	const struct mapper *m = arg;
	char byte;

	map_only();
	gate_open(&m->first);
	if (read(m->again.in, &byte, 1) != 1)
		_exit(1);
	name_delayed();
	map();
	gate_open(&m->done);
	pause();
	return NULL;
}

/*
 * Let another thread call map_again(). Unmap its page when @unmap opens. The other thread may be
 * held at that moment.
 */
static _Noreturn void unmap_other(const struct mapper *m,
				  const struct gate *unmap,
				  const struct gate *unmapped)
{
	pthread_t id;
	char byte;

	if (pthread_create(&id, NULL, map_again, (void *)m) ||
	    read(unmap->in, &byte, 1) != 1 || munmap(mapped, 1))
		_exit(1);
	gate_open(unmapped);
	for (;;)
		pause();
}

/* Unmap a page while its thread is giving the counters to it. */
static void test_unmap_late(void)
{
	struct mapper m = { gate_new(), gate_new(), gate_new() };
	struct gate unmap = gate_new(), unmapped = gate_new();
	pid_t pid;

	pid = child_fork();
	if (!pid)
		unmap_other(&m, &unmap, &unmapped);
	gate_wait(&m.first);
	check_released("the counters are taken from a page");
	delay_at(ALLOW);
	gate_open(&m.again);
	until_delayed();
	gate_open(&unmap);
	gate_wait(&unmapped);
	check(is_delayed(), "it is unmapped before it gets them again");
	delay_end();
	gate_wait(&m.done);
	check(!is_listed(pid, "page"), "it does not get them");
	check_free("its process is left");
	end(pid);
	delay_remove();
}

/* Fork a child that maps a page, and that can be held. When @go opens, the child calls @act. */
static pid_t leaver(const struct gate *go, void (*act)(void))
{
	struct gate ready = gate_new();
	pid_t pid;
	char byte;

	pid = child_fork();
	if (!pid) {
		map_only();
		name_delayed();
		gate_open(&ready);
		if (read(go->in, &byte, 1) != 1)
			_exit(1);
		act();
		_exit(0);
	}
	gate_wait(&ready);
	return pid;
}

static void leave(void)
{
	_exit(0);
}

static void unmap(void)
{
	munmap(mapped, 1);
}

static void become_other(void)
{
	execl("/proc/self/exe", "counter_release", "sleep", (char *)NULL);
}

/*
 * Release the counters while a process is held at @function, where the kernel frees the process's
 * memory. No task uses this memory any more.
 */
static void release_leaving(void (*act)(void), const char *function,
			    const char *what)
{
	struct gate go = gate_new();
	pid_t pid = leaver(&go, act);

	delay_at(function);
	gate_open(&go);
	until_delayed();
	check_kept(what);
	check(is_listed(pid, "page"), "it is listed");
	check_released("the counters are taken from it");
	check(is_delayed() && !is_listed(pid, "page"),
	      "it is not listed any more");
	delay_end();
	end(pid);
	delay_remove();
}

/*
 * Test a process that exits or executes a program. The kernel can need a long time to free its
 * memory.
 */
static void test_release_leaving(void)
{
	release_leaving(leave, "exit_mmap", "the memory of a process is going");
	release_leaving(leave, "unmap_vmas", "its memory is locked");
	release_leaving(become_other, "exit_mmap",
			"the memory of an earlier program is going");
	/*
	 * When the kernel calls mapping_close(), it has removed all mappings from the memory, and
	 * closes one after the other. Files of other mappings can make this take long.
	 */
	release_leaving(leave, "mapping_close", "its mapping is being closed");
	/*
	 * munmap(2) has removed this mapping from the address space, so the kernel does not find
	 * it there.
	 */
	release_leaving(unmap, "mapping_close", "a page is being unmapped");
}

/* The release of the counters calls this function when it has decided to take them from a page. */
#define DISALLOW "vpmc_rdpmc_disallow"

/* Return whether the child is a zombie. */
static bool is_zombie(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG))
		err(2, "waitid");
	return info.si_pid == pid;
}

/* A release uses the memory of a process that exits, so the exit must wait for the release. */
static void test_release_closing(void)
{
	pid_t pid = child_that(map_in_thread), releaser;
	int status;

	delay_at(DISALLOW);
	releaser = child_fork();
	if (!releaser)
		release_delayed();
	until_delayed();
	kill(pid, SIGKILL);
	/*
	 * Do not look into /proc. A read there could keep the memory, and would then wait for the
	 * release itself.
	 */
	usleep(500000);
	check(is_delayed() && !is_zombie(pid),
	      "memory stays while the counters are taken from its page");
	delay_end();
	end(pid);
	if (waitpid(releaser, &status, 0) != releaser)
		err(2, "waitpid");
	check(!status, "the counters are taken from it: status %#x",
	      (unsigned int)status);
	delay_remove();
}

static _Noreturn void read_memory_of(pid_t pid)
{
	char name[30], byte;
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	fd = open(name, O_RDONLY);
	name_delayed();
	_exit(pread(fd, &byte, 1, (off_t)(uintptr_t)mapped) < 0);
}

/* Test a process with a page that exits while another process reads its memory. */
static void test_release_gone(void)
{
	pid_t pid = child_that(map_only), reader;

	delay_at("access_remote_vm");
	reader = child_fork();
	if (!reader)
		read_memory_of(pid);
	until_delayed();
	end(pid);
	check_kept("the memory of a process that is gone has a page");
	check(is_listed(0, "page"), "it is listed");
	check_released("the counters are taken from it");
	check(is_delayed() && !is_listed(0, "page"),
	      "it is not listed any more");
	delay_end();
	end(reader);
	delay_remove();
}

/* Test that VPMC_MAP gives the counters to a page, and that mmap(2) alone does not. */
static void test_mapped_alone(void)
{
	pid_t pid = child_that(start_only);
	int fd = open_device();
	void *page;

	map_and_unmap();
	page = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
	check(page != MAP_FAILED, "mmap of a page");
	end(pid);
	check_free("a page that mmap has mapped");
	check(!map() && mapped == page, "VPMC_MAP of that page");
	check_kept("it has the counters");
	munmap(page, 1);
	close(fd);
}

static int release_as_user(int fd)
{
	struct vpmc_release arg = { .size = sizeof(arg) };

	return setresuid(1000, 1000, 1000) ? 1
					   : request(fd, VPMC_RELEASE, &arg);
}

static void test_release_denied(void)
{
	int fd = open_device(), status;
	pid_t pid;

	pid = child_fork();
	if (!pid)
		_exit(-release_as_user(fd));
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(WIFEXITED(status) && WEXITSTATUS(status) == EPERM,
	      "an ordinary user does not take them: status %#x",
	      (unsigned int)status);
	close(fd);
}

static void (*const tests[])(void) = {
	test_zombie,
	test_zombie_file,
	test_collector,
	test_stopped,
	test_armed,
	test_own,
	test_held,
	test_thread,
	test_revoked,
	test_page,
	test_page_copy,
	test_start_late_perf,
	test_start_late_alone,
	test_fork_late,
	test_orphan,
	test_collected,
	test_keep,
	test_holder_killed,
	test_thread_file,
	test_held_again,
	test_ancestor,
	test_exec,
	test_left_with_page,
	test_inherited,
	test_page_without_thread,
	test_release,
	test_release_refuses,
	test_release_system,
	test_release_page,
	test_release_in_fork,
	test_release_hand_on,
	test_release_mapping,
	test_release_in_start,
	test_release_unseen,
	test_release_unseen_page,
	test_unmap_late,
	test_release_leaving,
	test_release_closing,
	test_release_gone,
	test_mapped_alone,
	test_release_denied,
};

int main(int argc, char **argv)
{
	unsigned int i;
	int status;
	pid_t pid;

	(void)argv;
	if (argc > 1)
		pause_forever();

	check_free("nobody has counted");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		pid = child_fork();
		if (!pid) {
			tests[i]();
			_exit(check_status());
		}
		if (waitpid(pid, &status, 0) != pid)
			err(2, "waitpid");
		check(!status, "test %u: status %#x", i, (unsigned int)status);
		check_free("its processes have gone");
	}
	return check_status();
}
