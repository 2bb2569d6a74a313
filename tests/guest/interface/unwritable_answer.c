// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwritable_answer: test that a call fails with EFAULT and changes nothing if the driver cannot
 * write its answer.
 *
 * The argument is on a read-only page, or begins on a writable page and continues on a
 * read-only one.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define PAGE ((size_t)4096)

/* There are two pages. The second one is never writable. */
static char *pages;

/* These are the places of the argument. */
enum place {
	ALL_READ_ONLY,
	ANSWER_READ_ONLY, /* only the part from @writable on is read-only */
};

static enum place place;

static const char *const places[] = {
	[ALL_READ_ONLY] = "all of it read-only",
	[ANSWER_READ_ONLY] = "its answer read-only",
};

static void protect(int prot)
{
	if (mprotect(pages + PAGE, PAGE, prot))
		err(2, "mprotect");
}

/* Make a request with a copy of the argument that is writable up to @writable. */
static int refused(int fd, unsigned long what, const void *arg, size_t size,
		   size_t writable)
{
	size_t head = place == ANSWER_READ_ONLY ? writable : 0;
	char *copy = pages + PAGE - head;
	int result;

	protect(PROT_READ | PROT_WRITE);
	memcpy(copy, arg, size);
	protect(PROT_READ);
	result = request(fd, what, copy);
	if (memcmp(copy + head, (const char *)arg + head, size - head) != 0)
		check(false, "what cannot be written has changed");
	return result;
}

static void check_efault(int result, const char *what)
{
	check(result == -EFAULT, "%s, %s: %d want %d", what, places[place],
	      result, -EFAULT);
}

/* Check that no thread of this process has ever started. */
static void check_not_started(int fd, const char *what)
{
	check(try_read(fd, VPMC_SCOPE_SELF) == -ENODATA &&
		      try_read(fd, VPMC_SCOPE_THREAD) == -ENODATA,
	      "%s: nothing has been started", what);
}

static void test_start(void)
{
	static const unsigned int flags[] = {
		0,
		VPMC_START_AT_EXEC,
		VPMC_START_FORCE,
		VPMC_START_FOLD,
		VPMC_START_COLLECT | VPMC_START_RECORDS,
	};
	int fd = open_device(), other = open_device();
	struct vpmc_start *arg;
	unsigned int i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		arg = start_arg(FIRST, flags[i]);
		check_efault(refused(fd, VPMC_START, arg, sizeof(*arg),
				     offsetof(struct vpmc_start, generation)),
			     "start");
		check_not_started(fd, "start");
	}
	check(try_read(fd, VPMC_SCOPE_ALL) == -ENODATA,
	      "start: nothing is collected");
	must_start(other, OTHER, VPMC_START_COLLECT);
	check(!try_read(other, VPMC_SCOPE_ALL), "another handle can collect");
}

/* Test that the failed start has not bound the handle: another process can use it. */
static void test_bind(void)
{
	struct vpmc_start *arg = start_arg(FIRST, 0);
	int fd = open_device(), status;
	pid_t pid;

	check_efault(refused(fd, VPMC_START, arg, sizeof(*arg),
			     offsetof(struct vpmc_start, generation)),
		     "start");
	pid = child_fork();
	if (!pid)
		_exit(start(fd, FIRST, 0, NULL) ? 1 : 0);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(!status, "start: the handle is still free");
}

/*
 * After a failed start with VPMC_START_FORCE, counting continues as if the call had not been made.
 */
static void test_force(void)
{
	struct vpmc_start *arg = start_arg(OTHER, VPMC_START_FORCE);
	int fd = open_device();
	uint64_t generation = must_start(fd, FIRST, 0);
	struct vpmc_read before, after;

	before = read_scope(fd, VPMC_SCOPE_THREAD);
	check_efault(refused(fd, VPMC_START, arg, sizeof(*arg),
			     offsetof(struct vpmc_start, generation)),
		     "start by force");
	after = read_scope(fd, VPMC_SCOPE_THREAD);
	check(after.generation == generation && after.start == before.start &&
		      after.count[0] > before.count[0] &&
		      after.state == VPMC_STATE_RUNNING,
	      "start by force: what counts goes on");
}

static void test_resume(void)
{
	struct vpmc_start *arg = start_arg(FIRST, VPMC_START_RESUME);
	int fd = open_device();

	must_start(fd, FIRST, 0);
	must_stop(fd);
	check_efault(refused(fd, VPMC_START, arg, sizeof(*arg),
			     offsetof(struct vpmc_start, generation)),
		     "resume");
	check(read_scope(fd, VPMC_SCOPE_THREAD).state == VPMC_STATE_STOPPED,
	      "resume: still stopped");
}

