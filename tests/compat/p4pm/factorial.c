// SPDX-License-Identifier: GPL-2.0-only
/*
 * factorial EVENTS [NAME]: measure a recursive function in each round of a loop, and the loop.
 *
 * CountIt passes the two arguments. The measurements are nested, as in the example that came with
 * p4pm. Each of the 99 rounds is measured, with its own file. The loop around the rounds is also
 * measured, and its result is printed, too.
 */
#include <stdio.h>

#include "p4pm.h"

enum { FACTOR = 20000, ROUNDS = 99 };

static __attribute__((noinline)) unsigned int factorial(unsigned int n)
{
	unsigned int product = 1;

	for (; n > 1; n--) {
		product *= n;
		/* The compiler must not compute the product before the program runs. */
		__asm__ volatile("" : "+r"(product));
	}
	return product;
}

int main(int argc, char **argv)
{
	const char *name = argc > 2 ? argv[2] : "results";
	volatile unsigned int product;
	tsc_cont *results;
	char file[200];
	int i;

	if (argc < 2)
		return 2;
	initialize_med(argv[1], 300);
	begin_count();
	for (i = 0; i < ROUNDS; i++) {
		begin_count();
		product = factorial(FACTOR);
		snprintf(file, sizeof(file), "%s/factorial%d.txt", name, i);
		end_count_file(file);
	}
	snprintf(file, sizeof(file), "%s/loop.txt", name);
	results = end_count_file(file);
	printf("TSC= %llu\n", results->tsc);
	for (i = 0; i < results->num_contadores; i++)
		printf("%s = %llu\n", results->nombres_eventos[i],
		       results->contadores[i]);
	write_files();
	return (int)(product & 0);
}
