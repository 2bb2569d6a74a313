/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * p4pm counts events of parts of a program on a Pentium 4, by values of registers from a file.
 *
 *	initialize("branches.txt");
 *	begin_count();
 *	work();
 *	result = end_count_file("work.txt");
 *	write_files();
 *
 * Measurements may be nested: each end belongs to the last begin that has not ended. All memory is
 * reserved by initialize(), and files are written by write_files() only, so that neither
 * disturbs what is measured. The functions count the thread that calls initialize(), which must
 * also call the others. They print a sentence and exit if they cannot do what they are for, because
 * they have no other way to say so.
 *
 * A file has a line for each event, of words that are separated by blanks:
 *	count|tag NAME ESCR CCCR COUNTER PEBS_ENABLE PEBS_MATRIX_VERT
 * The values of the registers have 32 digits 0 and 1, the highest bit first. COUNTER is the number of
 * the counter. A line with "tag" only gives tags, and its count is not in the results. Lines that
 * begin with "#" are skipped. brinkMod writes such files.
 */
#ifndef P4PM_H
#define P4PM_H

#ifdef __cplusplus
extern "C" {
#endif

/* initialize() reserves memory for so many measurements. */
#define MAX_MED 200

/* A processor has so many counters, and a name in the results so many bytes, with its zero. */
#define P4PM_CONTADORES 18
#define P4PM_NOMBRE	50

/**
 * typedef tsc_cont - the result of a measurement
 * @tsc: clocks for which the thread ran
 * @contadores: counts of the events
 * @num_contadores: number of events
 * @nombres_eventos: their names, which are cut off if they are too long
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
 * end_count_file() - end a measurement like end_count(), and let write_files() write it
 * @ficheroResultados: name of the file, of less than 256 bytes, which is copied
 */
tsc_cont *end_count_file(char *ficheroResultados);

/**
 * write_files() - write the results of end_count_file() to their files
 *
 * A file that exists is replaced. If one cannot be written, a sentence says so, and the others are
 * written.
 */
void write_files(void);

#ifdef __cplusplus
}
#endif

#endif /* P4PM_H */
