// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Hooks by which regions learn what happens to a thread's counts. They are in a
 * file of their own, so that programs without regions are linked without them.
 */
#include "base/internal.h"

struct region_hooks vpmcint_region_hooks;
