// SPDX-License-Identifier: GPL-2.0-only
/* Check that threads that share a processor have their own counts. */
#include "self_test/checks.h"

#include <pthread.h>
#include <string.h>

#include "self_test/meter.h"

#define THREADS 2
#define PIECES	8

/**
 * struct counted - a thread that counts itself
 * @rounds: rounds of each piece of its loop
 * @count: receives its count
 * @failure: receives 0 or an enum vpmc_code
 * @err: receives the error
 */
struct counted {
	uint32_t rounds;
	uint64_t count;
	int failure;
	struct vpmc_error err;
};

/* Let other threads run between the pieces. */
static void spin_in_turns(uint32_t rounds)
{
	unsigned int i;

	for (i = 0; i < PIECES; i++) {
		spin(rounds);
		sched_yield();
	}
}

static void *count_thread(void *arg)
{
	struct counted *counted = arg;
	uint64_t counts[METER_EVENTS] = { 0 };
	struct meter meter;

	counted->failure = join_meter(&meter, 1);
	if (!counted->failure)
		counted->failure = count_rounds(&meter, spin_in_turns,
						counted->rounds, counts);
	counted->count = counts[0];
	counted->err = meter.err;
	vpmc_close(meter.vpmc);
	return NULL;
}

/* Run the threads. Return 0, or an error of pthread_create(3). */
static int run_threads(struct counted counted[THREADS])
{
	pthread_t threads[THREADS];
	int error = 0;
	size_t i, nr;

	for (nr = 0; !error && nr < THREADS; nr++)
		error = pthread_create(&threads[nr], NULL, count_thread,
				       &counted[nr]);
	nr -= error != 0;
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return error;
}

static void judge_threads(const struct bench *bench, struct verdict *verdict,
			  const struct counted counted[THREADS])
{
	bool is_exact = true;
	size_t i;

	for (i = 0; is_exact && i < THREADS; i++) {
		is_exact = !counted[i].failure &&
			   judge(bench, verdict, counted[i].count,
				 (uint64_t)PIECES * SPIN_INSTRUCTIONS *
					 (counted[i].rounds - 1));
		if (counted[i].failure)
			give_error(verdict, &counted[i].err);
	}
}

void check_threads(struct bench *bench, struct verdict *verdict)
{
	struct counted counted[THREADS] = { { .rounds = 1000 },
					    { .rounds = 3000 } };
	struct meter meter;
	int error;

	if (open_meter(&meter, &bench->instructions, 1, 0)) {
		give_error(verdict, &meter.err);
	} else {
		error = run_threads(counted);
		if (error)
			give(verdict, CHECK_FAILED, "no thread: %s",
			     strerror(error));
		else
			judge_threads(bench, verdict, counted);
	}
	close_meter(&meter);
}
