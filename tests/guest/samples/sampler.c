// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler: leave a process in the background that leaves samples of its instructions, and reads
 * them. It works for less than a millisecond at a time, so it is switched in and out often. When
 * the counters have been taken away from this process, it starts again. sampler itself ends after
 * the first sample.
 */
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <vpmc.h>

#define PERIOD	  10007
#define RING_SIZE 16384
/* Each round has two instructions. */
#define ROUNDS	  200000
#define PAUSE_US  2000

/* Return a handle that was started with rings, or NULL if the counters are not free. */
static struct vpmc *start(struct vpmc_samples_rings **rings)
{
	const uint32_t period = PERIOD;
	struct vpmc_event_sel sel;
	struct vpmc_error error;
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &error) ||
	    vpmc_event_parse(vpmc_pmu_of(vpmc), "instructions", VPMC_USER, &sel,
			     &error) ||
	    vpmc_samples_open(vpmc, &period, 1, RING_SIZE, rings, &error))
		errx(2, "%s", error.text);
	if (!vpmc_start(vpmc, &sel, 1, VPMC_COLLECT, &error))
		return vpmc;
	if (error.code != VPMC_E_BUSY)
		errx(2, "%s", error.text);
	vpmc_samples_close(*rings);
	vpmc_close(vpmc);
	return NULL;
}

static void work(void)
{
	unsigned int left = ROUNDS;

	__asm__ volatile("1: dec %0\n\t"
			 "jnz 1b"
			 : "+r"(left)
			 :
			 : "cc");
}

static void note(const struct vpmc_sample_record *record, void *arg)
{
	if (record->kind == VPMC_SAMPLE_EVENT)
		*(bool *)arg = true;
}

/* Let the process that waits for the first sample end. */
static void tell(int *ready)
{
	if (*ready < 0)
		return;
	if (write(*ready, "", 1) != 1)
		err(2, "write");
	close(*ready);
	*ready = -1;
}

/* Leave samples as long as this process has the counters. */
static void sample(struct vpmc *vpmc, struct vpmc_samples_rings *rings,
		   int *ready)
{
	struct vpmc_counts counts;
	bool any = false;

	do {
		work();
		usleep(PAUSE_US);
		vpmc_samples_read(rings, 1, note, &any);
		if (any)
			tell(ready);
	} while (!vpmc_read(vpmc, VPMC_SELF, &counts, NULL));
}

int main(void)
{
	struct vpmc_samples_rings *rings;
	struct vpmc *vpmc;
	int ready[2];
	char byte;

	if (pipe(ready))
		err(2, "pipe");
	if (fork()) {
		close(ready[1]);
		return read(ready[0], &byte, 1) == 1 ? EXIT_SUCCESS
						     : EXIT_FAILURE;
	}
	close(ready[0]);
	for (;;) {
		vpmc = start(&rings);
		if (!vpmc) {
			usleep(PAUSE_US);
			continue;
		}
		sample(vpmc, rings, &ready[1]);
		vpmc_samples_close(rings);
		vpmc_close(vpmc);
	}
}
