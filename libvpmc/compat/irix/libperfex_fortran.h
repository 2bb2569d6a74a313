/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the functions that Fortran calls by names such as start_counters. Their
 * names end in an underscore, and arguments are passed by reference. INTEGER is an int, and
 * INTEGER*8 is a long long. The length of a CHARACTER follows the arguments, as in gfortran since
 * version 8.
 *
 * Each function calls the function of libperfex.h with the same name.
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
