/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the file of experiments: programs, and the events to count in them. */
#ifndef BRINK_EXPERIMENT_H
#define BRINK_EXPERIMENT_H

#include "emon_config.h"

/* A command has at most this many words. */
#define COMMAND_WORDS_MAX 100

/**
 * struct program - a program that is to be counted
 * @name: its name in the file
 * @command: its command line
 */
struct program {
	const char *name;
	const char *command;
};

/**
 * struct sampling - the directive <ebs>
 * @interval: number of events from one sample to the next; 0 for no samples
 * @buffer: number of samples that the kernel keeps until they are read
 * @max: maximum number of samples; a job with more samples fails
 * @precise: whether PEBS takes the samples
 * @all: whether the samples have all registers
 */
struct sampling {
	uint32_t interval;
	uint32_t buffer;
	uint32_t max;
	bool precise;
	bool all;
};

/**
 * struct part - an event and its settings for one ESCR
 * @event: the event
 * @escr_value: value of the ESCR
 * @cccr_value: value of the CCCR
 * @escr: the ESCR, chosen by assign_counters()
 * @counter: the counter, chosen by assign_counters()
 */
struct part {
	const struct normal_event *event;
	uint64_t escr_value;
	uint64_t cccr_value;
	const struct escr *escr;
	unsigned int counter;
};

/**
 * struct experiment_event - an event of an experiment
 * @element: its element
 * @type: the way in which its operations get tags
 * @count: the part that counts
 * @tag: the part that sets tags; its event is NULL if there is no such part
 * @pebs_enable: value of IA32_PEBS_ENABLE
 * @pebs_matrix_vert: value of MSR_PEBS_MATRIX_VERT
 * @sampling: the options of its samples
 * @after: with <cascade/>, the interval of the event before it: the event is counted only after so
 *	many of the event before it; else 0
 */
struct experiment_event {
	const struct xml_element *element;
	enum tag_type type;
	struct part count;
	struct part tag;
	uint64_t pebs_enable;
	uint64_t pebs_matrix_vert;
	struct sampling sampling;
	uint32_t after;
};

/**
 * struct experiment - events that are counted at the same time
 * @element: its element
 * @event: the events
 * @nr: number of events, at least 1
 */
struct experiment {
	const struct xml_element *element;
	struct experiment_event event[COUNTERS];
	unsigned int nr;
};

/**
 * struct experiments - a file of experiments
 * @root: the outermost element of the file
 * @bytes: the contents of the file
 * @program: the programs
 * @nr_programs: number of programs, at least 1
 * @experiment: the experiments
 * @nr: number of experiments, at least 1
 */
struct experiments {
	struct xml_element *root;
	struct xml_bytes bytes;
	struct program *program;
	unsigned int nr_programs;
	struct experiment *experiment;
	unsigned int nr;
};

/**
 * experiments_read() - read a file of experiments, or exit
 * @experiments: receives the experiments. Their parts do not have ESCRs and counters yet.
 * @config: the configuration, which must stay allocated
 * @path: name of the file, which stays valid
 */
void experiments_read(struct experiments *experiments,
		      const struct emon_config *config, const char *path);

/* experiments_free() - free the memory that experiments_read() has allocated */
void experiments_free(struct experiments *experiments);

/**
 * split_command() - divide a command line into words
 * @text: the command line. It is changed, and the words point into it.
 * @argv: receives the words and NULL, COMMAND_WORDS_MAX + 1 elements
 *
 * Return: number of words, or 0 if there are more than COMMAND_WORDS_MAX words.
 */
unsigned int split_command(char *text, char **argv);

#endif /* BRINK_EXPERIMENT_H */
