/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the translation of an experiment into a file of p4pm. */
#ifndef BRINKMOD_P4PM_FILE_H
#define BRINKMOD_P4PM_FILE_H

#include "experiment.h"

/**
 * struct translation - the experiments of a file, ready to be written in p4pm's form
 * @config: the configuration
 * @experiments: the experiments, with counters assigned
 */
struct translation {
	struct emon_config config;
	struct experiments experiments;
};

/**
 * translation_read() - read a configuration and experiments, and choose counters, or exit
 * @translation: receives the configuration and the experiments
 * @config: name of the configuration file, which stays valid
 * @exp: name of the file of experiments, which stays valid
 */
void translation_read(struct translation *translation, const char *config,
		      const char *exp);

/* translation_free() - free the memory that translation_read() has allocated */
void translation_free(struct translation *translation);

/**
 * translation_path() - make the name of an experiment's file, or exit
 * @directory: the folder for the file
 * @experiment: the experiment
 *
 * Return: the name, which the caller frees.
 */
char *translation_path(const char *directory,
		       const struct experiment *experiment);

/* translation_write() - write a file of p4pm for an experiment, or exit */
void translation_write(const struct experiment *experiment, const char *path);

#endif /* BRINKMOD_P4PM_FILE_H */
