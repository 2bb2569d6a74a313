/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares VPMC_SIGNAL: signals for a thread when its counts pass multiples
 * of a period.
 */
#ifndef VPMC_SIGNAL_H
#define VPMC_SIGNAL_H

#include "pmu/pmu.h"

/*
 * VPMC_SIGNAL, for the calling thread. Returns 0, or, with nothing changed,
 * -EINVAL, -ENODATA, -EPERM or -ENOMEM. May sleep.
 */
int vpmc_signal_set(struct vpmc_signal *args);

#endif /* VPMC_SIGNAL_H */
