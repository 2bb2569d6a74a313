// SPDX-License-Identifier: GPL-2.0-only
/*
 * arguments SEED CALLS: make CALLS calls with random arguments as an unprivileged user. Begin with
 * valid structures, and change words, sizes, addresses, the number of the call and the handle. Test
 * that
 *
 * - each result is one that the manual lists, and the only right one if the structure alone
 *   determines it,
 * - no byte changes outside the answer,
 * - no memory remains allocated, and the driver can be unloaded.
 *
 * The same seed makes the same calls. Each round runs in its own process.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "hold.h"
#include "memory.h"

/* The largest number of calls of one process, and the smallest number of processes. */
#define MOST  50000UL
#define PARTS 4

/* These are the average numbers of calls between two rare actions of the test. */
#define SELDOM	    512
#define VERY_SELDOM 4096

/*
 * struct tally - number of calls by their result
 * @succeeds, @refused: calls whose result depends on the state of the process
 * @wrong: calls that must fail in any state, because the structure or its address is invalid
 */
struct tally {
	unsigned long succeeds, refused, wrong;
};

static struct tally *tallies;
static uint64_t seed, random_state;
static unsigned long number, part;

static uint32_t any(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

static uint32_t below(uint32_t n)
{
	return any() % n;
}

/* These are the kinds of handles that the calls use. */
enum kind {
	UNBOUND,
	STARTED,
	COLLECTING,
	OF_PROCESS, /* attached */
	OF_THREAD,
	OF_GONE,
	OF_CHILD, /* bound to a child that has exited */
	NO_FILE,
	NR_KINDS
};

static int handles[NR_KINDS];
static pid_t target;
static int target_fd;

static void reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * Create a process that sleeps. When its parent exits, the kernel kills it, and the first process
 * of the guest reaps it.
 */
static pid_t make_target(void)
{
	pid_t pid = child_fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause_forever();
	}
	return pid;
}

static void replace_target(void)
{
	if (target) {
		close(target_fd);
		kill(target, SIGKILL);
		reap(target);
	}
	target = make_target();
	target_fd = (int)syscall(SYS_pidfd_open, target, 0);
}

/*
 * Bind the handle to a process that has exited. If @attached is set, attach the handle to the
 * process. Otherwise the process counts with the handle.
 */
static void bind_to_gone(int fd, bool attached)
{
	pid_t pid = child_fork();

	if (!pid) {
		if (attached)
			pause();
		start(fd, FIRST, VPMC_START_FORCE, NULL);
		_exit(0);
	}
	if (attached) {
		attach(fd, pid, 0, NULL);
		kill(pid, SIGKILL);
	}
	reap(pid);
}

static void renew(enum kind kind)
{
	int fd;

	if (kind == NO_FILE)
		return;
	if (handles[kind] >= 0)
		close(handles[kind]);
	fd = open_device();
	handles[kind] = fd;
	if (kind == STARTED)
		start(fd, FIRST, VPMC_START_FORCE, NULL);
	else if (kind == COLLECTING)
		start(fd, FIRST,
		      VPMC_START_FORCE | VPMC_START_COLLECT |
			      VPMC_START_RECORDS,
		      NULL);
	else if (kind == OF_PROCESS || kind == OF_THREAD)
		attach(fd, target, kind == OF_THREAD ? VPMC_ATTACH_THREAD : 0,
		       NULL);
	else if (kind == OF_GONE || kind == OF_CHILD)
		bind_to_gone(fd, kind == OF_GONE);
}

static void do_besides(void)
{
	struct vpmc_map map = { .size = sizeof(map) };
	pid_t pid;

	if (!below(SELDOM))
		renew((enum kind)below(NR_KINDS));
	if (!below(SELDOM) && !request(handles[UNBOUND], VPMC_MAP, &map))
		munmap(pointer_to(map.address), PAGE);
	if (!below(VERY_SELDOM))
		replace_target();
	if (!below(SELDOM)) {
		pid = fork();
		if (!pid)
			_exit(0);
		reap(pid);
	}
}

