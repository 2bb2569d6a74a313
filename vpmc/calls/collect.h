/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how processes join and leave the session of an open file
 * (session.h).
 */
#ifndef VPMC_COLLECT_H
#define VPMC_COLLECT_H

struct vpmc_process;
struct vpmc_session;

/* Take @p out of its session if the session's file is closed. May sleep. */
void vpmc_collect_leave_closed(struct vpmc_process *p);

/*
 * May @p be collected by @s from now on? Returns 0, also if it is already, or
 * -EBUSY if another session collects @p, or @s others than @p. The locks of
 * both held.
 */
int vpmc_collect_check(struct vpmc_session *s, struct vpmc_process *p);

/*
 * Let @s collect @p, if it does not yet, and hold @s. The locks of both held.
 */
void vpmc_collect_join(struct vpmc_session *s, struct vpmc_process *p);

#endif /* VPMC_COLLECT_H */
