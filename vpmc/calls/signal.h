/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares VPMC_SIGNAL: signals for a thread when its counts pass multiples
 * of a period.
 */
#ifndef VPMC_SIGNAL_H
#define VPMC_SIGNAL_H

#include "pmu/pmu.h"

/*
 * Carry out VPMC_SIGNAL for the calling thread. Returns 0, or -EINVAL, -ENODATA,
 * -EPERM, -ENOMEM or -EINTR, after which nothing has changed. May sleep.
 */
int vpmc_signal_set(struct vpmc_signal *args);

#endif /* VPMC_SIGNAL_H */
