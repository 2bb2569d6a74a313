// SPDX-License-Identifier: GPL-2.0-only
/* This file has the operations of "sweep" that are calls of the driver. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sweep.h"

/* Allocate a structure of the interface, and set its size. */
#define NEW(type)                                              \
	new_arg(&(struct type){ .size = sizeof(struct type) }, \
		sizeof(struct type))

static void *new_arg(const void *init, size_t size)
{
	void *arg = shared(size);

	memcpy(arg, init, size);
	return arg;
}

/* Add an operation of one request on the process's handle. */
static void add_request(struct sweep *s, uint32_t what, void *arg)
{
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	sweep_ioctl(s, &s->script, s->fd, what, arg);
	sweep_end(s);
}

static void add_info(struct sweep *s)
{
	add_request(s, VPMC_INFO, NEW(vpmc_info));
}

static void add_start(struct sweep *s)
{
	sweep_begin(s, &s->script);
	sweep_start(s, 0);
	sweep_end(s);
}

static void add_again(struct sweep *s)
{
	script_start(&s->script, s->fd, start_arg(OTHER, 0));
	sweep_begin(s, &s->script);
	sweep_start(s, VPMC_START_FORCE);
	sweep_end(s);
}

static void add_resume(struct sweep *s)
{
	sweep_start(s, 0);
	script_stop(&s->script, s->fd, stop_arg());
	sweep_begin(s, &s->script);
	script_start(&s->script, s->fd, start_arg(FIRST, VPMC_START_RESUME));
	sweep_result(s, &s->script, 0);
	sweep_called(s, START);
	sweep_end(s);
}

static void add_collect(struct sweep *s)
{
	struct vpmc_read *all = read_arg(VPMC_SCOPE_ALL);

	sweep_begin(s, &s->script);
	sweep_start(s, VPMC_START_COLLECT | VPMC_START_RECORDS);
	sweep_end(s);
	sweep_read(s, all);
}

static void add_armed(struct sweep *s)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_AT_EXEC);

	sweep_begin(s, &s->script);
	sweep_ioctl(s, &s->script, s->fd, VPMC_START, start);
	sweep_called(s, START);
	sweep_ioctl(s, &s->script, s->fd, VPMC_STOP, stop_arg());
	sweep_end(s);
	sweep_start(s, 0);
}

static void add_stop(struct sweep *s)
{
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	script_stop(&s->script, s->fd, stop_arg());
	sweep_result(s, &s->script, 0);
	sweep_end(s);
}

static void add_read(struct sweep *s)
{
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	sweep_self(s);
	sweep_end(s);
}

static void add_read_thread(struct sweep *s)
{
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	sweep_read(s, read_arg(VPMC_SCOPE_THREAD));
	sweep_end(s);
}

static void add_read_children(struct sweep *s)
{
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	sweep_children(s, (struct cost){ 0, 0 });
	sweep_end(s);
}

static void add_read_all(struct sweep *s)
{
	sweep_start(s, VPMC_START_COLLECT);
	sweep_begin(s, &s->script);
	sweep_read(s, read_arg(VPMC_SCOPE_ALL));
	sweep_end(s);
}

static void add_query(struct sweep *s)
{
	struct vpmc_query *query = NEW(vpmc_query);

	query->scope = VPMC_SCOPE_SELF;
	add_request(s, VPMC_QUERY, query);
}

/* Add an operation that takes the record that a start by force has left. */
static void add_record(struct sweep *s)
{
	unsigned int flags = VPMC_START_COLLECT | VPMC_START_RECORDS;

	script_start(&s->script, s->fd, start_arg(FIRST, flags));
	sweep_start(s, VPMC_START_FORCE);
	sweep_begin(s, &s->script);
	sweep_ioctl(s, &s->script, s->fd, VPMC_RECORD, NEW(vpmc_record));
	sweep_end(s);
}

static void add_signal(struct sweep *s)
{
	add_request(s, VPMC_SIGNAL, signal_arg(0));
	sweep_called(s, SIGNAL);
}

/* Add an operation in which signals are due all the time. */
static void add_signalled(struct sweep *s)
{
	sweep_start(s, 0);
	sweep_ioctl(s, &s->script, s->fd, VPMC_SIGNAL, signal_arg(0));
	sweep_begin(s, &s->script);
	sweep_self(s);
	sweep_end(s);
}

