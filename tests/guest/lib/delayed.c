// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file controls the modules of delay/, which hold processes at functions of the
 * kernel.
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "delayed.h"

#define TICKS "/sys/module/ticks/parameters/"
#define NAME  "delayed"

/* This time is longer than any operation of a test. If it runs out, the test fails. */
#define LONGEST "60000000"

/* This time is long enough for another process to finish its operation, if nothing blocks it. */
#define SPIN "1000000"

/* These are the modules, and the names of the processes that they hold. */
static const char *const modules[] = { "delay", "delay2" };
static const char *const names[] = { NAME, "delayed2" };
static unsigned int used;

void delay_use(unsigned int module)
{
	used = module;
}

void script_name_delayed(struct script *s)
{
	size_t size = strlen(names[used]) + 1;
	char *name = shared(size);

	memcpy(name, names[used], size);
	script_call(s, SYS_prctl, PR_SET_NAME, P(name));
}

struct target target_forking(struct script *child, unsigned int rounds)
{
	struct target t = target_new();

	*child = script_new();
	script_name_delayed(&t.script);
	target_gate(&t, true);
	script_fork(&t.script, child, SYS_fork);
	script_rounds(child, rounds);
	script_exit(child, 0);
	script_wait(&t.script);
	script_exit(&t.script, 0);
	return t;
}

void name_delayed(void)
{
	if (prctl(PR_SET_NAME, names[used]))
		err(2, "prctl");
}

static void load(const char *module, const char *parameters,
		 const char *function)
{
	char file[32], all[128];
	int fd;

	snprintf(file, sizeof(file), "%s.ko", module);
	snprintf(all, sizeof(all), "%s function=%s", parameters, function);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, all, 0))
		err(2, "%s at %s", file, function);
	close(fd);
}

static void delay_named_at(const char *name, const char *function)
{
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "comm=%s usec=" LONGEST, name);
	load(modules[used], parameters, function);
}

void delay_at(const char *function)
{
	delay_named_at(names[used], function);
}

void delay_first_at(const char *function)
{
	delay_named_at(names[0], function);
}

static void spin_for(const char *usec, const char *function)
{
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "comm=%s usec=%s spin=1",
		 names[used], usec);
	load(modules[used], parameters, function);
}

void spin_at(const char *function)
{
	spin_for(SPIN, function);
}

void spin_until_end_at(const char *function)
{
	spin_for(LONGEST, function);
}

static int open_parameter(const char *name, int how)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s",
		 modules[used], name);
	fd = open(path, how | O_CLOEXEC);
	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

/*
 * Return whether a parameter is true. Use read(2), because a stream would need memory, and perhaps
 * a lock that the held thread has.
 */
static bool is_set(int fd)
{
	char value;

	if (fd < 0 || read(fd, &value, 1) != 1)
		errx(2, "a module's parameter cannot be read");
	close(fd);
	return value == 'Y';
}

bool is_delayed(void)
{
	return is_set(open_parameter("held", O_RDONLY));
}

void until_delayed(void)
{
	while (!is_delayed())
		usleep(1000);
}

void delay_end(void)
{
	bool held = is_delayed();
	int fd = open_parameter("usec", O_WRONLY);

	if (write(fd, "0", 1) != 1 || close(fd))
		err(2, "usec");
	check(held, "the process was held all the time");
}

void delay_remove(void)
{
	if (syscall(SYS_delete_module, modules[used], 0))
		err(2, "%s cannot be removed", modules[used]);
}

void ticks_begin(const char *function)
{
	load("ticks", "comm=" NAME, function);
}

unsigned int ticks_end(void)
{
	unsigned int calls;

	while (is_set(open(TICKS "stepping", O_RDONLY | O_CLOEXEC)))
		usleep(1000);
	calls = (unsigned int)number_in(TICKS "calls", "");
	if (syscall(SYS_delete_module, "ticks", 0))
		err(2, "ticks.ko cannot be removed");
	return calls;
}
