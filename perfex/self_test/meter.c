// SPDX-License-Identifier: GPL-2.0-only
/* Run loops whose events are known, and count them in the calling thread. */
#include "self_test/meter.h"

#include <string.h>
#include <sys/syscall.h>

/* The least of this number of counts has no interrupt in it. */
#define TRIES 20

void spin(uint32_t rounds)
{
	__asm__ volatile("1:\tdecl	%0\n\t"
			 "jnz	1b"
			 : "+r"(rounds)
			 :
			 : "cc");
}

#ifdef __x86_64__
#define SYSTEM_CALL "syscall"
#else
#define SYSTEM_CALL "int	$0x80"
#endif

void enter_kernel(uint32_t rounds)
{
	long number;

	__asm__ volatile("1:\tmov	%2, %1\n\t" SYSTEM_CALL "\n\t"
			 "decl	%0\n\t"
			 "jnz	1b"
			 : "+r"(rounds), "=&a"(number)
			 : "i"(SYS_getppid)
			 : "cc", "memory", "ecx"
#ifdef __x86_64__
			   ,
			   "r11"
#endif
	);
}

void access_memory(uint32_t rounds)
{
	uint32_t word = 0, copy;

	__asm__ volatile("1:\tmovl	%2, %1\n\t"
			 "movl	%1, %2\n\t"
			 "decl	%0\n\t"
			 "jnz	1b"
			 : "+r"(rounds), "=&r"(copy), "+m"(word)
			 :
			 : "cc");
}

int join_meter(struct meter *meter, size_t nr)
{
	*meter = (struct meter){ .nr = nr };
	return vpmc_open(&meter->vpmc, &meter->err);
}

int open_meter(struct meter *meter, const struct vpmc_event_sel *sel, size_t nr,
	       unsigned int flags)
{
	const int failure = join_meter(meter, nr);

	return failure ? failure
		       : vpmc_start(meter->vpmc, sel, nr, flags, &meter->err);
}

void close_meter(struct meter *meter)
{
	if (meter->vpmc)
		vpmc_stop(meter->vpmc, NULL);
	vpmc_close(meter->vpmc);
}

static int get_each(struct meter *meter, uint64_t counts[METER_EVENTS])
{
	unsigned int i;
	int failure = 0;

	for (i = 0; !failure && i < meter->nr; i++)
		failure = vpmc_get(meter->vpmc, i, &counts[i], &meter->err);
	return failure;
}

int read_meter(struct meter *meter, uint64_t counts[METER_EVENTS])
{
	struct vpmc_counts read;
	int failure;

	memset(counts, 0, METER_EVENTS * sizeof(*counts));
	if (meter->by_get)
		return get_each(meter, counts);
	failure = vpmc_read(meter->vpmc, VPMC_THREAD, &read, &meter->err);
	if (!failure)
		memcpy(counts, read.count, meter->nr * sizeof(*counts));
	return failure;
}

int count_once(struct meter *meter, void (*run)(uint32_t rounds),
	       uint32_t rounds, uint64_t counts[METER_EVENTS])
{
	uint64_t before[METER_EVENTS];
	int failure = read_meter(meter, before);
	size_t i;

	run(rounds);
	if (!failure)
		failure = read_meter(meter, counts);
	for (i = 0; !failure && i < METER_EVENTS; i++)
		counts[i] -= before[i];
	return failure;
}

int count_least(struct meter *meter, void (*run)(uint32_t rounds),
		uint32_t rounds, uint64_t counts[METER_EVENTS])
{
	uint64_t once[METER_EVENTS];
	int failure = count_once(meter, run, rounds, counts);
	size_t i, try;

	for (try = 1; !failure && try < TRIES; try++) {
		failure = count_once(meter, run, rounds, once);
		for (i = 0; !failure && i < METER_EVENTS; i++)
			counts[i] = once[i] < counts[i] ? once[i] : counts[i];
	}
	return failure;
}

int count_rounds(struct meter *meter, void (*run)(uint32_t rounds),
		 uint32_t rounds, uint64_t counts[METER_EVENTS])
{
	uint64_t one[METER_EVENTS];
	int failure = count_least(meter, run, 1, one);
	size_t i;

	if (!failure)
		failure = count_least(meter, run, rounds, counts);
	for (i = 0; !failure && i < METER_EVENTS; i++)
		counts[i] -= one[i];
	return failure;
}
