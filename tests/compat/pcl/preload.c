// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is a fake driver for programs that cannot be linked with tests/unit/lib/fake_driver.c.
 * LD_PRELOAD loads it. It shows a Pentium with MMX. On the nth read after a start, event number
 * i, counted from 0, has the count (i + 1) * 100 * n.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/vpmc.h>
#include <stdarg.h>
#include <string.h>

static int device = -1;
static unsigned int reads;

static int fail(int error)
{
	errno = error;
	return -1;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = NULL;
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	*(void **)&next = dlsym(RTLD_NEXT, "open");
	if (strcmp(path, VPMC_DEVICE) != 0)
		return next(path, flags, mode);
	device = next("/dev/null", flags);
	return device;
}

static int answer_info(struct vpmc_info *info)
{
	const __u32 size = info->size;

	memset(info, 0, size);
	info->size = size;
	info->abi_version = VPMC_ABI_VERSION;
	info->nr_counters = 2;
	info->counter_bits = 40;
	strcpy(info->pmu, "p5mmx");
	return 0;
}

static int answer_start(struct vpmc_start *start)
{
	reads = 0;
	start->generation = 7;
	start->start = start->self_start = 21;
	return 0;
}

static int answer_read(struct vpmc_read *read)
{
	unsigned int i;

	reads++;
	read->nr_counts = VPMC_MAX_EVENTS;
	read->generation = 7;
	read->start = 21;
	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		read->count[i] = (i + 1ULL) * 100 * reads;
	return 0;
}

static int answer_stop(struct vpmc_stop *stop)
{
	stop->generation = 7;
	stop->start = 21;
	return 0;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int, unsigned long, ...) = NULL;
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	*(void **)&next = dlsym(RTLD_NEXT, "ioctl");
	if (device < 0 || fd != device)
		return next(fd, request, argument);
	switch (request) {
	case VPMC_INFO:
		return answer_info(argument);
	case VPMC_START:
		return answer_start(argument);
	case VPMC_STOP:
		return answer_stop(argument);
	case VPMC_READ:
		return answer_read(argument);
	default:
		return fail(ENOTTY);
	}
}
