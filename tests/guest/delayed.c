// SPDX-License-Identifier: GPL-2.0-only
/* See delayed.h. */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "delayed.h"

#define PARAMETERS "/sys/module/delay/parameters/"
#define TICKS	   "/sys/module/ticks/parameters/"
#define NAME	   "delayed"

/* Longer than anything takes here: if this comes to its end, the test fails. */
#define LONGEST "60000000"

void script_name_delayed(struct script *s)
{
	char *name = shared(sizeof(NAME));

	memcpy(name, NAME, sizeof(NAME));
	script_call(s, SYS_prctl, PR_SET_NAME, P(name));
}

static void load(const char *file, const char *parameters, const char *function)
{
	int module = open(file, O_RDONLY | O_CLOEXEC);
	char all[128];

	snprintf(all, sizeof(all), "%s function=%s", parameters, function);
	if (module < 0 || syscall(SYS_finit_module, module, all, 0))
		err(2, "%s at %s", file, function);
	close(module);
}

void delay_at(const char *function)
{
	load("delay.ko", "comm=" NAME " usec=" LONGEST, function);
}

static bool is_set(const char *parameter)
{
	FILE *file = fopen(parameter, "re");
	int value = file ? fgetc(file) : EOF;

	if (value == EOF)
		err(2, "%s", parameter);
	fclose(file);
	return value == 'Y';
}

static bool is_held(void)
{
	return is_set(PARAMETERS "held");
}

void until_delayed(void)
{
	while (!is_held())
		usleep(1000);
}

void delay_end(void)
{
	bool held = is_held();
	FILE *file = fopen(PARAMETERS "usec", "we");

	if (!file || fputs("0", file) == EOF || fclose(file))
		err(2, PARAMETERS "usec");
	check(held, "the process was held all the time");
}

void delay_remove(void)
{
	if (syscall(SYS_delete_module, "delay", 0))
		err(2, "delay.ko cannot be removed");
}

void ticks_begin(const char *function)
{
	load("ticks.ko", "comm=" NAME, function);
}

unsigned int ticks_end(void)
{
	unsigned int calls;
	FILE *file;

	while (is_set(TICKS "stepping"))
		usleep(1000);
	file = fopen(TICKS "calls", "re");
	if (!file || fscanf(file, "%u", &calls) != 1)
		err(2, TICKS "calls");
	fclose(file);
	if (syscall(SYS_delete_module, "ticks", 0))
		err(2, "ticks.ko cannot be removed");
	return calls;
}
