// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implement the functions that Fortran programs call. */
#include "libperfex_fortran.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "libperfex.h"

int start_counters_(const int *e0, const int *e1)
{
	return start_counters(*e0, *e1);
}

int read_counters_(const int *e0, long long *c0, const int *e1, long long *c1)
{
	return read_counters(*e0, c0, *e1, c1);
}

int print_counters_(const int *e0, const long long *c0, const int *e1,
		    const long long *c1)
{
	return print_counters(*e0, *c0, *e1, *c1);
}

int print_costs_(const int *e0, const long long *c0, const int *e1,
		 const long long *c1)
{
	return print_costs(*e0, *c0, *e1, *c1);
}

/* Load costs from a file whose name Fortran has filled up with blanks. */
int load_costs_(const char *name, size_t length)
{
	char path[PATH_MAX];

	while (length && name[length - 1] == ' ')
		length--;
	if (length >= sizeof(path)) {
		fprintf(stderr,
			"libperfex: the name of the costs has more than %zu"
			" characters: give a shorter one\n",
			sizeof(path) - 1);
		return -1;
	}
	memcpy(path, name, length);
	path[length] = '\0';
	return load_costs(path);
}