static void add_map(struct sweep *s)
{
	add_request(s, VPMC_MAP, NEW(vpmc_map));
}

static void add_unmap(struct sweep *s)
{
	struct vpmc_map *map = NEW(vpmc_map);

	sweep_start(s, 0);
	sweep_ioctl(s, &s->script, s->fd, VPMC_MAP, map);
	sweep_begin(s, &s->script);
	script_load_address(&s->script, 0, &map->address);
	sweep_call(s, &s->script, 0, SYS_munmap, 0, 4096);
	sweep_end(s);
}

static _Noreturn void sleep_for_ever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

/* Add an operation that starts and stops another process. */
static void add_remote(struct sweep *s)
{
	pid_t target = child_fork();
	int fd;

	if (!target)
		sleep_for_ever();
	fd = hold(target, 0);
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	sweep_ioctl(s, &s->script, fd, VPMC_START, start_arg(OTHER, 0));
	sweep_ioctl(s, &s->script, fd, VPMC_STOP, stop_arg());
	sweep_end(s);
}

static void add_system(struct sweep *s)
{
	struct vpmc_start *start = start_arg(FIRST, 0);

	sweep_begin(s, &s->script);
	sweep_ioctl(s, &s->script, s->other, VPMC_SYSTEM_START, start);
	sweep_called(s, SYSTEM_START);
	sweep_ioctl(s, &s->script, s->other, VPMC_SYSTEM_READ,
		    system_read_arg(VPMC_ALL_CPUS));
	sweep_called(s, SYSTEM_REST);
	sweep_ioctl(s, &s->script, s->other, VPMC_SYSTEM_STOP, stop_arg());
	sweep_called(s, SYSTEM_REST);
	sweep_end(s);
	sweep_start(s, 0);
}

/* Add an operation that starts system mode by force while the process itself counts. */
static void add_takeover(struct sweep *s)
{
	struct vpmc_start *start = start_arg(OTHER, VPMC_START_FORCE);

	script_start(&s->script, s->fd, start_arg(FIRST, 0));
	sweep_begin(s, &s->script);
	sweep_ioctl(s, &s->script, s->other, VPMC_SYSTEM_START, start);
	s->script.counts = false;
	sweep_ioctl(s, &s->script, s->other, VPMC_SYSTEM_STOP, stop_arg());
	sweep_end(s);
	sweep_start(s, 0);
}

/* Add an operation that opens a handle, attaches it to the process itself, and closes it. */
static void add_attach(struct sweep *s)
{
	static const char *const device = VPMC_DEVICE;
	struct vpmc_attach *attach = NEW(vpmc_attach);
	uint32_t *fd = shared(sizeof(*fd));
	char *path = new_arg(device, sizeof(VPMC_DEVICE));

	sweep_start(s, 0);
	script_call(&s->script, SYS_getpid);
	script_save(&s->script, (uint32_t *)&attach->id);
	sweep_begin(s, &s->script);
	script_call(&s->script, SYS_open, P(path));
	script_save(&s->script, fd);
	script_load(&s->script, 0, fd);
	sweep_call(s, &s->script, 0, SYS_ioctl, 0, VPMC_ATTACH, P(attach));
	script_load(&s->script, 0, fd);
	sweep_call(s, &s->script, 0, SYS_close);
	sweep_end(s);
}

const struct operation sweep_calls[] = {
	{ "info", add_info, 50 },
	{ "start", add_start, 500 },
	{ "again", add_again, 500 },
	{ "resume", add_resume, 500 },
	{ "collect", add_collect, 500 },
	{ "armed", add_armed, 500 },
	{ "stop", add_stop, 200 },
	{ "read", add_read, 300 },
	{ "read-thread", add_read_thread, 240 },
	{ "read-children", add_read_children, 200 },
	{ "read-all", add_read_all, 300 },
	{ "query", add_query, 100 },
	{ "record", add_record, 100 },
	{ "signal", add_signal, 100 },
	{ "signalled", add_signalled, 300 },
	{ "map", add_map, 100 },
	{ "unmap", add_unmap, 40 },
	{ "remote", add_remote, 500 },
	{ "system", add_system, 500 },
	{ "takeover", add_takeover, 500 },
	{ "attach", add_attach, 300 },
};

const unsigned int nr_sweep_calls =
	sizeof(sweep_calls) / sizeof(sweep_calls[0]);
