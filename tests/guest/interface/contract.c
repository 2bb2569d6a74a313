// SPDX-License-Identifier: GPL-2.0-only
/*
 * contract FILE: run sequences of orders, which tests/contract has written. Each sequence runs in
 * its own processes. Print the result of each order.
 *
 * The processes and threads, the actors, execute actor-32.S or actor-64.S. They have a higher
 * priority than this program, and there is one processor. So whenever this program runs, each actor
 * sleeps, and its count is known. An actor that does not answer at once is waiting for another one.
 *
 * The program prints a line for each order. For each actor that has answered, the line has the
 * actor's number, the result, and the words of the answer that the file selects.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/vpmc.h>

#include "privileged_programs.h"

#define ROOT  "/tmp/cgroup"
#define GROUP ROOT "/test"

/* These constants must equal those in actor-32.S, actor-64.S and tests/contract/orders.py. */
#define ANSWERS	     99
#define FIRST_ORDERS 100
#define MAX_ACTORS   16
#define SLOT	     2048
#define FIRST_HANDLE 10
#define NR_HANDLES   8
#define CGROUP	     20	 /* three descriptors */
#define WRITERS	     150 /* this program's ends of the pipes for orders */
#define CREATE	     1

struct order {
	uint32_t orders;
	uint32_t how;
	uint32_t rounds;
	uint32_t reads;
	uint32_t nr;
	uint32_t child;
	uint32_t child_orders;
	uint32_t reply;
	int32_t result;
	uint32_t pad;
	uint64_t arg[5];
	uint32_t data[(SLOT - 80) / 4];
};

/*
 * This precedes each order in the file. If it @settles, the actor waits for grace periods of the
 * kernel, and answers after them.
 */
struct step {
	uint8_t actor;
	uint8_t format;
	uint8_t patches;
	uint8_t settles;
	uint32_t size;
};

/*
 * This is a value that only this program knows, and that it writes into an order: a process ID of
 * 4 bytes, or the address of a page, which takes 8 bytes.
 */
struct patch {
	uint16_t offset;
	uint8_t what;
	uint8_t actor;
};

enum { PID, PAGE };

/* These are the offsets of the words of an answer to print. */
struct format {
	uint32_t nr;
	const uint32_t *offset;
};

/* An actor that this program creates has one of these roles: its capabilities and its user. */
struct role {
	const char *has;
	uid_t user;
	int ambient;
};

static const struct role roles[] = {
	{ "=ep", 0, -1 },
	{ "=", 1000, -1 },
	{ "=", 1001, -1 },
	{ "cap_sys_ptrace=eip", 1001, CAP_SYS_PTRACE },
	{ "cap_perfmon=eip", 1001, CAP_PERFMON },
	{ "cap_sys_admin=eip", 1001, CAP_SYS_ADMIN },
};

/*
 * Copies of the actor's program that gain privileges, in the order of kinds[] in
 * privileged_programs.c.
 */
static const char *const raised_files[NR_KINDS] = { "/tmp/root", "/tmp/group",
						    "/tmp/capable",
						    "/tmp/unreadable" };

#define MAX_FORMATS 16
static struct format formats[MAX_FORMATS];

/* These are the process IDs and pages of the actors of the current sequence. */
static uint32_t pids[MAX_ACTORS];
static uint64_t pages[MAX_ACTORS];
static int answers;

static void make_files(void)
{
	static const char stranger[] = "/tmp/stranger", plain[] = "/tmp/plain";
	size_t i;

	for (i = 0; i < NR_KINDS; i++)
		make_program(&kinds[i], "actor", raised_files[i]);
	copy("actor", plain);
	copy("actor", stranger);
	if (chmod(plain, 0755) || chown(stranger, 1001, 0) ||
	    chmod(stranger, 04755))
		err(2, "chmod");
}

/*
 * Set the priority of a process with a system call, because musl does not have a function for it.
 */
static void set_priority(pid_t pid, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (syscall(SYS_sched_setscheduler, pid, SCHED_FIFO, &param))
		err(2, "sched_setscheduler");
}

/*
 * Take a role. Only ambient capabilities survive the execve(2) of an ordinary program, so raise
 * them.
 */
static void become(const struct role *role)
{
	cap_t wanted = cap_from_text(role->has);

	if (!wanted ||
	    (role->user &&
	     (cap_setgroups(role->user, 0, NULL) || cap_setuid(role->user))) ||
	    cap_set_proc(wanted) ||
	    (role->ambient >= 0 &&
	     prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, role->ambient, 0, 0)))
		err(2, "role of %u", role->user);
	cap_free(wanted);
}

static void make_pipe(int in, int out)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) || dup2(ends[0], in) < 0 ||
	    dup3(ends[1], out, O_CLOEXEC) < 0)
		err(2, "pipe");
	close(ends[0]);
	close(ends[1]);
}

