// SPDX-License-Identifier: GPL-2.0-only
/* Find out which capability perfex lacks, as capabilities(7) describes them. */
#include "util/capability.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/capability.h>
#include <sys/stat.h>

/* Either capability is sufficient. The capability with less power comes first. */
static const struct {
	cap_value_t value;
	const char *name;
} wanted[] = {
	{ CAP_PERFMON, "CAP_PERFMON" },
	{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN" },
};

#define NR_WANTED (sizeof(wanted) / sizeof(wanted[0]))

/*
 * Tell whether perfex runs in the initial user namespace, in which the driver checks
 * capabilities. The inode of this namespace has a fixed number (PROC_USER_INIT_INO in
 * Linux's proc_ns.h). A kernel without user namespaces does not have the file.
 */
static bool in_initial_namespace(void)
{
	struct stat namespace;

	return stat("/proc/self/ns/user", &namespace) ||
	       namespace.st_ino == 0xeffffffd;
}

/* Return the name of the first capability of @wanted that is in a set, or NULL. */
static const char *find(cap_t capabilities, cap_flag_t set)
{
	cap_flag_value_t value;
	size_t i;

	for (i = 0; i < NR_WANTED; i++) {
		if (!cap_get_flag(capabilities, wanted[i].value, set, &value) &&
		    value == CAP_SET)
			return wanted[i].name;
	}
	return NULL;
}

/* Tell whether a program that this process executes can have one of the capabilities. */
static bool can_be_given(void)
{
	size_t i;

	for (i = 0; i < NR_WANTED; i++) {
		if (cap_get_bound(wanted[i].value) == CAP_SET)
			return true;
	}
	return false;
}

static void compare(cap_t own, char *hint, size_t size)
{
	const char *permitted = find(own, CAP_PERMITTED);

	if (!in_initial_namespace())
		snprintf(hint, size,
			 " (in this user namespace CAP_PERFMON does not count:"
			 " run perfex in the initial one)");
	else if (find(own, CAP_EFFECTIVE))
		hint[0] = '\0';
	else if (permitted)
		snprintf(hint, size,
			 " (%s is permitted to perfex but not effective:"
			 " \"setcap cap_perfmon+ep perfex\" sets both)",
			 permitted);
	else if (!can_be_given())
		snprintf(hint, size,
			 " (neither is in the bounding set, so not even root"
			 " has them here: run perfex outside the container or"
			 " service that dropped them)");
	else
		snprintf(hint, size,
			 " (perfex has neither CAP_PERFMON nor CAP_SYS_ADMIN:"
			 " \"setcap cap_perfmon+ep perfex\" gives it the"
			 " first)");
}

void capability_hint(char *hint, size_t size)
{
	cap_t own = cap_get_proc();

	hint[0] = '\0';
	if (!own)
		return;
	compare(own, hint, size);
	cap_free(own);
}
