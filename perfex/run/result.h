/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the counts of a command or a process. */
#ifndef PERFEX_RESULT_H
#define PERFEX_RESULT_H

#include "events/count_spec.h"
#include "run/pause.h"
#include "run/thread_records.h"

/**
 * start_flags() - compute the flags of a start from the options of the count
 * @spec: the options of counting
 *
 * Return: enum vpmc_start_flags bits.
 */
unsigned int start_flags(const struct count_spec *spec);

/* "process" and its number fit into this many bytes. */
#define RESULT_NAME_MAX 24

/**
 * struct result - the counts of a command or a process
 * @name: the process, for complaints: "process 12", or empty for the command
 * @counted: sum to report
 * @earlier: number of unwaited processes when the count began. They are not missing in this
 *	count.
 * @records: records of threads, if there are to be lists; the caller frees their memory
 * @running: number of processes that still ran when the command ended
 * @parts: the parts in which it was counted, from begin_parts(); or zeroed
 */
struct result {
	char name[RESULT_NAME_MAX];
	struct counted counted;
	unsigned int earlier;
	struct records records;
	unsigned int running;
	struct parts parts;
};

/**
 * read_result() - read the counts, and take the remaining records
 * @vpmc: the handle that stands for the process
 * @spec: the options of counting
 * @result: receives the counts
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_result(struct vpmc *vpmc, const struct count_spec *spec,
		struct result *result);

/**
 * set_counting() - stop the count, or start it again, if necessary
 * @vpmc: the handle that stands for the process
 * @spec: the options of counting
 * @result: the counts, which are read
 * @counting: true to count
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int set_counting(struct vpmc *vpmc, const struct count_spec *spec,
		 struct result *result, bool counting);

#endif /* PERFEX_RESULT_H */
