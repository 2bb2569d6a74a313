// SPDX-License-Identifier: GPL-2.0-only
/* This file has the thread for which each processor counts. */
#include <linux/percpu.h>

#include "thread/count.h"

DEFINE_PER_CPU(struct vpmc_thread *, vpmc_loaded);
DEFINE_PER_CPU(struct vpmc_process *, vpmc_loaded_process);
