// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where regions are told of what happens to a thread's counts. Apart from them,
 * so that programs without regions are linked without them.
 */
#include "internal.h"

struct region_hooks vpmcint_region_hooks;
