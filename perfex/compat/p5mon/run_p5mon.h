/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares what the files of run_p5mon share: exit statuses and complaints. */
#ifndef RUN_P5MON_H
#define RUN_P5MON_H

#include "util/perfex.h"

/* The name with which sentences begin. */
#define PROGRAM "run_p5mon"

/*
 * It exits with 0, or as perfex does (enum perfex_status), after a sentence of
 * complain(). How the command ends does not matter.
 */

/* complain_memory() - out of memory; PERFEX_SYSTEM */
int complain_memory(void);

#endif /* RUN_P5MON_H */
