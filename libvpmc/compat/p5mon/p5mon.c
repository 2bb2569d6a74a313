// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implement the six functions of libp5mon.h on the buffers of p5mon's device. */
#include "libp5mon.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "cesr.h"
#include "failure.h"
#include "p5mon_device.h"

#define COUNTER_MAX ((1ULL << 40) - 1)

static struct p5mon_device *device;

static int check_open(void)
{
	return device ? 0
		      : p5monint_fail(EBADF, "the counters are not open: call"
					     " p5mon_init() first");
}

int p5mon_init(void)
{
	if (device)
		return p5monint_fail(EBUSY, "the counters are open: call"
					    " p5mon_close() first");
	device = p5mon_device_open();
	return device ? 0 : -1;
}

int p5mon_close(void)
{
	if (check_open())
		return -1;
	p5mon_device_close(device);
	device = NULL;
	return 0;
}

int p5mon_clear(void)
{
	static const unsigned char buffer[P5MON_WRITE] = { 0, 0, 0, 0,
							   clear_only };

	if (check_open())
		return -1;
	return p5mon_device_write(device, buffer, sizeof(buffer)) < 0 ? -1 : 0;
}

int p5mon_read(ULONG *result)
{
	if (check_open())
		return -1;
	return p5mon_device_read(device, result, P5MON_READ) < 0 ? -1 : 0;
}

/* Check an event and a control. The caller's values need not belong to the enumerations. */
static int check_counter(unsigned int event, unsigned int control,
			 unsigned int counter)
{
	if (event >= P5MON_EVENTS || !p5mon_event_name[event])
		return p5monint_fail(EINVAL,
				     "event%u is 0x%x: the Pentium has no such"
				     " event",
				     counter, event);
	if (control > clk_all || control == (CESR_CLOCKS >> CESR_CONTROL_SHIFT))
		return p5monint_fail(EINVAL,
				     "ctrl%u is %u: use one of evt_disable to"
				     " clk_all",
				     counter, control);
	return 0;
}

static int check_value(ULONG value, unsigned int counter)
{
	if (value > COUNTER_MAX)
		return p5monint_fail(EINVAL,
				     "init%u is 0x%llx: a counter has 40 bits",
				     counter, value);
	return 0;
}

static int presets(CNT_CLR clr, unsigned int counter)
{
	return clr == init_0_1 ||
	       (counter ? clr == init_1 || clr == init_1_clr_0
			: clr == init_0 || clr == init_0_clr_1);
}

static int check_config(const CNT_CONFIG *config)
{
	if ((unsigned int)config->clr > clear_only)
		return p5monint_fail(EINVAL,
				     "clr is %u: use one of clr_none to"
				     " clear_only",
				     (unsigned int)config->clr);
	if ((presets(config->clr, 0) && check_value(config->init0, 0)) ||
	    (presets(config->clr, 1) && check_value(config->init1, 1)))
		return -1;
	/* clear_only does not change CESR, so ignore the events. */
	if (config->clr == clear_only)
		return 0;
	if (check_counter(config->event0, config->ctrl0, 0) ||
	    check_counter(config->event1, config->ctrl1, 1))
		return -1;
	return 0;
}

static uint32_t half_of(EVENT event, CNT_CTRL control)
{
	if (event == event_disable || control == evt_disable)
		return 0;
	if (event == count_clocks)
		return CESR_CLOCKS | (uint32_t)control << CESR_CONTROL_SHIFT;
	return (uint32_t)event | (uint32_t)control << CESR_CONTROL_SHIFT;
}

static void put(unsigned char *to, uint64_t value, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

int p5mon_config(CNT_CONFIG *config)
{
	unsigned char buffer[P5MON_WRITE_VALUES];

	if (check_open() || check_config(config))
		return -1;
	put(buffer,
	    half_of(config->event0, config->ctrl0) |
		    half_of(config->event1, config->ctrl1) << 16,
	    4);
	buffer[4] = (unsigned char)config->clr;
	put(buffer + P5MON_WRITE, config->init0, 5);
	put(buffer + P5MON_WRITE + 5, config->init1, 5);
	return p5mon_device_write(device, buffer, sizeof(buffer)) < 0 ? -1 : 0;
}

static void describe_half(uint32_t half, EVENT *event, CNT_CTRL *control)
{
	*control = (CNT_CTRL)(half >> CESR_CONTROL_SHIFT);
	*event = (EVENT)(half & CESR_EVENT);
	if (!(half & (CESR_USER | CESR_KERNEL))) {
		*control = evt_disable;
		*event = event_disable;
	} else if (half & CESR_CLOCKS) {
		*event = count_clocks;
	}
}

void p5mon_gen_config(ULONG cesr, CNT_CONFIG *config)
{
	*config = (CNT_CONFIG){ .clr = clr_none };
	describe_half(cesr_half((uint32_t)cesr, 0), &config->event0,
		      &config->ctrl0);
	describe_half(cesr_half((uint32_t)cesr, 1), &config->event1,
		      &config->ctrl1);
}
