// SPDX-License-Identifier: LGPL-2.1-or-later
/* Measure parts of a program: the stack of measurements, their results, and their files. */
#include "p4pm.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p4pm_events.h"

#define FILE_NAME_MAX 256

/* Programs of the time of p4pm depend on this size. */
_Static_assert(sizeof(tsc_cont) == 1056, "a result has 1056 bytes");

/**
 * struct measured - a measurement that has ended
 * @result: its result
 * @file: name of the file for the result; empty if it is not to be written
 */
struct measured {
	tsc_cont result;
	char file[FILE_NAME_MAX];
};

/**
 * struct memory - the memory that initialize() has reserved
 * @max: number of elements of @begun and @measured
 * @begun: counters at the start of each measurement that has not ended
 * @nr_begun: number of measurements that have not ended
 * @measured: the measurements that have ended
 * @nr_measured: number of measurements that have ended
 * @names: a result with the names of the events, and without counts
 */
static struct {
	int max;
	struct p4pm_reading *begun;
	int nr_begun;
	struct measured *measured;
	int nr_measured;
	tsc_cont names;
} memory;

/* The address differs between threads. A child of a fork has the same addresses as its parent. */
static _Thread_local char thread;

/* This is the thread that counts, or NULL. */
static const char *counted_thread;

static void forget_thread(void)
{
	counted_thread = NULL;
}

static void remember_thread(void)
{
	static bool is_prepared;

	if (!is_prepared && pthread_atfork(NULL, NULL, forget_thread))
		p4pm_leave("there is not enough memory to notice a fork");
	is_prepared = true;
	counted_thread = &thread;
}

/* The counters of another thread would not be those of this one. */
static void check_thread(const char *function)
{
	if (counted_thread != &thread)
		p4pm_leave(
			"%s() was called in a thread or process that has not"
			" called initialize(): call initialize() in it first",
			function);
}

static void *reserve(int nr, size_t size)
{
	void *reserved = calloc((size_t)nr, size);

	if (!reserved)
		p4pm_leave("there is not enough memory for %d measurements",
			   nr);
	/* Touch each page, so that it does not cause a fault during a measurement. */
	memset(reserved, 0xff, (size_t)nr * size);
	return reserved;
}

static void keep_names(const struct p4pm_event *event, unsigned int nr)
{
	unsigned int i;

	memset(&memory.names, 0, sizeof(memory.names));
	for (i = 0; i < nr && event[i].is_count; i++)
		memcpy(memory.names.nombres_eventos[i], event[i].name,
		       P4PM_NOMBRE);
	memory.names.num_contadores = (int)i;
}

void initialize(char *ficheroConfiguracion)
{
	initialize_med(ficheroConfiguracion, MAX_MED);
}

void initialize_med(char *ficheroConfiguracion, int max_medidas)
{
	struct p4pm_event event[P4PM_CONTADORES];
	unsigned int nr = p4pm_read_events(ficheroConfiguracion, event);

	if (max_medidas < 1)
		p4pm_leave("initialize_med() got %d as number of measurements:"
			   " pass at least 1",
			   max_medidas);
	free(memory.begun);
	free(memory.measured);
	memory.max = max_medidas;
	memory.begun = reserve(max_medidas, sizeof(*memory.begun));
	memory.measured = reserve(max_medidas, sizeof(*memory.measured));
	memory.nr_begun = 0;
	memory.nr_measured = 0;
	keep_names(event, nr);
	p4pm_start(event, nr);
	remember_thread();
}

/* The counters are read last here, and first in end_count(). */
void begin_count(void)
{
	check_thread("begin_count");
	if (memory.nr_begun == memory.max)
		p4pm_leave("begin_count() was called %d times without an end:"
			   " pass a higher number to initialize_med()",
			   memory.max);
	p4pm_read(&memory.begun[memory.nr_begun++]);
}

static struct measured *end_measurement(const char *function)
{
	struct p4pm_reading now;
	const struct p4pm_reading *begun;
	struct measured *measured;
	int i;

	check_thread(function);
	if (!memory.nr_begun)
		p4pm_leave("a measurement ends that has not begun: call"
			   " begin_count() first");
	p4pm_read(&now);
	if (memory.nr_measured == memory.max)
		p4pm_leave("there are more than %d measurements: pass a higher"
			   " number to initialize_med()",
			   memory.max);
	begun = &memory.begun[--memory.nr_begun];
	measured = &memory.measured[memory.nr_measured++];
	measured->result = memory.names;
	measured->result.tsc = now.tsc - begun->tsc;
	for (i = 0; i < memory.names.num_contadores; i++)
		measured->result.contadores[i] = now.count[i] - begun->count[i];
	return measured;
}

tsc_cont *end_count(void)
{
	struct measured *measured = end_measurement("end_count");

	measured->file[0] = '\0';
	return &measured->result;
}

tsc_cont *end_count_file(char *ficheroResultados)
{
	struct measured *measured = end_measurement("end_count_file");
	size_t length = strlen(ficheroResultados);

	if (length >= FILE_NAME_MAX)
		p4pm_leave("the name of the file \"%.20s...\" has %zu bytes,"
			   " which is too long",
			   ficheroResultados, length);
	memcpy(measured->file, ficheroResultados, length + 1);
	return &measured->result;
}

static int write_result(FILE *file, const tsc_cont *result)
{
	int i;

	fprintf(file, "TSC= %llu\n", result->tsc);
	for (i = 0; i < result->num_contadores; i++)
		fprintf(file, "%s = %llu\n", result->nombres_eventos[i],
			result->contadores[i]);
	return ferror(file);
}

void write_files(void)
{
	const struct measured *measured = memory.measured;
	FILE *file;
	int failed;

	for (; measured < memory.measured + memory.nr_measured; measured++) {
		if (!measured->file[0])
			continue;
		file = fopen(measured->file, "we");
		failed = !file || write_result(file, &measured->result);
		if (file && fclose(file))
			failed = 1;
		if (failed)
			fprintf(stderr, "p4pm: cannot write \"%s\": %s\n",
				measured->file, strerror(errno));
	}
}
