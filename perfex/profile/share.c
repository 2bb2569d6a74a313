// SPDX-License-Identifier: GPL-2.0-only
/* Compute the accuracy of a share of samples. */
#include "profile/share.h"

#include <math.h>

/* A normal distribution has 95 % of its values within this many standard deviations. */
static const double deviations = 1.959964;

double share_error(double part, double whole)
{
	const double share = part / whole;
	const double square = deviations * deviations / whole;
	const double middle = (share + square / 2) / (1 + square);
	const double half =
		sqrt(share * (1 - share) * square + square * square / 4) /
		(1 + square);

	return fabs(middle - share) + half;
}
