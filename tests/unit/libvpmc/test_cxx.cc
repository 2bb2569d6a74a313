// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests that the public header compiles as C++ without warnings, and
 * links.
 */
#include "vpmc.h"
#include "vpmc_region.h"

#include "unit.h"

static void cxx_programs_can_use_the_library(void **state)
{
	struct vpmc_event_sel sel;
	struct vpmc_error err;

	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5"), "0x16:uk",
					  VPMC_USER, &sel, &err),
			 VPMC_OK);
	assert_int_equal(sel.modes, VPMC_USER | VPMC_KERNEL);
}

static void cxx_programs_can_read_without_system_calls(void **state)
{
	struct vpmc_snapshot mark, counts;

	assert_int_equal(vpmc_mark(&mark), -1);
	mark.generation = 1;
	assert_int_equal(vpmc_since(&mark, &counts), -1);
}

/* A histogram compiles and links. */
void fill_and_forget(struct vpmc_histograms *histograms);
void fill_and_forget(struct vpmc_histograms *histograms)
{
	struct vpmc_profiled profiled;

	vpmc_profile_update(histograms, &profiled);
	vpmc_profile_close(histograms);
}

/*
 * A guard compiles and links. It is not executed, because there is no device.
 */
int begin_and_return(const struct vpmc_region *here);
int begin_and_return(const struct vpmc_region *here)
{
	vpmc_region_guard guard("guarded");

	if (here)
		return 1;
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(cxx_programs_can_use_the_library),
	cmocka_unit_test(cxx_programs_can_read_without_system_calls),
};

UNIT_MAIN(tests)
