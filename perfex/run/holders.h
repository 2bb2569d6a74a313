/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex finds the processes that have the counters, and takes the
 * counters away.
 */
#ifndef PERFEX_HOLDERS_H
#define PERFEX_HOLDERS_H

#include "util/perfex.h"

/* Print a line for each process that has them, if the caller may know; see perfex(1), -i. */
void print_holders(FILE *out);

/* --release. Returns 0 or the exit status. */
int release_counters(struct vpmc *vpmc);

#endif /* PERFEX_HOLDERS_H */
