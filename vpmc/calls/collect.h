/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how processes join and leave the session of an open file
 * (session.h).
 */
#ifndef VPMC_COLLECT_H
#define VPMC_COLLECT_H

struct vpmc_process;
struct vpmc_session;

/* Remove @p from its session if the session's file is closed. May sleep. */
void vpmc_collect_leave_closed(struct vpmc_process *p);

/*
 * Check whether @s may collect @p. Returns 0, even if it collects @p already, or -EBUSY
 * if another session collects @p or if @s collects other processes. The locks of both
 * are held.
 */
int vpmc_collect_check(struct vpmc_session *s, struct vpmc_process *p);

/*
 * Let @s collect @p, if it does not do so yet. @p then holds a reference to @s. The
 * locks of both are held.
 */
void vpmc_collect_join(struct vpmc_session *s, struct vpmc_process *p);

#endif /* VPMC_COLLECT_H */
