/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the folder into which brink writes its results. */
#ifndef BRINK_JOB_FILES_H
#define BRINK_JOB_FILES_H

#include <stdio.h>

#include "job_count.h"

/**
 * struct job - a program counted with an experiment
 * @program: the program
 * @experiment: the experiment
 * @result: its result
 */
struct job {
	const struct program *program;
	const struct experiment *experiment;
	struct job_result result;
};

/**
 * struct output - the folder of results
 * @directory: name of the folder
 * @title: name of the file of experiments, without its folder and ending
 * @config: the configuration
 * @counts: file of the counts of all jobs
 * @summary: file with all data of all jobs
 */
struct output {
	const char *directory;
	char *title;
	const struct emon_config *config;
	FILE *counts;
	FILE *summary;
};

/**
 * output_open() - make the folder, and begin the files of all jobs
 * @output: receives the folder
 * @directory: name of the folder. If it exists, its files are replaced.
 * @config: the configuration, which is copied
 * @experiments: the experiments, which are copied
 * @exp_path: name of the file of experiments
 *
 * This function and the other functions exit if a file cannot be written.
 */
void output_open(struct output *output, const char *directory,
		 const struct emon_config *config,
		 const struct experiments *experiments, const char *exp_path);

/**
 * output_input() - write the file with the settings of a job's registers
 *
 * The function creates the job's folder. Call it before the job runs.
 */
void output_input(const struct output *output, const struct job *job);

/* output_job() - write the files of a job after its end */
void output_job(const struct output *output, const struct job *job);

/* output_close() - end the files of all jobs */
void output_close(struct output *output);

#endif /* BRINK_JOB_FILES_H */
