/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how accurate a share of samples is. */
#ifndef PERFEX_PROFILE_SHARE_H
#define PERFEX_PROFILE_SHARE_H

/**
 * share_error() - compute the error of a share that some samples have of all
 * @part: number of these samples
 * @whole: number of all samples, not 0; both may be fractions if samples depend on each other
 *
 * The share of the events is within so much of the share of the samples with a probability of
 * 95 %, as the number of samples implies: it is the distance of the farther bound of Wilson's
 * interval of a binomial distribution, which is not 0 for a share of 0 or 1.
 *
 * Return: the error, as a fraction.
 */
double share_error(double part, double whole);

#endif /* PERFEX_PROFILE_SHARE_H */
