// SPDX-License-Identifier: GPL-2.0-only
/* Check that each processor counts, and that counts follow a thread from one to another. */
#include "self_test/checks.h"

#include <errno.h>
#include <string.h>

#include "self_test/meter.h"

#define ROUNDS 1001

/* A thread goes round all processors this often. */
#define LAPS 4

static const cpu_set_t *route;

/* Return the next processor on which perfex may run, or CPU_SETSIZE. */
static size_t next_cpu(const cpu_set_t *cpus, size_t cpu)
{
	while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, cpus))
		cpu++;
	return cpu;
}

/* Run rounds on each processor in turn. */
static void wander(uint32_t rounds)
{
	size_t cpu, lap;

	for (lap = 0; lap < LAPS; lap++) {
		for (cpu = next_cpu(route, 0); cpu < CPU_SETSIZE;
		     cpu = next_cpu(route, cpu + 1)) {
			stay_on(cpu);
			spin(rounds);
		}
	}
}

/* Count a loop. Return whether the count is exact. */
static bool count_loop(const struct bench *bench, struct verdict *verdict,
		       void (*run)(uint32_t rounds), uint64_t loops)
{
	uint64_t counts[METER_EVENTS];
	struct meter meter;
	bool is_exact = false;

	if (open_meter(&meter, &bench->instructions, 1, 0) ||
	    count_rounds(&meter, run, ROUNDS, counts))
		give_error(verdict, &meter.err);
	else
		is_exact = judge(bench, verdict, counts[0],
				 loops * (ROUNDS - 1) * SPIN_INSTRUCTIONS);
	close_meter(&meter);
	return is_exact;
}

/* Count a loop on a processor. Return whether the count is exact. */
static bool count_on(const struct bench *bench, struct verdict *verdict,
		     size_t cpu)
{
	if (stay_on(cpu))
		return count_loop(bench, verdict, spin, 1);
	give(verdict, CHECK_FAILED, "%s", strerror(errno));
	return false;
}

static bool has_several(const struct bench *bench, struct verdict *verdict)
{
	if (CPU_COUNT(&bench->cpus) > 1)
		return true;
	give(verdict, CHECK_NOT_HERE, "perfex may use one processor only");
	return false;
}

void check_processors(struct bench *bench, struct verdict *verdict)
{
	size_t cpu = 0;

	if (!has_several(bench, verdict))
		return;
	while ((cpu = next_cpu(&bench->cpus, cpu)) < CPU_SETSIZE) {
		if (!count_on(bench, verdict, cpu)) {
			name_part(verdict, "processor", (unsigned int)cpu);
			return;
		}
		cpu++;
	}
	give(verdict, CHECK_PASSED, "%d processors", CPU_COUNT(&bench->cpus));
}

void check_migration(struct bench *bench, struct verdict *verdict)
{
	route = &bench->cpus;
	count_loop(bench, verdict, wander,
		   LAPS * (uint64_t)CPU_COUNT(&bench->cpus));
}
