// SPDX-License-Identifier: GPL-2.0-only
/*
 * page_notification: test a process that inherits a page that another task reads first. The process
 * must find its count in the page when it next enters user mode, without another context switch.
 * This must also hold if it reads the page itself while the other task is about to notify it. The
 * test needs two processors.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"
#include "inline.h"

#define PAGE 4096

static const volatile struct vpmc_page *page;

/* This is the state by which processes and threads notify each other. */
static volatile struct told {
	bool ready, go, done;
	int64_t count;
} * told;

static void read_page(void)
{
	(void)page->sequence;
	told->done = true;
}

static void *be_reader(void *held)
{
	stay_on(0);
	if (held)
		name_delayed();
	read_page();
	return NULL;
}

static void create_reader(void *held)
{
	pthread_t id;

	if (pthread_create(&id, NULL, be_reader, held))
		errx(2, "no thread");
}

/* Check that the owner now has an exact count. */
static void check_owner(const char *what)
{
	int64_t count = vpmc_count(0);

	check(count >= 0, "%s: the count %lld", what, (long long)count);
	check(span_is_exact(FIRST, 1000), "%s: what follows is exact", what);
}

/*
 * Keep other tasks off the processor of the calling process, because a context switch would let the
 * page show its counts.
 */
static void be_undisturbed(void)
{
	const struct sched_param most = {
		.sched_priority = sched_get_priority_max(SCHED_FIFO)
	};

	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &most))
		err(2, "SCHED_FIFO");
}

/* Run @owner in a child on the last processor, and the other function here. */
static void run_owner(void (*owner)(void), void (*meanwhile)(pid_t pid))
{
	int status;
	pid_t pid;

	*told = (struct told){ .done = false };
	stay_on(0);
	pid = fork();
	if (!pid) {
		check_failures = 0;
		stay_on(1);
		owner();
		_exit(check_failures > 0);
	}
	if (meanwhile)
		meanwhile(pid);
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "the owner: %#x", (unsigned int)status);
}

/*
 * Be the owner of a page. After the first read by another task, only this system call enters the
 * kernel.
 */
static void be_owner(const char *what)
{
	told->ready = true;
	while (!told->done)
		;
	syscall(SYS_getppid);
	check_owner(what);
}

static void be_owner_of_threads(void)
{
	create_reader(NULL);
	be_owner("when another thread has read");
}

static void be_owner_alone(void)
{
	be_owner("when another process has read");
}

static void read_from_outside(pid_t pid)
{
	uint32_t sequence;
	char path[32];
	int fd;

	while (!told->ready)
		;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread64(fd, &sequence, sizeof(sequence),
			      (off64_t)(uintptr_t)page) != sizeof(sequence))
		check(false, "read from outside");
	close(fd);
	told->done = true;
}

static void test_threads(void)
{
	run_owner(be_owner_of_threads, NULL);
}

static void test_outside(void)
{
	run_owner(be_owner_alone, read_from_outside);
}

/* These are the ends of the data and of the whole program, which the linker sets. */
extern char edata[], end[];

/*
 * Write to each page of memory that a fork has shared. The first write to such a page interrupts
 * all processors of the process to flush their TLBs. A processor that spins would not answer later.
 */
static void copy_memory(void)
{
	volatile char stack[65536];
	volatile char *byte = edata - (uintptr_t)edata % PAGE;
	size_t i;

	for (; byte < end; byte += PAGE)
		*byte = *byte;
	for (i = 0; i < sizeof(stack); i += PAGE)
		stack[i] = 0;
}

/*
 * Be the owner, which reads while the first reader is held. The owner must not sleep before it
 * reads, because a context switch would let the page show the count.
 */
static void be_second(void)
{
	copy_memory();
	create_reader((void *)1);
	be_undisturbed();
	while (!is_delayed())
		;
	check_owner("when both read");
	check(!told->done, "the first reader is not done");
	delay_end();
}

/*
 * Test a read of the owner after the first reader has allocated the page's memory, and before it
 * has notified the owner.
 */
static void test_second(void)
{
	spin_until_end_at("task_work_add");
	run_owner(be_second, NULL);
	delay_remove();
}

static void *be_last(void *unused)
{
	stay_on(0);
	name_delayed();
	read_page();
	check(page->state == VPMC_STATE_STOPPED &&
		      page->count[0].high[0] == VPMC_PAGE_INVALID,
	      "the page of a thread that is gone shows no count");
	_exit(check_failures > 0);
	return unused;
}

static void be_gone(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, be_last, NULL))
		errx(2, "no thread");
	while (!told->go)
		usleep(1000);
	syscall(SYS_exit, 0);
}

static void let_go(pid_t pid)
{
	until_delayed();
	told->go = true;
	while (state_of((uint32_t)pid) != 'Z')
		usleep(1000);
	delay_end();
}

/* Test an owner that exits while another task makes the first read. */
static void test_gone(void)
{
	delay_at("vpmc_page_alloc");
	run_owner(be_gone, let_go);
	delay_remove();
}

static int be_child_of_vfork(void *unused)
{
	(void)unused;
	told->count = vpmc_count(0);
	return 0;
}

/*
 * Be the owner, and create a process with the owner's memory and thread pointer that reads the page
 * first.
 */
static void be_creator(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	pid_t pid = clone(be_child_of_vfork, stack + sizeof(stack),
			  CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

	if (pid < 0)
		err(2, "clone");
	check_owner("when a child of vfork has read");
	check(told->count < 0, "which found no count: %lld",
	      (long long)told->count);
	waitpid(pid, NULL, 0);
}

static void test_vfork(void)
{
	run_owner(be_creator, NULL);
}

int main(void)
{
	struct vpmc_map map = { .size = sizeof(map) };

	told = shared(sizeof(*told));
	start_at_most(2);
	start_arg(FIRST, 0);
	stop_arg();
	mapped();
	if (request(open_device(), VPMC_MAP, &map))
		errx(2, "VPMC_MAP");
	page = pointer_to(map.address);
	test_threads();
	test_outside();
	test_second();
	test_gone();
	test_vfork();
	return check_status();
}
