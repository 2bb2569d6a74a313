// SPDX-License-Identifier: GPL-2.0-only
/*
 * msrs ACCESS...: test accesses to registers of the processor through the kernel's module msr.
 *
 *   MSR=VALUE	can be written
 *   MSR!VALUE	faults when this is written
 *   MSR:VALUE	reads as this
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"

static void check_access(int fd, const char *text)
{
	char *end;
	uint32_t msr = strtoul(text, &end, 0);
	uint64_t value = strtoull(end + 1, NULL, 0), got;
	ssize_t size;

	if (*end == ':') {
		size = pread(fd, &got, sizeof(got), msr);
		check(size == sizeof(got) && got == value,
		      "%#x reads as %#" PRIx64 ", want %#" PRIx64, msr, got,
		      value);
		return;
	}
	size = pwrite(fd, &value, sizeof(value), msr);
	check(*end == '=' ? size == sizeof(value) : size < 0 && errno == EIO,
	      "%#x %s %#" PRIx64, msr, *end == '=' ? "takes" : "refuses",
	      value);
}

int main(int argc, char **argv)
{
	int fd = open("/dev/cpu/0/msr", O_RDWR);

	if (fd < 0)
		err(2, "/dev/cpu/0/msr");
	for (int i = 1; i < argc; i++)
		check_access(fd, argv[i]);
	return check_status();
}
