// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the header in C++: it compiles without warnings, links, and counts.
 */
#include "pcl.h"

#include "unit.h"

extern "C" {
int fake_setup(void **state);
}

static void cxx_programs_can_count(void **state)
{
	PCL_DESCR_TYPE descr;
	int event = PCL_INSTR;
	PCL_CNT_TYPE count = -1;

	assert_int_equal(PCLinit(&descr), PCL_SUCCESS);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(PCLstop(descr, &count, nullptr, 1), PCL_SUCCESS);
	assert_int_equal(count, 1000);
	assert_int_equal(PCLexit(descr), PCL_SUCCESS);
}

int main()
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(cxx_programs_can_count, fake_setup),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, nullptr, nullptr);
}
