/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file runs perfex in a unit test. Its main() is compiled under another name and
 * runs in a child, so that its exit status is a real one.
 */
#ifndef TESTS_UNIT_RUN_PERFEX_H
#define TESTS_UNIT_RUN_PERFEX_H

#include <stdbool.h>
#include <stdio.h>

#include "vpmc.h"

/* The longest command line, and the most words to look for in a sentence. */
#define MAX_ARGS (VPMC_COUNTS_MAX + 4)
#define WORDS	 3

/* The output of the last run. */
extern char stdout_text[16384];
extern char stderr_text[16384];

/* The action for SIGCHLD of perfex's caller. */
extern void (*caller_sigchld)(int);

/* The file that is its standard input. */
extern const char *stdin_path;

/**
 * perfex() - run perfex over the fake driver
 * @args: the command line, ends with NULL
 *
 * Return: the exit status.
 */
int perfex(const char *const *args);

#define PERFEX(...) perfex((const char *const[]){ "perfex", __VA_ARGS__, NULL })

/* Run perfex, and fail the test unless it exits with this status. */
#define PERFEX_EXITS(status, ...) assert_int_equal(PERFEX(__VA_ARGS__), status)

/**
 * check_sentence() - fail the test if perfex has not said one line, and no more
 * @words: words that it must contain, followed by NULL if there are fewer
 */
void check_sentence(const char *const words[WORDS]);

/**
 * parse_report() - have a parser that is not ours read a report
 * @format: "csv" or "json"
 * @path: the file that it is in
 *
 * Return: the lines of read_report.py, valid until the next call.
 */
const char *parse_report(const char *format, const char *path);

/* parse_exposition() - the same of "openmetrics" or "prometheus", and read_exposition.py */
const char *parse_exposition(const char *format, const char *path);

/* parse_plot() - the same of a picture and read_plot.py */
const char *parse_plot(const char *path);

/* take_times() - take the lines with times out of a report; returns how many they were */
unsigned int take_times(char *text);

/* under_valgrind() - whether valgrind runs the test, which cannot do all */
bool under_valgrind(void);

/**
 * read_back() - get the text that was written to a file, and close it
 * @file: the file
 * @text: receives its content, zero-terminated
 * @size: size of @text
 */
void read_back(FILE *file, char *text, size_t size);

#endif /* TESTS_UNIT_RUN_PERFEX_H */
