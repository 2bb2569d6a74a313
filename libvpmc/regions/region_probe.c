// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Have the regions of which the cost is measured if only shared objects have regions. Begin and
 * end are as in their code here, because this file does not define VPMC_REGION_LIBRARY.
 */
#include <vpmc_region.h>

#ifndef VPMC_REGION_ONE
__attribute__((weak)) void vpmc_region_probe(void)
{
	vpmc_region_probe_here();
}
#endif