static void make_handles(void)
{
	int i, fd = open(VPMC_DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, VPMC_DEVICE);
	close(fd);
	for (i = FIRST_HANDLE; i < FIRST_HANDLE + NR_HANDLES; i++) {
		fd = open(VPMC_DEVICE, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || dup2(fd, i) < 0)
			err(2, VPMC_DEVICE);
		close(fd);
	}
}

/* Take a role, and execute the ordinary copy of the actor's program. */
static _Noreturn void be_actor(unsigned int actor, const struct role *role)
{
	const char name[] = { (char)(FIRST_ORDERS + actor), '\0' };

	become(role);
	execl("/tmp/plain", name, (char *)NULL);
	err(2, "actor");
}

/* Make an actor. When this returns, the actor sleeps and waits for its first order. */
static void make_actor(unsigned int actor, const struct role *role)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid)
		be_actor(actor, role);
	/* With this priority the actor begins to run at once. */
	set_priority(pid, 2);
	pids[actor] = (uint32_t)pid;
}

/* Return the next @size bytes of the file. */
static const void *take(const char **at, size_t size)
{
	const void *start = *at;

	*at += size;
	return start;
}

static uint32_t take_word(const char **at)
{
	uint32_t word;

	memcpy(&word, take(at, sizeof(word)), sizeof(word));
	return word;
}

static void apply_patch(struct order *order, struct patch patch)
{
	uint64_t more =
		patch.what == PAGE ? pages[patch.actor] : pids[patch.actor];
	size_t size = patch.what == PAGE ? sizeof(uint64_t) : sizeof(uint32_t);
	uint64_t word = 0;

	memcpy(&word, (char *)order + patch.offset, size);
	word += more;
	memcpy((char *)order + patch.offset, &word, size);
}

static void give_order(const struct step *step, const char **at)
{
	struct order order;
	struct patch patch;
	unsigned int i;

	memcpy(&order, *at + step->patches * sizeof(patch), step->size);
	for (i = 0; i < step->patches; i++) {
		memcpy(&patch, take(at, sizeof(patch)), sizeof(patch));
		apply_patch(&order, patch);
	}
	take(at, step->size);
	if (write(WRITERS + step->actor, &order, step->size) !=
	    (ssize_t)step->size)
		err(2, "order");
}

/* Remember the process ID and the page, which later orders may need. */
static void learn(unsigned int actor, const struct order *order)
{
	unsigned int child = order->child_orders - FIRST_ORDERS;

	if (order->nr == SYS_gettid)
		pids[actor] = (uint32_t)order->result;
	if (order->nr == SYS_ioctl && order->arg[1] == VPMC_MAP &&
	    !order->result)
		memcpy(&pages[actor],
		       (const char *)order->data +
			       offsetof(struct vpmc_map, address),
		       sizeof(pages[actor]));
	if (order->how == CREATE && order->result > 0) {
		pids[child] = (uint32_t)order->result;
		pages[child] = pages[actor];
	}
}

/*
 * Print a number in hexadecimal, byte by byte. In system mode the actors' misaligned or locked
 * reads are counted, so this program must not execute any such reads.
 */
static void print_word(uint32_t word)
{
	unsigned int shift = 28;

	while (shift && !(word >> shift))
		shift -= 4;
	for (; shift; shift -= 4)
		putchar("0123456789abcdef"[word >> shift & 15]);
	putchar("0123456789abcdef"[word & 15]);
}

static void print_answer(const struct order *order, uint32_t format)
{
	const struct format *f = &formats[format];
	uint32_t i, word;

	print_word(order->orders - FIRST_ORDERS);
	putchar(' ');
	print_word((uint32_t)order->result);
	for (i = 0; i < f->nr; i++) {
		memcpy(&word, (const char *)order + f->offset[i], sizeof(word));
		putchar(' ');
		print_word(word);
	}
	putchar(';');
}

static bool take_answer(struct order *order)
{
	const size_t head = offsetof(struct order, data);
	ssize_t got = read(answers, order, head);

	if (got < 0 && errno == EAGAIN)
		return false;
	if (got != (ssize_t)head ||
	    read(answers, order->data, order->reply - head) !=
		    (ssize_t)(order->reply - head))
		err(2, "answer");
	return true;
}

static void run_step(const char **at)
{
	static const struct timespec settling = { .tv_nsec = 300000000 };
	static uint32_t format[MAX_ACTORS];
	struct order order;
	struct step step;

	memcpy(&step, take(at, sizeof(step)), sizeof(step));
	format[step.actor] = step.format;
	give_order(&step, at);
	if (step.settles)
		nanosleep(&settling, NULL);
	while (take_answer(&order)) {
		unsigned int actor = order.orders - FIRST_ORDERS;

		learn(actor, &order);
		print_answer(&order, format[actor]);
	}
	putchar('\n');
}

