/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how perfex executes a command like a shell. */
#ifndef PERFEX_EXEC_PATH_H
#define PERFEX_EXEC_PATH_H

/**
 * execute() - execute a command
 * @argv: the command with its arguments, ended by NULL
 *
 * A name without a slash is searched in the directories of PATH. An executable file that is
 * not a program is a script for /bin/sh.
 *
 * Return: the error: ENOENT if the command does not exist, ELIBACC if the command exists but its
 * interpreter does not. The function does not return if the command is executed.
 */
int execute(char **argv);

#endif /* PERFEX_EXEC_PATH_H */
