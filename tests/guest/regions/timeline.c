// SPDX-License-Identifier: GPL-2.0-only
/* timeline WHAT [SIGNALS]: run regions, in one of several ways, for perfex --timeline. */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc_region.h>

/* This executes 2n + 1 instructions, of which n are branches. */
#define WORK(n)                                   \
	__asm__ __volatile__("movl %0, %%ecx\n"   \
			     "1:\tdecl %%ecx\n\t" \
			     "jnz 1b"             \
			     :                    \
			     : "i"(n)             \
			     : "ecx", "cc")

/* This number of turns does not fit into several windows of the file. */
#define TURNS 4000

static int wanted;
static volatile sig_atomic_t handled;

static void turn(void)
{
	vpmc_region_begin("turn");
	WORK(100);
	vpmc_region_end("turn");
}

static void many(void)
{
	int i;

	vpmc_region_begin("outer");
	for (i = 0; i < TURNS; i++)
		turn();
	vpmc_region_end("outer");
}

static void handle(int signo)
{
	(void)signo;
	vpmc_region_begin("handler");
	WORK(10);
	vpmc_region_end("handler");
	handled++;
}

/* Run a signal handler at each clock tick, at any place in the code. */
static void handlers(void)
{
	const struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	const struct sigaction action = { .sa_handler = handle };

	turn();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	vpmc_region_begin("outer");
	while (handled < wanted)
		turn();
	vpmc_region_end("outer");
	signal(SIGALRM, SIG_IGN);
}

static void await(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		err(2, "fork");
}

static void forks(void)
{
	pid_t pid;

	vpmc_region_begin("parent");
	turn();
	pid = fork();
	if (!pid) {
		vpmc_region_begin("child");
		turn();
		vpmc_region_end("child");
		/* This region began in the parent, so the child's timeline does not have it. */
		vpmc_region_end("parent");
		exit(0);
	}
	await(pid);
	pid = _Fork();
	if (!pid) {
		turn();
		vpmc_region_begin("lone");
		WORK(100);
		vpmc_region_end("lone");
		exit(0);
	}
	await(pid);
	turn();
	vpmc_region_end("parent");
}

/* Be killed, without a chance to write data at the end. */
static void killed(void)
{
	turn();
	vpmc_region_begin("open");
	turn();
	raise(SIGKILL);
}

/* Begin regions within each other until the stack is full, so that SIGSEGV ends the process. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void overflow(void)
{
	volatile char frame[256] = { 1 };

	vpmc_region_begin("deep");
	/* The compiler must not replace the call by a jump. */
	if (frame[0])
		overflow();
	frame[1] = 0;
}

static void *leave_open(void *unused)
{
	vpmc_region_begin("open");
	turn();
	pthread_exit(unused);
}

static void join(pthread_t thread)
{
	if (pthread_join(thread, NULL))
		errx(2, "pthread_join");
}

/* A thread exits within a region, and the process goes on. */
static void left(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, leave_open, NULL))
		errx(2, "pthread_create");
	join(thread);
	turn();
}

static void executed(void)
{
	turn();
	vpmc_region_begin("open");
	execl("/proc/self/exe", "timeline", "many", (char *)NULL);
	err(2, "execl");
}

static void leave_at_once(void)
{
	_exit(0);
}

static void die(void)
{
	raise(SIGKILL);
}

static void execute(void)
{
	execl("/bin/sh", "sh", "-c", ":", (char *)NULL);
}

/*
 * Create processes that end without exit(3). The last one is created by _Fork(), without fork
 * handlers.
 */
static void workers(void)
{
	void (*const ends[])(void) = { leave_at_once, die, execute };
	size_t i;
	pid_t pid;

	turn();
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		pid = fork();
		if (!pid) {
			turn();
			turn();
			ends[i]();
			err(2, "the worker goes on");
		}
		await(pid);
	}
	pid = _Fork();
	if (!pid) {
		turn();
		_exit(0);
	}
	await(pid);
	turn();
}

static void unmatched(void)
{
	vpmc_region_begin("a");
	vpmc_region_begin("b");
	turn();
	vpmc_region_end("never begun");
	vpmc_region_end("a");
	vpmc_region_begin("a");
	vpmc_region_end("a");
}

static const struct {
	const char *name;
	void (*run)(void);
} whats[] = {
	{ "many", many },	{ "handlers", handlers },
	{ "forks", forks },	{ "killed", killed },
	{ "exec", executed },	{ "unmatched", unmatched },
	{ "workers", workers }, { "overflow", overflow },
	{ "left", left },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc > 2)
		wanted = (int)strtol(argv[2], NULL, 10);
	for (i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
		if (argc > 1 && !strcmp(argv[1], whats[i].name)) {
			whats[i].run();
			return 0;
		}
	}
	errx(2,
	     "say what: timeline many, handlers, forks, killed, exec, unmatched, workers, overflow or left");
}