static uint32_t interesting(void)
{
	static const uint32_t words[] = {
		0,
		1,
		2,
		3,
		0xffffffff,
		0x80000000,
		0x7fffffff,
		0x10000,
		VPMC_MAX_EVENTS - 1,
		VPMC_MAX_EVENTS,
		VPMC_MAX_EVENTS + 1,
		VPMC_P5_CLOCKS,
		0xc0000000,
		PAGE,
		PAGE + 1,
	};

	switch (below(4)) {
	case 0:
		return any();
	case 1:
		return below(64);
	case 2:
		return UINT32_C(1) << below(32);
	default:
		return words[below(sizeof(words) / sizeof(words[0]))];
	}
}

/* Make a valid argument, as far as validity does not depend on the state. */
static void make_valid(const struct call *call, unsigned char *bytes)
{
	struct vpmc_start *start = (void *)bytes;
	struct vpmc_attach *held = (void *)bytes;
	struct vpmc_signal *signals = (void *)bytes;
	struct vpmc_read *read = (void *)bytes;
	uint32_t i;

	if (call->request == VPMC_START) {
		start->flags = any() & 0x3f & (any() >> 8);
		start->nr_events = 1 + (below(4) ? below(2) : below(32));
		for (i = 0; i < start->nr_events; i++)
			start->event[i] = (struct vpmc_event)EVENT(
				code_here(i % 2 ? INSTRUCTIONS : BRANCHES),
				counter_here(i % 2), VPMC_MODE_USER);
	} else if (call->request == VPMC_ATTACH) {
		held->flags = below(4);
		held->id = held->flags & VPMC_ATTACH_PIDFD ? target_fd : target;
	} else if (call->request == VPMC_SIGNAL) {
		signals->event = below(2);
		signals->signo = below(65);
		signals->period = 1 + below(1000);
	} else if (call->request == VPMC_READ || call->request == VPMC_QUERY) {
		read->scope = below(4);
	}
}

/* Return whether the signal would kill this process, or belongs to the C library. */
static bool is_deadly(uint32_t signo)
{
	return signo == SIGKILL || signo == SIGSTOP || signo == SIGSEGV ||
	       signo == SIGBUS || signo == SIGILL || signo == SIGFPE ||
	       signo == SIGTRAP || (signo >= 32 && signo < (uint32_t)SIGRTMIN);
}

static void change(unsigned char *bytes, size_t size)
{
	unsigned int times = 1 + below(3);
	uint32_t word;
	size_t place;

	while (times--) {
		place = below((uint32_t)size);
		word = interesting();
		if (below(2))
			place &= ~(size_t)3;
		memcpy(bytes + place, &word, size - place < 4 ? 1 : 4);
	}
}

static void save_life(unsigned char *bytes)
{
	struct vpmc_signal *signals = (void *)bytes;

	if (is_deadly(signals->signo))
		signals->signo = SIGUSR1;
}

static uint32_t some_size(const struct call *call)
{
	switch (below(8)) {
	case 0:
		return interesting();
	case 1:
		return below((uint32_t)call->known + 64);
	case 2:
		return (uint32_t)call->known + below(2048);
	case 3:
		return (uint32_t)call->least;
	default:
		return (uint32_t)call->known;
	}
}

/*
 * Choose a random place for the argument. In half of the cases the place is near the end of a page.
 */
static size_t some_place(const struct call *call)
{
	size_t edge = PAGE * (1 + below(PLACE_PAGES - 2));

	if (below(2))
		return PAGE / 2 + below(64);
	if (below(2))
		return edge - call->known + (below(2) ? 4 : 0);
	return edge - below((uint32_t)call->known + 8);
}

