/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how perfex finds the cgroup that all processes are in. */
#ifndef PERFEX_ROOT_CGROUP_H
#define PERFEX_ROOT_CGROUP_H

/*
 * Return the directory where the root of the cgroups of version 2 is mounted, or NULL after a
 * complaint. The string is valid until the next call.
 */
const char *root_cgroup(void);

#endif /* PERFEX_ROOT_CGROUP_H */
