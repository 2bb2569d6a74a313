// SPDX-License-Identifier: GPL-2.0-only
/* This file creates targets that count for another process, and controls them. */
#include <err.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

void *pointer_to(uint64_t address)
{
	uintptr_t value = (uintptr_t)address;
	void *pointer;

	memcpy(&pointer, &value, sizeof(pointer));
	return pointer;
}

char state_of(uint32_t tid)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/stat", tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(file);
	return state;
}

/*
 * Return whether the thread is in a read of @fd. /proc shows the number and the arguments of
 * its system call.
 */
static bool is_reading(uint32_t tid, int fd)
{
	char path[32];
	char wanted[32], shown[128] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/syscall", tid);
	file = fopen(path, "re");
	if (!file)
		err(2, "%s", path);
	snprintf(wanted, sizeof(wanted), "%u %#x ", SYS_read, (unsigned int)fd);
	if (!fgets(shown, sizeof(shown), file))
		shown[0] = '\0';
	fclose(file);
	return !strncmp(shown, wanted, strlen(wanted));
}

void until_at_gate(uint32_t tid, const struct gate *gate)
{
	/* While the thread is being woken, /proc still shows that it is reading. */
	while (state_of(tid) != 'S' || !is_reading(tid, gate->in))
		usleep(500);
}

struct target target_new(void)
{
	return (struct target){ .script = script_new(), .gate = gate_new() };
}

struct cost target_gate(struct target *t, bool counts)
{
	return script_gate_then(&t->script, t->gate.in, counts);
}

void target_gate_start(struct target *t)
{
	t->script.counts = false;
	t->script.cost = NOTHING;
	target_gate(t, true);
}

void target_create(struct target *t)
{
	t->pid = child_fork();
	if (!t->pid)
		script_run(&t->script);
	until_at_gate((uint32_t)t->pid, &t->gate);
}

void target_pass(struct target *t)
{
	gate_open(&t->gate);
	until_at_gate((uint32_t)t->pid, &t->gate);
}

void target_end(struct target *t)
{
	gate_open(&t->gate);
	if (waitid(P_PID, (id_t)t->pid, NULL, WEXITED | WNOWAIT))
		err(2, "waitid");
}

void target_reap(struct target *t)
{
	if (waitpid(t->pid, NULL, 0) != t->pid)
		err(2, "waitpid");
}

int attach(int fd, int id, unsigned int flags, uint64_t *generation)
{
	struct vpmc_attach arg = { .size = sizeof(arg),
				   .flags = flags,
				   .id = id };
	int result = request(fd, VPMC_ATTACH, &arg);

	if (generation)
		*generation = arg.generation;
	return result;
}

int hold(int id, unsigned int flags)
{
	int fd = open_device();
	int result = attach(fd, id, flags, NULL);

	if (result)
		check(false, "attach to %d, flags %u: errno %d", id, flags,
		      -result);
	return fd;
}

int target_hold(struct target *t, unsigned int flags)
{
	target_create(t);
	return hold(t->pid, flags);
}

/*
 * These are the arguments of start(). They are allocated once, because shared memory is never
 * freed and there are thousands of calls.
 */
static struct vpmc_start wanted[2];

void start_prepare(void)
{
	wanted[FIRST] = *start_arg(FIRST, 0);
	wanted[OTHER] = *start_arg(OTHER, 0);
}

int start(int fd, enum events events, unsigned int flags, uint64_t *generation)
{
	struct vpmc_start arg;
	int result;

	if (!wanted[events].size)
		start_prepare();
	arg = wanted[events];
	arg.flags = flags;
	result = request(fd, VPMC_START, &arg);
	if (generation)
		*generation = arg.generation;
	return result;
}

void must_start_shared(int fd, enum events events, unsigned int flags)
{
	struct vpmc_start *start =
		start_arg(events, flags | VPMC_START_MULTIPLEX);
	unsigned int i, nr = start->nr_events;
	int result;

	for (i = 0; i < nr; i++)
		start->event[nr + i] = start->event[i];
	start->nr_events = 2 * nr;
	result = request(fd, VPMC_START, start);
	if (result)
		check(false, "a start of %u events: errno %d", 2 * nr, -result);
}

int stop(int fd, uint64_t *generation)
{
	struct vpmc_stop arg = { .size = sizeof(arg) };
	int result = request(fd, VPMC_STOP, &arg);

	if (generation)
		*generation = arg.generation;
	return result;
}

uint64_t must_start(int fd, enum events events, unsigned int flags)
{
	uint64_t generation;
	int result = start(fd, events, flags, &generation);

	if (result)
		check(false, "start, flags %#x: errno %d", flags, -result);
	return generation;
}

uint64_t must_stop(int fd)
{
	uint64_t generation;
	int result = stop(fd, &generation);

	if (result)
		check(false, "stop: errno %d", -result);
	return generation;
}

int try_read(int fd, unsigned int scope)
{
	struct vpmc_read read = { .size = sizeof(read), .scope = scope };

	return request(fd, VPMC_READ, &read);
}

void check_held(int fd, unsigned int scope, struct cost want,
		enum vpmc_state state, uint64_t generation, const char *what)
{
	struct vpmc_read read = read_scope(fd, scope);

	check_read(&read, want, 0, what);
	check(read.state == state && read.generation == generation,
	      "%s: state %u generation %llu want %u %llu", what, read.state,
	      read.generation, state, (unsigned long long)generation);
}

void check_children(struct cost want, unsigned int missing, const char *what)
{
	int fd = open_device();

	check_scope(fd, VPMC_SCOPE_CHILDREN, want, missing, what);
	close(fd);
}