/* Fill the memory around the structure with a pattern, except for bytes that must be zero. */
static void fill(const struct call *call, size_t offset)
{
	unsigned char buffer[sizeof(struct vpmc_read) * 2] = {};
	size_t size = call->known ? call->known : sizeof(struct vpmc_start);
	uint32_t given = some_size(call);
	int pattern = (int)(0x80 + below(0x80));

	memset(place_alias(offset - MARGIN), pattern, MARGIN + size + MARGIN);
	if (!call->known || !below(16)) {
		memset(buffer, pattern, size);
	} else {
		make_valid(call, buffer);
		if (!below(3))
			change(buffer, size);
		if (call->request == VPMC_SIGNAL)
			save_life(buffer);
	}
	if (call->known)
		memcpy(buffer, &given, sizeof(given));
	memcpy(place_alias(offset), buffer, size);
	if (given > size && given < 4 * PAGE && below(4))
		memset(place_alias(offset + size), 0,
		       given < PAGE ? given - size : PAGE - size);
}

static bool is_among(const int *errors, int error)
{
	for (; *errors; errors++)
		if (*errors == error)
			return true;
	return false;
}

static const char *result_wrong(const struct call *call, size_t offset,
				int must, int result)
{
	size_t answered = call->must_write ? 0 : call->known;

	if (must)
		return result == must ? NULL : "not the only right result";
	if (result == -EFAULT)
		return place_writable(offset, answered) ? "EFAULT" : NULL;
	return !result || is_among(call->errors, -result)
		       ? NULL
		       : "not a result of this call";
}

static bool complain(const struct call *call, int kind, size_t offset,
		     int result, int must, const char *what)
{
	return check(
		false,
		"seed %llu, call %lu: %s on handle %d at %#zx: result %d, must %d: %s",
		(unsigned long long)seed, number, call->name, kind, offset,
		result, must, what);
}

static void count(const struct call *call, int must, int result)
{
	struct tally *tally = &tallies[call - calls];

	tally->wrong += must || result == -EFAULT;
	tally->refused += !must && result && result != -EFAULT;
	tally->succeeds += !result;
}

/* Make one call. Return whether its result is allowed. */
static bool call_once(void)
{
	const struct call *call = &calls[below(NR_CALLS)];
	int kind = (int)below(NR_KINDS);
	size_t offset = some_place(call), around;
	unsigned char before[sizeof(struct vpmc_start) + 2 * MARGIN];
	const char *what;
	int must, result;

	fill(call, offset);
	around = call->known + 2 * MARGIN;
	memcpy(before, place_alias(offset - MARGIN), around);
	must = kind == NO_FILE ? -EBADF : call_refuses(call, offset);
	result = request(handles[kind], call->request, place_address(offset));
	count(call, must, result);
	what = result_wrong(call, offset, must, result);
	if (!what)
		what = call_answer_wrong(call, offset, result, before);
	return what ? complain(call, kind, offset, result, must, what) : true;
}

/* Make a call with unmapped addresses or addresses of the kernel. */
static bool call_elsewhere(void)
{
	static const uintptr_t addresses[] = {
		0,
		4,
		0xfff,
		0xc0000000,
		0xc0100000,
		0xd0000000,
		0xfffff000,
		0xfffffffc,
		0xffffffff,
#ifdef __x86_64__
		/*
		 * The following addresses are above those of user mode, outside any mapping, or in
		 * the kernel.
		 */
		0x00007ffffffff000,
		0x0000800000000000,
		0x8000000000000000,
		0xffff888000000000,
		0xffffffff81000000,
		0xffffffffc0000000,
		0xfffffffffffffffc,
#endif
	};
	const struct call *call = &calls[below(NR_CALLS)];
	int kind = (int)below(NR_KINDS - 1);
	uintptr_t address =
		addresses[below(sizeof(addresses) / sizeof(addresses[0]))];
	int must = call->known ? -EFAULT : -EPERM;
	int result = request(handles[kind], call->request, pointer_to(address));

	return result == must ? true
			      : complain(call, kind, address, result, must,
					 "an address that is not ours");
}

