/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the layout that lists and reports for people share. */
#ifndef PERFEX_COLUMNS_H
#define PERFEX_COLUMNS_H

#include "util/perfex.h"

/* print_code() - print the column with the code of an event; returns its width */
int print_code(FILE *out, uint64_t code);

#endif /* PERFEX_COLUMNS_H */