static void test_stop(void)
{
	struct vpmc_stop arg = { .size = sizeof(arg) };
	int fd = open_device();
	struct vpmc_read before, after;

	must_start(fd, FIRST, 0);
	check_efault(refused(fd, VPMC_STOP, &arg, sizeof(arg),
			     offsetof(struct vpmc_stop, generation)),
		     "stop");
	before = read_scope(fd, VPMC_SCOPE_THREAD);
	after = read_scope(fd, VPMC_SCOPE_THREAD);
	check(before.state == VPMC_STATE_RUNNING &&
		      after.count[0] > before.count[0],
	      "stop: it counts");
}

static volatile unsigned int signals;

static void note(int signo)
{
	(void)signo;
	signals++;
}

static void test_signal(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = SIGUSR1,
				   .period = 10 };
	int fd = open_device();

	signals = 0;
	signal(SIGUSR1, note);
	must_start(fd, FIRST, 0);
	check_efault(refused(fd, VPMC_SIGNAL, &arg, sizeof(arg),
			     offsetof(struct vpmc_signal, generation)),
		     "signal");
	read_scope(fd, VPMC_SCOPE_THREAD);
	check(!signals, "signal: none is sent");
	/* The signals that were requested before the failed call must continue. */
	check(!request(fd, VPMC_SIGNAL, &arg), "signal");
	read_scope(fd, VPMC_SCOPE_THREAD);
	arg.signo = 0;
	check_efault(refused(fd, VPMC_SIGNAL, &arg, sizeof(arg),
			     offsetof(struct vpmc_signal, generation)),
		     "no signal");
	signals = 0;
	read_scope(fd, VPMC_SCOPE_THREAD);
	check(signals, "no signal: they are still sent");
}

static void test_attach(void)
{
	struct vpmc_attach arg = { .size = sizeof(arg), .id = getppid() };
	int fd = open_device();

	check_efault(refused(fd, VPMC_ATTACH, &arg, sizeof(arg),
			     offsetof(struct vpmc_attach, generation)),
		     "attach");
	arg.flags = VPMC_ATTACH_THREAD;
	check_efault(refused(fd, VPMC_ATTACH, &arg, sizeof(arg),
			     offsetof(struct vpmc_attach, generation)),
		     "attach to a thread");
	check(!attach(fd, getpid(), 0, NULL), "attach: the handle is free");
}

static void test_record(void)
{
	struct vpmc_record arg = { .size = sizeof(arg) };
	int fd = open_device();
	pid_t pid;

	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	pid = fork();
	if (!pid)
		_exit(0);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	must_stop(fd);
	check_efault(refused(fd, VPMC_RECORD, &arg, sizeof(arg),
			     offsetof(struct vpmc_record, pid)),
		     "record");
	check_efault(refused(fd, VPMC_RECORD, &arg, sizeof(arg),
			     offsetof(struct vpmc_record, generation)),
		     "record");
	check(!request(fd, VPMC_RECORD, &arg) && arg.pid == pid && !arg.lost,
	      "record: it is still there");
	check(request(fd, VPMC_RECORD, &arg) == -ENODATA, "record: once");
}

static void test_map(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	char line[256];
	bool mapped = false;
	FILE *maps;

	if (request(open_device(), VPMC_MAP, &arg) == -EOPNOTSUPP)
		return;
	munmap(pointer_to(arg.address), PAGE);
	check_efault(refused(open_device(), VPMC_MAP, &arg, sizeof(arg),
			     offsetof(struct vpmc_map, address)),
		     "map");
	maps = fopen("/proc/self/maps", "re");
	if (!maps)
		err(2, "maps");
	while (fgets(line, sizeof(line), maps))
		mapped |= strstr(line, "vpmc") != NULL;
	fclose(maps);
	check(!mapped, "map: no page is mapped");
}

static void test_system(void)
{
	struct vpmc_start *arg = start_arg(FIRST, 0);
	struct vpmc_stop stop_it = { .size = sizeof(stop_it) };
	int fd = open_device();

	check_efault(refused(fd, VPMC_SYSTEM_START, arg, sizeof(*arg),
			     offsetof(struct vpmc_start, generation)),
		     "system start");
	check(!in_system_mode(), "system start: not in system mode");
	check(!request(fd, VPMC_SYSTEM_START, arg), "system start");
	check_efault(refused(fd, VPMC_SYSTEM_STOP, &stop_it, sizeof(stop_it),
			     offsetof(struct vpmc_stop, generation)),
		     "system stop");
	check(in_system_mode(), "system stop: still in system mode");
}

int main(void)
{
	pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		err(2, "mmap");
	for (place = ALL_READ_ONLY; place <= ANSWER_READ_ONLY; place++) {
		run(test_start);
		run(test_bind);
		run(test_force);
		run(test_resume);
		run(test_stop);
		run(test_signal);
		run(test_attach);
		run(test_record);
		run(test_map);
		run(test_system);
	}
	return check_status();
}
