/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares parameter files, in the format of the IMPACT compiler:
 *
 *	(p5mon
 *	command = wc text;	# a comment
 *	repetitions = 5;
 *	end)
 *
 * Other sections are skipped.
 */
#ifndef P5MON_PARM_FILE_H
#define P5MON_PARM_FILE_H

#include "parameters.h"

/* This file is read if the command line does not name a file. */
#define STANDARD_FILE "./STD_PARMS"

/**
 * struct setting - a setting in a file or on the command line
 * @name: name of a parameter, or an unknown name
 * @value: value as text
 * @line: number of the line in the file, 0 on the command line
 * @next: the next setting
 */
struct setting {
	char *name;
	char *value;
	unsigned int line;
	struct setting *next;
};

/**
 * read_settings() - read the section (p5mon ... end) of a file
 * @path: path of the file
 * @macros: macros of the command line, for values: see macro.h
 * @settings: receives a list in the order of the file, for free_settings()
 *
 * Return: 0, PERFEX_INPUT or PERFEX_SYSTEM after a complaint.
 */
int read_settings(const char *path, const struct setting *macros,
		  struct setting **settings);

/**
 * add_setting() - append a setting to a list
 * @settings: the list
 * @name: the name, which is copied, like @value
 * @length: length of @name
 * @value: the value as text
 * @line: number of the line in the file
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int add_setting(struct setting **settings, const char *name, size_t length,
		const char *value, unsigned int line);

/* free_settings() - free a list. Parameters may point to its texts. */
void free_settings(struct setting *settings);

/**
 * warn_of_settings() - print the warnings and the settings that the parameters request
 * @parameters: the parameters, set by both lists
 * @path: path of the file
 * @settings: settings of the file
 * @forced: settings of the command line
 *
 * Return: 0, or PERFEX_OUTPUT after a complaint.
 */
int warn_of_settings(const struct parameters *parameters, const char *path,
		     const struct setting *settings,
		     const struct setting *forced);

#endif /* P5MON_PARM_FILE_H */
