/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the file of experiments: programs, and the events to count in them. */
#ifndef BRINK_EXPERIMENT_H
#define BRINK_EXPERIMENT_H

#include "emon_config.h"

/* A command has at most so many words. */
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
 * @max: number of samples after which the job fails
 * @precise: whether PEBS takes them
 * @all: whether they have all registers
 */
struct sampling {
	uint32_t interval;
	uint32_t buffer;
	uint32_t max;
	bool precise;
	bool all;
};

/**
 * struct part - what one ESCR detects
 * @event: the event
 * @escr_value: value of the ESCR
 * @cccr_value: value of the CCCR
 * @escr: the ESCR, chosen by assign_counters()
 * @counter: the counter, also chosen there
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
 * @type: how its operations get tags
 * @count: the part that counts
 * @tag: the part that gives tags; its event is NULL if there is none
 * @pebs_enable: value of IA32_PEBS_ENABLE
 * @pebs_matrix_vert: value of MSR_PEBS_MATRIX_VERT
 * @sampling: its samples
 */
struct experiment_event {
	const struct xml_element *element;
	enum tag_type type;
	struct part count;
	struct part tag;
	uint64_t pebs_enable;
	uint64_t pebs_matrix_vert;
	struct sampling sampling;
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
 * @root: its elements
 * @program: the programs
 * @nr_programs: number of programs, at least 1
 * @experiment: the experiments
 * @nr: number of experiments, at least 1
 */
struct experiments {
	struct xml_element *root;
	struct program *program;
	unsigned int nr_programs;
	struct experiment *experiment;
	unsigned int nr;
};

/**
 * experiments_read() - read a file of experiments, or leave
 * @experiments: receives its contents; its parts have no ESCR and counter yet
 * @config: the configuration, which must stay allocated
 * @path: name of the file, which stays valid
 */
void experiments_read(struct experiments *experiments,
		      const struct emon_config *config, const char *path);

/* experiments_free() - free what experiments_read() has allocated */
void experiments_free(struct experiments *experiments);

/**
 * split_command() - divide a command line into words
 * @text: the command line, of which the words are part afterwards
 * @argv: receives the words and NULL, COMMAND_WORDS_MAX + 1 elements
 *
 * Return: number of words; 0 also if there are more than COMMAND_WORDS_MAX.
 */
unsigned int split_command(char *text, char **argv);

#endif /* BRINK_EXPERIMENT_H */
