/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file runs perfex in a unit test. The main() of perfex is compiled under another name and
 * runs in a child, so that it has a real exit status.
 */
#ifndef TESTS_UNIT_RUN_PERFEX_H
#define TESTS_UNIT_RUN_PERFEX_H

#include <stdbool.h>
#include <stdio.h>

#include "check_says.h"
#include "vpmc.h"

/* A command line has at most this many words. */
#define MAX_ARGS (VPMC_COUNTS_MAX + 4)

/* This is the output of the last run. */
extern char stdout_text[16384];
extern char stderr_text[16384];

/* perfex inherits this action for SIGCHLD from its caller. */
extern void (*caller_sigchld)(int);

/* This file is the standard input of perfex. */
extern const char *stdin_path;

/**
 * perfex() - run perfex over the fake driver
 * @args: the command line, followed by NULL
 *
 * Return: the exit status.
 */
int perfex(const char *const *args);

#define PERFEX(...) perfex((const char *const[]){ "perfex", __VA_ARGS__, NULL })

/* Run perfex, and fail the test unless it exits with this status. */
#define PERFEX_EXITS(status, ...) assert_int_equal(PERFEX(__VA_ARGS__), status)

/**
 * check_sentence() - fail the test unless the whole output of perfex is one line, on standard
 * error
 * @format: the expected parts of the line, as for check_says(), in the form of printf(3)
 */
__attribute__((format(printf, 1, 2))) void check_sentence(const char *format,
							  ...);

/**
 * check_refused() - fail the test unless perfex refuses a command line with a sentence
 * @line: the command line, which is divided into words like a line of a shell
 * @status: the expected exit status
 * @words: the expected parts of the sentence, as for check_says()
 */
void check_refused(const char *line, int status, const char *words);

/**
 * parse_report() - read a report with a parser that is not part of perfex
 * @format: "csv" or "json"
 * @path: the file of the report
 *
 * Return: the lines of read_report.py, valid until the next call.
 */
const char *parse_report(const char *format, const char *path);

/*
 * parse_exposition() - like parse_report(), for "openmetrics" or "prometheus", by
 * read_exposition.py
 */
const char *parse_exposition(const char *format, const char *path);

/* parse_plot() - like parse_report(), for a picture, by read_plot.py */
const char *parse_plot(const char *path);

/* take_times() - remove the lines with times from a report; return their number */
unsigned int take_times(char *text);

/*
 * under_valgrind() - tell whether valgrind runs the test, because valgrind does not support all
 * system calls
 */
bool under_valgrind(void);

/**
 * read_back() - get the text that was written to a file, and close it
 * @file: the file
 * @text: receives its content, zero-terminated
 * @size: size of @text
 */
void read_back(FILE *file, char *text, size_t size);

#endif /* TESTS_UNIT_RUN_PERFEX_H */
