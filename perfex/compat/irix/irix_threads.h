/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the lists of threads that perfex.irix prints with -mp and -pp. */
#ifndef IRIX_THREADS_H
#define IRIX_THREADS_H

#include "irix_output.h"
#include "run/thread_records.h"

/**
 * irix_write_threads() - write the lists of -mp and -pp; with -o each list has its own file
 * @output: from irix_open_output()
 * @records: records of the threads
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_write_threads(const struct irix_output *output,
		       const struct records *records);

#endif /* IRIX_THREADS_H */
