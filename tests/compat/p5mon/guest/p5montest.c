// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is p5mon's test of its device, with functions instead of system calls. It counts two
 * events and reads them five times.
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "libp5mon.h"
#include "p5mon_device.h"

static int say(const char *what, int status)
{
	printf("p5montest: %s\n", what);
	return status;
}

/* Execute some instructions, so that the counts are not 0. */
static void spin(void)
{
	volatile unsigned int i;

	for (i = 0; i < 1000000; i++)
		;
}

static int read_often(struct p5mon_device *device)
{
	uint64_t value[3];
	int i;

	for (i = 0; i < 5; i++) {
		spin();
		if (p5mon_device_read(device, value, sizeof(value)) !=
		    (ssize_t)sizeof(value))
			return say(p5mon_error(), 1);
		printf("p5montest: read successful\n"
		       "p5montest: CESR: %08llx, PMC0: %llu, PMC1: %llu\n",
		       (unsigned long long)value[2],
		       (unsigned long long)value[0],
		       (unsigned long long)value[1]);
	}
	return 0;
}

int main(void)
{
	/* Count data read misses and data reads in user mode, both from zero. */
	static const unsigned char buffer[] = { 0x83, 0, 0x80, 0, clr_0_1 };
	struct p5mon_device *device;

	say("Attempting to open p5mon", 0);
	device = p5mon_device_open();
	if (!device)
		return say(p5mon_error(), 1);
	say("p5mon device opened", 0);
	say("attempt to write p5mon device", 0);
	if (p5mon_device_write(device, buffer, sizeof(buffer)) < 0)
		return say(p5mon_error(), 1);
	say("write of 0x00800083 to CESR successful", 0);
	say("attempting to read p5mon device 5 times", 0);
	if (read_often(device))
		return 1;
	say("attempting to close p5mon device", 0);
	p5mon_device_close(device);
	return say("device closed normally", 0);
}
