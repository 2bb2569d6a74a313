/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares how the functions of libp5mon set the sentence that p5mon_error()
 * returns.
 */
#ifndef P5MON_FAILURE_H
#define P5MON_FAILURE_H

/**
 * p5monint_fail() - remember a formatted sentence
 * @error: value for errno
 *
 * Return: -1.
 */
int p5monint_fail(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3), visibility("hidden")));

#endif /* P5MON_FAILURE_H */
