/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the file of --status-file. The file shows whether the exit status is
 * perfex's or the command's.
 */
#ifndef PERFEX_STATUS_FILE_H
#define PERFEX_STATUS_FILE_H

#include "report/output.h"

/**
 * write_status() - write the end of the command, and the failure of perfex
 * @output: the file
 * @command: the command, which may have ended
 * @failure: an enum perfex_status, including that of command->uncounted; or 0
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_status(struct output *output, const struct command *command,
		 int failure);

#endif /* PERFEX_STATUS_FILE_H */
