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
 * Remove @p from its session if the session's file is closed. If @p @enters a cgroup, do so
 * only if it does not count, or its counts can be shown to nobody but its ancestors. May sleep.
 */
void vpmc_collect_leave_closed(struct vpmc_process *p, bool enters);

/*
 * Return whether @p counted when it left such a session to enter a cgroup, and its counts can
 * still be shown to nobody but its ancestors. So a cgroup may take it over. @p->lock must be held.
 */
bool vpmc_collect_is_left(const struct vpmc_process *p);

/*
 * Check whether @s may collect @p. Returns 0, even if it collects @p already, or -EBUSY
 * if another session collects @p or if @s collects other processes, or will do so because their
 * start is under way. The locks of both are held.
 */
int vpmc_collect_check(struct vpmc_session *s, struct vpmc_process *p);

/*
 * Let @s collect @p, if it does not do so yet, and note that its file was started for @p. @p
 * then holds a reference to @s. The locks of both are held.
 */
void vpmc_collect_join(struct vpmc_session *s, struct vpmc_process *p);

/*
 * The same for @s, which may collect others: @p enters their cgroup. Returns 0, -EBUSY if
 * another session collects @p, -EALREADY if there is nothing to do: @s collects @p, or its file
 * is closed, or -ESTALE if the file is being started again.
 */
int vpmc_collect_check_enter(struct vpmc_session *s, struct vpmc_process *p);
void vpmc_collect_enter(struct vpmc_session *s, struct vpmc_process *p);

#endif /* VPMC_COLLECT_H */
