// SPDX-License-Identifier: LGPL-2.1-or-later
/* Define the objects of the calling thread's regions, for programs that do not define them. */
#include "regions/region_data.h"

struct vpmc_region_outside vpmc_region_none = {
	{ &vpmc_region_none.region, &vpmc_region_none.region, 0, 0 },
	{ 0 },
	{ NULL, NULL, NULL }
};

__thread struct vpmc_region_thread vpmc_region_thread = {
	&vpmc_region_none.region, NULL, VPMC_REGION_VERSION, NULL
};
