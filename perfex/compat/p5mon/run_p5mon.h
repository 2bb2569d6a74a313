/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the exit statuses and complaints that the files of run_p5mon share. */
#ifndef RUN_P5MON_H
#define RUN_P5MON_H

#include "util/perfex.h"

/* Error messages begin with this name. */
#define PROGRAM "run_p5mon"

/*
 * run_p5mon exits with 0, or with an enum perfex_status after an error message of complain(). The
 * exit status of the command does not matter.
 */

/* complain_memory() - complain that there is no memory; returns PERFEX_SYSTEM */
int complain_memory(void);

#endif /* RUN_P5MON_H */
