// SPDX-License-Identifier: GPL-2.0-only
#include "fake_capability.h"

#include <errno.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/stat.h>

struct fake_capability fake_capability = {
	.own = "=",
	.bounding = ~0ULL,
	.namespace = INITIAL_NAMESPACE,
};

/* The linker prescribes these names; the prototypes are those of the wrapped functions. */
cap_t __wrap_cap_get_proc(void);
int __wrap_cap_get_bound(cap_value_t value);
int __real_stat(const char *path, struct stat *to);
int __wrap_stat(const char *path, struct stat *to);

cap_t __wrap_cap_get_proc(void)
{
	if (fake_capability.own)
		return cap_from_text(fake_capability.own);
	errno = ENOMEM;
	return NULL;
}

int __wrap_cap_get_bound(cap_value_t value)
{
	return fake_capability.bounding >> value & 1;
}

int __wrap_stat(const char *path, struct stat *to)
{
	if (strcmp(path, "/proc/self/ns/user") != 0)
		return __real_stat(path, to);
	errno = ENOENT;
	to->st_ino = fake_capability.namespace;
	return fake_capability.namespace ? 0 : -1;
}