static void make_pipes(void)
{
	int i;

	make_pipe(WRITERS - 1, ANSWERS);
	answers = WRITERS - 1;
	if (fcntl(answers, F_SETFL, O_NONBLOCK) ||
	    fcntl(answers, F_SETFD, FD_CLOEXEC) || fcntl(ANSWERS, F_SETFD, 0))
		err(2, "fcntl");
	for (i = 0; i < MAX_ACTORS; i++)
		make_pipe(FIRST_ORDERS + i, WRITERS + i);
}

static void make_actors(const char **at)
{
	uint32_t i, nr = take_word(at);

	make_handles();
	for (i = 0; i < nr; i++)
		make_actor(i, &roles[take_word(at)]);
	for (i = FIRST_HANDLE; i < FIRST_HANDLE + NR_HANDLES; i++)
		close((int)i);
}

/* Close the pipes for orders. The actors exit then. */
static void end_actors(void)
{
	int i;

	for (i = 0; i < MAX_ACTORS; i++)
		close(WRITERS + i);
	while (waitpid(-1, NULL, __WALL) > 0)
		;
}

/* Run a sequence, as the process from which all actors descend and which reaps orphans. */
static void keep_actors(const char **at)
{
	uint32_t i, steps;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		err(2, "PR_SET_CHILD_SUBREAPER");
	make_pipes();
	make_actors(at);
	steps = take_word(at);
	for (i = 0; i < steps; i++)
		run_step(at);
	end_actors();
	fflush(stdout);
}

/* Return the beginning of the next sequence. */
static const char *skip_sequence(const char *at)
{
	uint32_t i, steps, nr = take_word(&at);
	struct step step;

	take(&at, nr * sizeof(uint32_t));
	steps = take_word(&at);
	for (i = 0; i < steps; i++) {
		memcpy(&step, take(&at, sizeof(step)), sizeof(step));
		take(&at, step.patches * sizeof(struct patch) + step.size);
	}
	return at;
}

static void run_sequence(const char *at)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		keep_actors(&at);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "sequence: status %d", status);
}

static void take_formats(const char **at)
{
	uint32_t i, nr = take_word(at);

	if (nr > MAX_FORMATS)
		errx(2, "%u formats", nr);
	for (i = 0; i < nr; i++) {
		formats[i].nr = take_word(at);
		formats[i].offset = take(at, formats[i].nr * sizeof(uint32_t));
	}
}

static const char *map_file(const char *path, const char **end)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *start;

	if (fd < 0 || fstat(fd, &status))
		err(2, "%s", path);
	start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd,
		     0);
	if (start == MAP_FAILED)
		err(2, "%s", path);
	close(fd);
	*end = (const char *)start + status.st_size;
	return start;
}

static void open_group(const char *path, int flags, int fd)
{
	const int opened = open(path, flags);

	if (opened < 0 || dup2(opened, fd) < 0)
		err(2, "%s", path);
	close(opened);
}

/*
 * Make the cgroup that is collected, if the kernel has cgroups. A process that moves must not
 * wait for a grace period, because it would answer too late.
 */
static void make_group(void)
{
	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, "favordynmods")) {
		if (errno != ENODEV)
			err(2, "cgroup2");
		return;
	}
	if (mkdir(GROUP, 0700))
		err(2, GROUP);
	open_group(GROUP, O_RDONLY | O_DIRECTORY, CGROUP);
	open_group(GROUP "/cgroup.procs", O_WRONLY, CGROUP + 1);
	open_group(ROOT "/cgroup.procs", O_WRONLY, CGROUP + 2);
}

/* Block signals. The actors inherit the mask. */
static void block_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGUSR2);
	sigaddset(&signals, 40);
	if (sigprocmask(SIG_BLOCK, &signals, NULL))
		err(2, "sigprocmask");
}

/*
 * Create a process that counts an event and sleeps. Without it, the driver might give the counters
 * back between two sequences, and the next start would have to wait for them.
 */
static void keep_counters(void)
{
	static struct vpmc_start start = {
		.size = sizeof(start),
		.nr_events = 1,
		.event = { { .code = 0x16, .modes = VPMC_MODE_USER } },
	};
	int fd = open(VPMC_DEVICE, O_RDONLY | O_CLOEXEC), ends[2];
	char byte;

	if (fd < 0 || pipe2(ends, O_CLOEXEC))
		err(2, VPMC_DEVICE);
	if (!fork()) {
		if (ioctl(fd, VPMC_START, &start) ||
		    prctl(PR_SET_PDEATHSIG, SIGKILL) ||
		    write(ends[1], "", 1) != 1)
			err(2, "VPMC_START");
		for (;;)
			pause();
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		errx(2, "nobody keeps the counters");
	close(ends[0]);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *at, *end;

	if (argc != 2)
		errx(2, "usage: contract FILE");
	at = map_file(argv[1], &end);
	take_formats(&at);
	make_files();
	make_group();
	keep_counters();
	block_signals();
	set_priority(0, 1);
	for (; at < end; at = skip_sequence(at))
		run_sequence(at);
	return 0;
}
