/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Fortran calls as start_counters and so on: arguments by reference, and an underscore
 * behind the name. INTEGER is an int, INTEGER*8 a long long. Behind the arguments stands the
 * length of a CHARACTER, as gfortran passes it since its version 8.
 *
 * All do what the functions of libperfex.h do.
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
