// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticks: test that the clock may tick at any instruction of the driver's calls and hooks, in a
 * thread that counts and has requested signals.
 *
 * The module "ticks" of delay/ makes the clock tick at each instruction of a kernel function and of
 * the functions that it calls. The test does this for several kernel functions. The counts must be
 * exact, and the kernel must survive.
 */
#include <signal.h>
#include <sys/syscall.h>

#include "delayed.h"

#define ROUNDS 50

/*
 * This is a period with which signals come all the time. Only threads that do not sleep use it. A
 * sleeping thread would restart its system call again and again, and would count the repetitions.
 */
#define OFTEN 3
#define NEVER (UINT64_C(1) << 40)

static struct vpmc_signal *signal_arg(unsigned int event, uint64_t period)
{
	struct vpmc_signal *arg = shared(sizeof(*arg));

	*arg = (struct vpmc_signal){
		.size = sizeof(*arg),
		.event = event,
		.signo = SIGRTMIN + 1,
		.period = period,
	};
	return arg;
}

static void script_ioctl(struct script *s, int fd, uint32_t what, void *arg)
{
	script_call(s, SYS_ioctl, (uint32_t)fd, what, P(arg));
}

/* Complete the script of a thread or child. It requests signals of both events, and exits. */
static void finish(struct script *s, int fd)
{
	script_ioctl(s, fd, VPMC_SIGNAL, signal_arg(0, OFTEN));
	script_rounds(s, ROUNDS);
	script_ioctl(s, fd, VPMC_SIGNAL, signal_arg(1, OFTEN));
	script_exit(s, 0);
}

/* Add a thread to the script. Returns the cost of the thread. */
static struct cost script_thread_of(struct script *s, int fd)
{
	struct script thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));

	script_thread(s, &thread, pair);
	finish(&thread, fd);
	script_join(s, pair);
	return thread.cost;
}

static void test(const char *function)
{
	struct family f = family_new();
	struct vpmc_map *map = shared(sizeof(*map));
	struct script child;
	struct cost thread;
	int own = open_device();

	map->size = sizeof(*map);
	signal(SIGRTMIN + 1, SIG_IGN);
	ticks_begin(function);
	f.parent = script_new();
	script_name_delayed(&f.parent);
	script_start(&f.parent, f.fd, f.start);
	script_ioctl(&f.parent, f.fd, VPMC_SIGNAL, signal_arg(0, NEVER));
	script_ioctl(&f.parent, f.fd, VPMC_MAP, map);
	thread = script_thread_of(&f.parent, f.fd);
	child = family_child(&f);
	finish(&child, own);
	script_wait(&f.parent);
	child = family_child(&f);
	script_exec_exactly(&child, "exactly-1000", 1000);
	script_wait(&f.parent);
	script_read(&f.parent, f.fd, read_arg(VPMC_SCOPE_SELF));
	script_stop(&f.parent, f.fd, f.stop);
	script_back(&f.parent);
	script_run(&f.parent);
	check_scope(f.fd, VPMC_SCOPE_SELF, cost_add(f.parent.cost, thread), 0,
		    function);
	check(ticks_end(), "%s has been stepped", function);
}

static const char *const functions[] = {
	SYSTEM_CALL("ioctl"),  "exit_thread",	     "kernel_clone",
	SYSTEM_CALL("execve"), SYSTEM_CALL("wait4"),
};

static unsigned int number;

static void test_next(void)
{
	test(functions[number]);
}

int main(void)
{
	for (number = 0; number < sizeof(functions) / sizeof(functions[0]);
	     number++)
		run(test_next);
	return check_status();
}