static bool is_call(uint32_t request_number)
{
	unsigned int i;

	for (i = 0; i < NR_CALLS; i++)
		if (calls[i].request == request_number)
			return true;
	return false;
}

/* Make a call with an unknown request. */
static bool call_unknown(void)
{
	static const struct call unknown = { .name = "unknown" };
	uint32_t what = (uint32_t)VPMC_INFO + below(256);
	int kind = (int)below(NR_KINDS - 1), result;

	if (below(2))
		what |= any() & 0xffff0000;
	if (is_call(what))
		what = _IO(VPMC_IOC_MAGIC, NR_CALLS);
	result = request(handles[kind], what, place_address(0));
	return result == -ENOTTY ? true
				 : complain(&unknown, kind, what, result,
					    -ENOTTY, "the number");
}

static bool call_something(void)
{
	switch (below(16)) {
	case 0:
		return call_elsewhere();
	case 1:
		return call_unknown();
	default:
		return call_once();
	}
}

static void ignore(int signo)
{
	(void)signo;
}

static void be_user(void)
{
	struct sigaction action = { .sa_handler = ignore,
				    .sa_flags = SA_RESTART };
	unsigned long end = number + part;
	int i;

	memory_become_nobody();
	place_init();
	for (i = 1; i <= SIGRTMAX; i++)
		if (!is_deadly((uint32_t)i))
			sigaction(i, &action, NULL);
	memset(handles, 0xff, sizeof(handles));
	replace_target();
	for (i = 0; i < NR_KINDS; i++)
		renew((enum kind)i);
	while (number < end && call_something()) {
		do_besides();
		number++;
	}
	kill(target, SIGKILL);
	reap(target);
}

/* Without rights some calls fail with EPERM, at the latest in the end. */
static bool can_succeed(const struct call *call)
{
	return call->known && call->errors[0] != EPERM;
}

/* Return whether a call succeeds rarely. VPMC_SAMPLES needs a power of two among random bytes. */
static bool is_lucky(const struct call *call)
{
	return call->request == VPMC_SAMPLES;
}

/* Report how many calls succeeded. If none did, the test has not tested anything. */
static void report(void)
{
	const struct tally *tally;
	unsigned int i;

	for (i = 0; i < NR_CALLS; i++) {
		tally = &tallies[i];
		check((is_lucky(&calls[i]) ||
		       can_succeed(&calls[i]) == !!tally->succeeds) &&
			      !calls[i].errors[0] == !tally->refused &&
			      tally->wrong,
		      "%s: %lu succeed, %lu are refused, %lu are wrong",
		      calls[i].name, tally->succeeds, tally->refused,
		      tally->wrong);
	}
}

int main(int argc, char **argv)
{
	unsigned long many;
	long before = 0, after;

	if (argc != 3)
		errx(2, "usage: arguments SEED CALLS");
	seed = strtoull(argv[1], NULL, 10);
	many = strtoul(argv[2], NULL, 10);
	part = many / PARTS < MOST ? many / PARTS : MOST;
	if (!part)
		errx(2, "at least %d calls", PARTS);
	tallies = shared(NR_CALLS * sizeof(*tallies));
	for (; number < many && !check_failures; number += part) {
		random_state = (seed << 32) + number + 0x9e3779b97f4a7c15;
		run(be_user);
		if (number == part)
			before = memory_free();
	}
	after = memory_free();
	report();
	check(before - after < MEMORY_NOISE || !memory_is_comparable(),
	      "%ld KB are left", before - after);
	/*
	 * The driver's hooks stay in use for a second, so wait. When the driver is unloaded, it
	 * reports leaked objects.
	 */
	sleep(2);
	check(!syscall(SYS_delete_module, "vpmc", 0), "nobody uses the driver");
	check(number >= many, "%lu calls with seed %llu", number,
	      (unsigned long long)seed);
	return check_status();
}
