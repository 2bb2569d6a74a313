/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the accuracy of a share of samples. */
#ifndef PERFEX_PROFILE_SHARE_H
#define PERFEX_PROFILE_SHARE_H

/**
 * share_error() - compute the error of a share of all samples
 * @part: number of samples in the share
 * @whole: number of all samples, not 0; both may be fractions if samples depend on each other
 *
 * With a probability of 95 %, the share of the events differs from the share of the samples by at
 * most this error. The error is the distance to the farther end of Wilson's interval of a
 * binomial distribution. It is not 0 for a share of 0 or 1.
 *
 * Return: the error, as a fraction.
 */
double share_error(double part, double whole);

#endif /* PERFEX_PROFILE_SHARE_H */
