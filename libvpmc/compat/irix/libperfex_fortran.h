/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the functions that Fortran calls as start_counters and so on. Their
 * names end in an underscore, and arguments are passed by reference. INTEGER is an int,
 * INTEGER*8 a long long. The length of a CHARACTER follows the arguments, as gfortran
 * passes it since its version 8.
 *
 * Each function calls the one of libperfex.h with its name.
 */
#ifndef LIBPERFEX_FORTRAN_H
#define LIBPERFEX_FORTRAN_H

#include <stddef.h>

int start_counters_(const int *e0, const int *e1);
int read_counters_(const int *e0, long long *c0, const int *e1, long long *c1);
int print_counters_(const int *e0, const long long *c0, const int *e1,
		    const long long *c1);
int print_costs_(const int *e0, const long long *c0, const int *e1,
		 const long long *c1);
int load_costs_(const char *name, size_t length);

#endif /* LIBPERFEX_FORTRAN_H */
