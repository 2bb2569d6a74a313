// SPDX-License-Identifier: GPL-2.0-only
/*
 * The public header in C++: it compiles without warnings and links.
 */
#include "vpmc.h"

#include "unit.h"

static void cxx_programs_can_use_the_library(void **state)
{
	struct vpmc_event_sel sel;
	struct vpmc_error err;

	(void)state;
	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5"), "0x16:uk",
					  VPMC_USER, &sel, &err),
			 VPMC_OK);
	assert_int_equal(sel.modes, VPMC_USER | VPMC_KERNEL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(cxx_programs_can_use_the_library),
};

UNIT_MAIN(tests)
