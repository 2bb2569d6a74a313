// SPDX-License-Identifier: GPL-2.0-only
/* fake_driver.c calls stat() by the name that the linker gives it in a test that wraps stat(). */
#include <sys/stat.h>

int __real_stat(const char *path, struct stat *to);
int __wrap_stat(const char *path, struct stat *to);

int __wrap_stat(const char *path, struct stat *to)
{
	return __real_stat(path, to);
}
