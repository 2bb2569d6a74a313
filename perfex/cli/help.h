/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the output of perfex -h and -V. */
#ifndef PERFEX_HELP_H
#define PERFEX_HELP_H

/* print_help() - print the common options on standard output; returns the exit status */
int print_help(void);

/* print_all_help() - print all options on standard output; returns the exit status */
int print_all_help(void);

/* print_version() - print the version on standard output; returns the exit status */
int print_version(void);

#endif /* PERFEX_HELP_H */
