/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the execution of a command in the way of a shell. */
#ifndef PERFEX_EXEC_PATH_H
#define PERFEX_EXEC_PATH_H

/**
 * execute() - execute a command
 * @argv: the command with its arguments, ends with NULL
 *
 * A name without a slash is sought in the directories of PATH. What is executable
 * and no program is a script for /bin/sh.
 *
 * Return: if it returns, the error: ENOENT if there is no such command, ELIBACC if
 * there is and the interpreter that it names is missing.
 */
int execute(char **argv);

#endif /* PERFEX_EXEC_PATH_H */
