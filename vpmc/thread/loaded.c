// SPDX-License-Identifier: GPL-2.0-only
/* This file defines for which thread, and which process, each processor counts. */
#include <linux/percpu.h>

#include "thread/loaded.h"

DEFINE_PER_CPU(struct vpmc_thread *, vpmc_loaded);
DEFINE_PER_CPU(struct vpmc_process *, vpmc_loaded_process);
