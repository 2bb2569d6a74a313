// SPDX-License-Identifier: GPL-2.0-only
/* See delayed.h. */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "delayed.h"

#define TICKS "/sys/module/ticks/parameters/"
#define NAME  "delayed"

/* Longer than anything takes here: if this comes to its end, the test fails. */
#define LONGEST "60000000"

/* Long enough for another process to do what it is let to, if nothing prevents that. */
#define SPIN "1000000"

/* The modules, and the names of those that they hold. */
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

void spin_at(const char *function)
{
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "comm=%s usec=" SPIN " spin=1",
		 names[used]);
	load(modules[used], parameters, function);
}

static FILE *open_parameter(const char *name, const char *how)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s",
		 modules[used], name);
	file = fopen(path, how);
	if (!file)
		err(2, "%s", path);
	return file;
}

static bool is_set(FILE *file)
{
	int value = file ? fgetc(file) : EOF;

	if (value == EOF)
		errx(2, "a module's parameter cannot be read");
	fclose(file);
	return value == 'Y';
}

static bool is_held(void)
{
	return is_set(open_parameter("held", "re"));
}

void until_delayed(void)
{
	while (!is_held())
		usleep(1000);
}

void delay_end(void)
{
	bool held = is_held();
	FILE *file = open_parameter("usec", "we");

	if (fputs("0", file) == EOF || fclose(file))
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

	while (is_set(fopen(TICKS "stepping", "re")))
		usleep(1000);
	calls = (unsigned int)number_in(TICKS "calls", "");
	if (syscall(SYS_delete_module, "ticks", 0))
		err(2, "ticks.ko cannot be removed");
	return calls;
}
