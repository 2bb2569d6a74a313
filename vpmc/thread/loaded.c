// SPDX-License-Identifier: GPL-2.0-only
/* This file defines the variables for the thread and the process for which a processor counts. */
#include <linux/percpu.h>

#include "thread/loaded.h"

DEFINE_PER_CPU(struct vpmc_thread *, vpmc_loaded);
DEFINE_PER_CPU(struct vpmc_process *, vpmc_loaded_process);
