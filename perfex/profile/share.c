// SPDX-License-Identifier: GPL-2.0-only
/* Compute the accuracy of a share of samples. */
#include "profile/share.h"

#include <math.h>

/* A normal distribution has 95 % of its values within so many standard deviations. */
static const double deviations = 1.959964;

double share_error(uint64_t part, uint64_t whole)
{
	const double nr = (double)whole, share = (double)part / nr;
	const double square = deviations * deviations / nr;
	const double middle = (share + square / 2) / (1 + square);
	const double half =
		sqrt(share * (1 - share) * square + square * square / 4) /
		(1 + square);

	return fabs(middle - share) + half;
}
