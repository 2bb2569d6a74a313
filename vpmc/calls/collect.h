/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how processes join and leave the session of an open file
 * (session.h).
 */
#ifndef VPMC_COLLECT_H
#define VPMC_COLLECT_H

struct vpmc_process;
struct vpmc_session;

/*
 * Remove @p from its session if the session's file is closed. If @enters is set, @p enters a
 * cgroup. @p then leaves only if it does not count, or if its counts can be shown only to its
 * ancestors. May sleep.
 */
void vpmc_collect_leave_closed(struct vpmc_process *p, bool enters);

/*
 * Return whether @p counted when it left a closed session to enter a cgroup, and its counts can
 * still be shown only to its ancestors. A cgroup may then take over @p. @p->lock must be held.
 */
bool vpmc_collect_is_left(const struct vpmc_process *p);

/*
 * Check whether @s may collect @p. Returns 0, even if @s collects @p already. Returns -EBUSY if
 * another session collects @p, or if @s collects other processes or is about to collect them. The
 * locks of @s and @p are held.
 */
int vpmc_collect_check(struct vpmc_session *s, struct vpmc_process *p);

/*
 * Let @s collect @p, unless it collects @p already, and note that the file of @s was started for
 * @p. @p then holds a reference to @s. The locks of @s and @p are held.
 */
void vpmc_collect_join(struct vpmc_session *s, struct vpmc_process *p);

/*
 * Check whether @s may collect @p, which enters the cgroup of @s, and let @s collect it. @s may
 * collect other processes. The check returns 0, -EBUSY if another session collects @p, -EALREADY if
 * @s collects @p or is closed, or -ESTALE if the file of @s is being started again.
 */
int vpmc_collect_check_enter(struct vpmc_session *s, struct vpmc_process *p);
void vpmc_collect_enter(struct vpmc_session *s, struct vpmc_process *p);

#endif /* VPMC_COLLECT_H */
