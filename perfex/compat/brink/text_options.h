/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how brink, brinkMod and CountIt read their command lines. */
#ifndef BRINK_TEXT_OPTIONS_H
#define BRINK_TEXT_OPTIONS_H

/**
 * struct text_option - an option that has an argument
 * @name: its name, without the hyphen before it
 * @value: receives a pointer to the argument if the option is given
 */
struct text_option {
	const char *name;
	const char **value;
};

/* A program may have this many options in addition to -help. */
#define TEXT_OPTIONS_MAX 4

/**
 * text_options_read() - read the options of a command line
 * @argc, @argv: the arguments of main()
 * @usage: text that -help prints before it ends the program
 * @options: at most TEXT_OPTIONS_MAX options, ended by an option with the name NULL
 *
 * The function exits with PERFEX_USAGE if there is an unknown option. Options end at the first
 * word that is not an option.
 *
 * Return: the words after the options, ended by NULL.
 */
char **text_options_read(int argc, char **argv, const char *usage,
			 const struct text_option *options);

#endif /* BRINK_TEXT_OPTIONS_H */
