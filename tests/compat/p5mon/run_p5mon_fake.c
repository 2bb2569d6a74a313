// SPDX-License-Identifier: GPL-2.0-only
/*
 * This program is run_p5mon over the fake driver. In the environment, FAKE_PMU names another
 * family of counters, FAKE_ERRNO is the error of opening the device, and FAKE_START_ERRNO is
 * the error of a start.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../unit/lib/fake_driver.h"
#include "../../unit/lib/unit.h"

int run_p5mon_main(int argc, char **argv);

static int number(const char *name)
{
	const char *text = getenv(name);

	return text ? (int)strtol(text, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	const char *pmu = getenv("FAKE_PMU");

	if (fake_setup(NULL))
		return EXIT_FAILURE;
	fake->open_errno = number("FAKE_ERRNO");
	fake->start_errno = number("FAKE_START_ERRNO");
	if (pmu)
		snprintf(fake->info.pmu, sizeof(fake->info.pmu), "%s", pmu);
	return run_p5mon_main(argc, argv);
}
