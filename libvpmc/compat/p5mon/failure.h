/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the function by which libp5mon sets the sentence that
 * p5mon_error() returns.
 */
#ifndef P5MON_FAILURE_H
#define P5MON_FAILURE_H

/**
 * p5monint_fail() - keep a formatted sentence for p5mon_error()
 * @error: value for errno
 *
 * Return: -1.
 */
int p5monint_fail(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3), visibility("hidden")));

#endif /* P5MON_FAILURE_H */
