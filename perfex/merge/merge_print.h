/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the forms in which a merge is printed. perfex(1) describes each
 * form; the forms are stable.
 */
#ifndef PERFEX_MERGE_PRINT_H
#define PERFEX_MERGE_PRINT_H

#include "merge/merge.h"

/**
 * print_merge() - print a merge
 * @out: stream to write to
 * @format: form of the merge
 * @is_begun: true if the output already has content
 * @merge: the merge
 */
void print_merge(FILE *out, enum format format, bool is_begun,
		 const struct merge *merge);

#endif /* PERFEX_MERGE_PRINT_H */
