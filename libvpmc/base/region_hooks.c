// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Define the hooks through which regions are notified of changes to a thread's counts. The hooks
 * have their own file, so that the linker adds the code of regions only to programs that use
 * regions.
 */
#include "base/internal.h"

struct region_hooks vpmcint_region_hooks;
