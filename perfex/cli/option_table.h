/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of options, which options.def lists. */
#ifndef PERFEX_OPTION_TABLE_H
#define PERFEX_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Traits follow the options. */
enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
	NR_OPTIONS,
	OPTION_LAST = NR_OPTIONS - 1,
#define TRAIT(id, ...) OPTION_##id,
#include "cli/options.def"
	NR_TRAITS,
};

/* struct option_set - a set of options and traits. @has: whether each one is in the set */
struct option_set {
	bool has[NR_TRAITS];
};

/* SET(HAS(CSV), HAS(JSON)) initializes a set of two options. */
#define HAS(id) .has[OPTION_##id] = true
#define SET(...)            \
	{                   \
		__VA_ARGS__ \
	}

/**
 * enum option_kind - argument of an option, and how often the option can be given
 * @OPTION_FLAG: without an argument, any number of times
 * @OPTION_FORMAT: without an argument; only one format, once
 * @OPTION_VALUE: with an argument, once
 * @OPTION_LISTED: with a list of arguments, any number of times
 */
enum option_kind {
	OPTION_FLAG,
	OPTION_FORMAT,
	OPTION_VALUE,
	OPTION_LISTED,
};

/* --help=all has these sections. */
enum option_section {
	SECTION_WHAT,
	SECTION_WHOSE,
	SECTION_RUN,
	SECTION_REPORT,
	SECTION_OTHER,
	NR_SECTIONS,
};

/**
 * struct option_entry - an option; see options.def
 * @name: its long name; for a trait, its name in messages
 * @letters: short form, or NULL
 * @argument: name of the argument, or NULL
 * @kind: how often it may be given
 * @section: its section in --help=all
 * @help: its text in --help
 */
struct option_entry {
	const char *name;
	const char *letters;
	const char *argument;
	enum option_kind kind;
	enum option_section section;
	const char *help;
};

extern const struct option_entry option_table[NR_TRAITS];

/* has_optional_argument() - tell whether an option's argument can be left out */
bool has_optional_argument(const struct option_entry *entry);

/* The name of an option in a message fits into this many bytes. */
#define OPTION_NAME_MAX 32

/* The names of a set of options in a message fit into this many bytes. */
#define OPTION_NAMES_MAX 512

/**
 * name_option() - name an option or a trait as in the command line
 * @name: receives the short form, or the long one if there is no short form
 * @id: the option or the trait
 */
void name_option(char name[OPTION_NAME_MAX], enum option_id id);

/**
 * name_options() - name all options and traits of a set: "-r, --runs or --compare"
 * @names: receives the names
 * @set: the set
 */
void name_options(char names[OPTION_NAMES_MAX], const struct option_set *set);

/**
 * first_common() - find the first option or trait that is in two sets
 * @one: a set
 * @other: the other set, or the same set
 *
 * Return: the option or the trait, or NR_TRAITS if the sets have none in common.
 */
enum option_id first_common(const struct option_set *one,
			    const struct option_set *other);

#endif /* PERFEX_OPTION_TABLE_H */
