/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how perfex.irix counts a command. */
#ifndef IRIX_RUN_H
#define IRIX_RUN_H

#include "irix_output.h"
#include "run/child.h"

/**
 * irix_count() - run the command and write the reports
 * @vpmc: from vpmc_open()
 * @output: from irix_open_output()
 * @command: receives the command after its end
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_count(struct vpmc *vpmc, struct irix_output *output,
	       struct command *command);

#endif /* IRIX_RUN_H */
