// SPDX-License-Identifier: GPL-2.0-only
/*
 * irix_sample E0 E1 ROUNDS [COSTS]: count two events of a loop with libperfex, and print them.
 * With COSTS, also print the times by this table.
 */
#include <libperfex.h>
#include <stdio.h>
#include <stdlib.h>

#include "irix_loop.h"

int main(int argc, char **argv)
{
	long long c0, c1;
	int e0, e1, started, read;
	unsigned int rounds;

	if (argc < 4)
		return 2;
	e0 = (int)strtol(argv[1], NULL, 10);
	e1 = (int)strtol(argv[2], NULL, 10);
	rounds = (unsigned int)strtoul(argv[3], NULL, 10);
	if (argc > 4 && load_costs(argv[4]) < 0)
		return EXIT_FAILURE;
	started = start_counters(e0, e1);
	if (started < 0)
		return EXIT_FAILURE;
	loop(rounds);
	read = read_counters(e0, &c0, e1, &c1);
	if (read < 0)
		return EXIT_FAILURE;
	if (read != started) {
		fprintf(stderr, "the counts are not those that were started\n");
		return EXIT_FAILURE;
	}
	return argc > 4 ? print_costs(e0, c0, e1, c1)
			: print_counters(e0, c0, e1, c1);
}
