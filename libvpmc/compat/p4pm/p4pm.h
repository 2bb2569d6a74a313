/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares p4pm, which counts events of parts of a program on a Pentium 4. A file has
 * the values of the registers.
 *
 *	initialize("branches.txt");
 *	begin_count();
 *	work();
 *	result = end_count_file("work.txt");
 *	write_files();
 *
 * Measurements may be nested. end_count() ends the last measurement that has not ended. So that
 * allocation and output do not disturb measurements, initialize() reserves all memory, and only
 * write_files() writes files. The functions count the thread that calls initialize(). This thread
 * must also call the other functions, and a child of a fork must call initialize() again. If a
 * function fails, it prints an error and exits, because it cannot return an error.
 *
 * A file has a line for each event. Blanks separate its words: count|tag NAME ESCR CCCR COUNTER
 *	PEBS_ENABLE PEBS_MATRIX_VERT
 * The values of the registers have 32 digits 0 and 1, the highest bit first. COUNTER is the number
 * of the counter. A line with "tag" only sets tags, and its count is not in the results. Lines that
 * begin with "#" are skipped. brinkMod writes such files.
 */
#ifndef P4PM_H
#define P4PM_H

#ifdef __cplusplus
extern "C" {
#endif

/* initialize() reserves memory for MAX_MED measurements. */
#define MAX_MED 200

/*
 * These are the number of counters of a processor, and the size of a name in the results, with its
 * zero.
 */
#define P4PM_CONTADORES 18
#define P4PM_NOMBRE	50

/**
 * typedef tsc_cont - the result of a measurement
 * @tsc: clocks for which the thread ran
 * @contadores: counts of the events
 * @num_contadores: number of events
 * @nombres_eventos: names of the events; long names are cut off
 */
typedef struct {
	unsigned long long tsc;
	unsigned long long contadores[P4PM_CONTADORES];
	int num_contadores;
	char nombres_eventos[P4PM_CONTADORES][P4PM_NOMBRE];
} tsc_cont;

/**
 * initialize() - read a file, and begin to count
 * @ficheroConfiguracion: name of the file
 *
 * Reserves memory for MAX_MED measurements.
 */
void initialize(char *ficheroConfiguracion);

/**
 * initialize_med() - read a file, and begin to count
 * @ficheroConfiguracion: name of the file
 * @max_medidas: number of measurements to reserve memory for, at least 1
 */
void initialize_med(char *ficheroConfiguracion, int max_medidas);

/* begin_count() - begin a measurement */
void begin_count(void);

/**
 * end_count() - end the last measurement that has begun
 *
 * Return: the result, which stays valid.
 */
tsc_cont *end_count(void);

/**
 * end_count_file() - end a measurement like end_count(), and let write_files() write its
 *	result
 * @ficheroResultados: name of the file. The name has less than 256 bytes, and is copied.
 */
tsc_cont *end_count_file(char *ficheroResultados);

/**
 * write_files() - write the results of end_count_file() to their files
 *
 * A file that exists is replaced. If a file cannot be written, the function prints an error and
 * writes the other files.
 */
void write_files(void);

#ifdef __cplusplus
}
#endif

#endif /* P4PM_H */
