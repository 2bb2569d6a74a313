/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex lists the processes that have the counters, and takes the
 * counters away.
 */
#ifndef PERFEX_HOLDERS_H
#define PERFEX_HOLDERS_H

#include "util/perfex.h"

/*
 * print_holders() - print a line for each process that has the counters, if the caller may
 * know; see -i in perfex(1)
 */
void print_holders(FILE *out);

/* release_counters() - implement --release; returns 0 or the exit status */
int release_counters(struct vpmc *vpmc);

#endif /* PERFEX_HOLDERS_H */
