/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the callers and registers of samples. */
#ifndef VPMC_CHAIN_H
#define VPMC_CHAIN_H

#include <linux/types.h>

struct pt_regs;
struct vpmc_long_record;
struct vpmc_thread;

/*
 * Write the fields of a struct vpmc_long_sample of @t from nr_callers on to @record. @user has
 * current's registers of user mode, or is NULL if they are not known. If @first is not 0, it is the
 * first caller. Interrupts off.
 */
void vpmc_chain_write(struct vpmc_long_record *record, const struct vpmc_thread *t,
		      struct pt_regs *user, u64 first);

#endif /* VPMC_CHAIN_H */
