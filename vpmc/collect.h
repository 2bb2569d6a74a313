/* SPDX-License-Identifier: GPL-2.0-only */
/* How processes join and leave what an open file collects. See session.h. */
#ifndef VPMC_COLLECT_H
#define VPMC_COLLECT_H

struct vpmc_process;
struct vpmc_session;

/* Let @p, if the file of its session is closed, be in none. May sleep. */
void vpmc_collect_leave_closed(struct vpmc_process *p);

/*
 * May @p be collected by @s from now on? Returns 0, also if it is already, or
 * -EBUSY if another session collects @p, or @s others than @p. The locks of
 * both held.
 */
int vpmc_collect_check(struct vpmc_session *s, struct vpmc_process *p);

/* Let it, if it is not yet. @s gets one more holder. The locks of both held. */
void vpmc_collect_join(struct vpmc_session *s, struct vpmc_process *p);

#endif /* VPMC_COLLECT_H */
