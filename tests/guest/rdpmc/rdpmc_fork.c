// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_fork: test that a process with a page and its children may execute RDPMC, and that no other
 * process may. This must hold even if other threads of the process map and unmap their pages while
 * it forks.
 *
 * A fork is held between the copy of the mm and the copy of its mappings. Another thread maps or
 * unmaps its page in this time.
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

/* A fork calls this function after it has copied the mm, and before it copies the mappings. */
#define BETWEEN "pgd_alloc"

/* This is the argument that makes this program execute RDPMC. */
#define EXECUTE "execute"

/*
 * This is the number of forks during which threads map and unmap their pages, and the number of
 * these threads.
 */
#define FORKS	200
#define MAPPERS 2

static void rdpmc(void)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
}

static void *map(int fd)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	int result = request(fd, VPMC_MAP, &arg);

	if (result)
		check(false, "map: errno %d", -result);
	return pointer_to(arg.address);
}

static void unmap(void *page)
{
	if (munmap(page, (size_t)getpagesize()))
		check(false, "munmap");
}

/* This is the action of a child before it executes RDPMC. */
enum deed {
	NOTHING_ELSE,
	FORK,	   /* its own child executes RDPMC */
	EXEC,	   /* another program executes RDPMC */
	UNMAP,	   /* it unmaps its page */
	UNMAP_ALL, /* it also unmaps pages of other threads */
};

static void *own_page, *other_page;

