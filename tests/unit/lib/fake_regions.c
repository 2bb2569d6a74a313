// SPDX-License-Identifier: GPL-2.0-only
#include "fake_regions.h"

#include <errno.h>

#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "single_step.h"
#include "unit.h"

const struct vpmc_event_sel regions_events[2] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
	{ 0x12, VPMC_ANY_COUNTER, VPMC_USER },
};

struct vpmc_own_page *regions_page;
struct vpmc *regions_vpmc;

void regions_renew(unsigned int nr)
{
	static uint64_t generation = 100;
	void (*then)(void) = fake_rdpmc.then;

	fake_rdpmc_begin();
	fake_rdpmc.then = then;
	generation++;
	fake->start.generation = generation;
	fake->stop.generation = generation;
	fake->read.generation = generation;
	fake->read.state = VPMC_STATE_RUNNING;
	fake->read.nr_counts = nr;
	fake->read.count[0] = 0;
	fake->read.count[1] = 0;
	regions_page = fake_page(nr);
	regions_page->generation = generation;
	regions_page->start = fake->read.start;
}

void regions_start(unsigned int nr)
{
	regions_renew(nr);
	/* In a test without regions, no other call maps the page. */
	assert_int_equal(vpmc_start(regions_vpmc, regions_events, nr,
				    VPMC_FORCE, NULL),
			 0);
}

int regions_setup(void **state)
{
	if (fake_setup(state))
		return -1;
	regions_vpmc = fake_open();
	return 0;
}

int regions_teardown(void **state)
{
	/* After the tests, for example at exit, no code may execute RDPMC. */
	fake->map_errno = EOPNOTSUPP;
	fake_rdpmc.then = NULL;
	regions_start(1);
	vpmc_close(regions_vpmc);
	return 0;
}

void regions_work(unsigned int events)
{
	single_step_held = 1;
	fake_rdpmc.counter[0] += events;
	fake_rdpmc.counter[1] += 10ULL * events;
	fake->read.count[0] = fake_rdpmc.counter[0];
	fake->read.count[1] = fake_rdpmc.counter[1];
	single_step_held = 0;
}

void regions_handle(void)
{
	vpmc_region_begin("handler");
	regions_work(5000);
	vpmc_region_begin("deep");
	regions_work(60000);
	vpmc_region_end("deep");
	vpmc_region_end("handler");
}