static bool dies(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

/*
 * Execute RDPMC twice: once in the state in which the fork has left the processor, and once after a
 * context switch.
 */
static _Noreturn void execute(void)
{
	rdpmc();
	usleep(1000);
	rdpmc();
	_exit(0);
}

static _Noreturn void be_child(enum deed deed)
{
	pid_t pid;

	switch (deed) {
	case FORK:
		pid = (pid_t)syscall(SYS_fork);
		if (!pid)
			execute();
		if (dies(pid))
			kill(getpid(), SIGSEGV);
		_exit(0);
	case EXEC:
		execl("rdpmc_fork", "rdpmc_fork", EXECUTE, (char *)NULL);
		_exit(1);
	case UNMAP_ALL:
		munmap(other_page, (size_t)getpagesize());
		/* fallthrough */
	case UNMAP:
		munmap(own_page, (size_t)getpagesize());
		break;
	default:
		break;
	}
	execute();
}

/*
 * Fork a child that takes the action @deed and executes RDPMC. Returns whether RDPMC kills the
 * child.
 */
static bool child_dies(enum deed deed)
{
	pid_t pid;

	fflush(stdout);
	/*
	 * Do not use fork() of the C library. Its lock would prevent other threads from creating
	 * threads.
	 */
	pid = (pid_t)syscall(SYS_fork);
	if (pid < 0)
		err(2, "fork");
	if (!pid)
		be_child(deed);
	return dies(pid);
}

static bool vforked_dies(void)
{
	/* The linter advises against vfork(), but this test is about vfork(). */
	pid_t pid = vfork(); /* NOLINT(clang-analyzer-security*) */

	if (!pid) {
		execl("rdpmc_fork", "rdpmc_fork", EXECUTE, (char *)NULL);
		_exit(1);
	}
	return dies(pid);
}

/* This is another thread, which maps a page and unmaps it on request. */
struct mapper {
	pthread_t id;
	struct gate go, done;
	void *page;
};

/* Map a page of this thread, and unmap it on request. */
static void *map_and_unmap(void *argument)
{
	struct mapper *m = argument;

	m->page = map(open_device());
	gate_open(&m->done);
	gate_wait(&m->go);
	unmap(m->page);
	gate_open(&m->done);
	return NULL;
}

static struct mapper *mapper_new(void)
{
	struct mapper *m = calloc(1, sizeof(*m));

	if (!m)
		err(2, "calloc");
	m->go = gate_new();
	m->done = gate_new();
	return m;
}

static void mapper_map(struct mapper *m)
{
	if (pthread_create(&m->id, NULL, map_and_unmap, m))
		errx(2, "no thread");
	gate_wait(&m->done);
	other_page = m->page;
}

static void mapper_unmap(struct mapper *m)
{
	gate_open(&m->go);
	gate_wait(&m->done);
	pthread_join(m->id, NULL);
}

/* Check that RDPMC is refused in every child of a thread without a page. */
static void check_refused(const char *when)
{
	check(child_dies(NOTHING_ELSE), "%s: a child is refused", when);
	check(child_dies(FORK), "%s: and a child's child", when);
	check(child_dies(EXEC), "%s: and another program", when);
	check(vforked_dies(), "%s: and after vfork", when);
}

static void check_allowed(const char *when)
{
	rdpmc();
	check(!child_dies(NOTHING_ELSE), "%s: a child may", when);
	check(!child_dies(FORK), "%s: and a child's child", when);
	check(child_dies(EXEC), "%s: but not another program", when);
	check(vforked_dies(), "%s: nor after vfork", when);
	check(child_dies(UNMAP), "%s: nor one that unmaps its page", when);
	check(child_dies(UNMAP_ALL), "%s: nor one that unmaps all", when);
}

/* Test forks for each combination of pages of this thread and of another one, without a race. */
static void test_orders(void)
{
	struct mapper *m = mapper_new();
	int fd = open_device();

	check_refused("nobody has a page");
	mapper_map(m);
	check_refused("another thread has one");
	own_page = map(fd);
	check_allowed("both have one");
	mapper_unmap(m);
	check_allowed("this thread has one");
	unmap(own_page);
	check_refused("nobody has one any more");
	own_page = map(fd);
	mapper_map(m);
	unmap(own_page);
	check_refused("another thread has kept its one");
	mapper_unmap(m);
	check_refused("nobody has kept one");
}

/**
 * struct forker - the thread whose fork is held
 * @id: the thread
 * @ready, @go: gates at which the test and the thread wait for each other
 * @has_page: true if the thread maps its own page first
 * @deed: the action of its child
 * @dies: whether the child was killed
 */
struct forker {
	pthread_t id;
	struct gate ready, go;
	bool has_page, dies;
	enum deed deed;
};

static void *fork_held(void *argument)
{
	struct forker *f = argument;

	if (f->has_page)
		own_page = map(open_device());
	gate_open(&f->ready);
	gate_wait(&f->go);
	prctl(PR_SET_NAME, "delayed");
	f->dies = child_dies(f->deed);
	prctl(PR_SET_NAME, "done");
	return NULL;
}

enum change { MAP_MEANWHILE, UNMAP_MEANWHILE, UNMAP_FORKERS };

/* Fork with or without a page, while another thread maps or unmaps a page. */
static void test_held(bool has_page, enum change change, enum deed deed,
		      bool dies, const char *what)
{
	struct forker f = { .ready = gate_new(),
			    .go = gate_new(),
			    .has_page = has_page,
			    .deed = deed };
	struct mapper *m = mapper_new();

	if (pthread_create(&f.id, NULL, fork_held, &f))
		errx(2, "no thread");
	gate_wait(&f.ready);
	if (change == UNMAP_MEANWHILE)
		mapper_map(m);
	delay_at(BETWEEN);
	gate_open(&f.go);
	until_delayed();
	if (change == MAP_MEANWHILE)
		mapper_map(m);
	else if (change == UNMAP_MEANWHILE)
		mapper_unmap(m);
	else
		unmap(own_page);
	delay_end();
	pthread_join(f.id, NULL);
	delay_remove();
	check(f.dies == dies, "%s", what);
	if (change == MAP_MEANWHILE)
		mapper_unmap(m);
	free(m);
}

/* These are the tests of held forks. Each one runs in its own process. */
static const struct {
	bool has_page;
	enum change change;
	enum deed deed;
	bool dies;
	const char *what;
} held[] = {
	{ false, UNMAP_MEANWHILE, NOTHING_ELSE, true,
	  "unmapped meanwhile: a child is refused" },
	{ false, UNMAP_MEANWHILE, FORK, true,
	  "unmapped meanwhile: and a child's child" },
	{ false, MAP_MEANWHILE, NOTHING_ELSE, true,
	  "mapped meanwhile: a child is refused" },
	{ false, MAP_MEANWHILE, UNMAP_ALL, true,
	  "mapped meanwhile: and one that unmaps the copy" },
	{ true, UNMAP_MEANWHILE, NOTHING_ELSE, false,
	  "another one unmapped meanwhile: the child of who has one may" },
	{ true, MAP_MEANWHILE, NOTHING_ELSE, false,
	  "another one mapped meanwhile: the child of who has one may" },
	{ true, UNMAP_MEANWHILE, UNMAP, true,
	  "another one unmapped meanwhile: until it unmaps its page" },
	{ true, MAP_MEANWHILE, UNMAP_ALL, true,
	  "another one mapped meanwhile: until it unmaps all" },
	{ true, UNMAP_FORKERS, NOTHING_ELSE, true,
	  "its own unmapped meanwhile: a child is refused" },
};

static unsigned int number;

static void test_next(void)
{
	test_held(held[number].has_page, held[number].change, held[number].deed,
		  held[number].dies, held[number].what);
}

static _Noreturn void *map_for_ever(void *unused)
{
	int fd = open_device();

	(void)unused;
	for (;;)
		unmap(map(fd));
}

static void test_storm(void)
{
	unsigned int i, alive = 0;
	pthread_t id;

	for (i = 0; i < MAPPERS; i++)
		if (pthread_create(&id, NULL, map_for_ever, NULL))
			errx(2, "no thread");
	for (i = 0; i < FORKS; i++)
		alive += !child_dies(i % 2 ? NOTHING_ELSE : FORK);
	check(!alive, "%u of %u children without a page are not refused", alive,
	      FORKS);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], EXECUTE))
		execute();
	run(test_orders);
	for (number = 0; number < sizeof(held) / sizeof(held[0]); number++)
		run(test_next);
	run(test_storm);
	return check_status();
}
