/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the proof that a processor's counters count. An emulator or a hypervisor may
 * show a processor without working counters. RDPMC or accesses to the registers then raise
 * exceptions, or the registers ignore writes, or counters stand still. Each of these faults would
 * crash the kernel or lead to a wrong count.
 *
 * The proof runs on each processor with interrupts off. It reads all registers and executes RDPMC,
 * by accesses that may fault. It writes patterns of bits to each counter, and reads them back by
 * RDMSR and RDPMC. It lets all counters count two loops of different lengths in the kernel, across
 * their wrap, and compares the difference of the two counts with the difference of the loops. It
 * then restores the control registers and sets the counters to 0.
 *
 * A correct processor passes this test. The instructions that start and stop the counters, among
 * them a serializing WRMSR, are the same for both loops and cancel out. Only an NMI or an SMI of
 * the firmware can add to a count, and such an interrupt does not come in each of several tries. A
 * count may be off by 1 in 256, because an erratum may let a processor count a few instructions
 * more.
 *
 * If the family's counters can interrupt, the proof also lets one of them overflow, and waits for
 * the NMI. If the NMI does not come, samples at events are refused, but the processor can count.
 * The proof fails only if the user has said that the NMI comes (vpmc_pmu.no_interrupt).
 *
 * A processor is proved before the driver writes to its counters. It is proved when the module is
 * loaded, unless perf_event has the counters at that time. It is also proved when the driver takes
 * the counters, and when it comes online while the driver has them. If a processor fails when the
 * module is loaded, the module is not loaded. If a processor comes online and fails while the
 * driver has the counters, it does not come online, because it would make counts wrong. If the
 * driver does not have the counters, the processor comes online, and starts fail while it is
 * online.
 */
#ifndef VPMC_PROVE_H
#define VPMC_PROVE_H

#include <linux/init.h>

struct vpmc_proof;

/*
 * Return whether the NMI that this processor handles is the interrupt of an overflow that the proof
 * has caused. Call this only if the source of the NMI is not known. NMI context.
 */
bool vpmc_prove_nmi(void);

/* Call @describe, the family's vpmc_family.describe, for the proof. vpmc_pmu is set. */
void __init vpmc_prove_describe(void (*describe)(struct vpmc_proof *proof));

/* Log that the counters cannot be used because of @found, a text that also names the remedy. */
void __init vpmc_prove_refuse(const char *found);

/**
 * vpmc_prove_look() - check all processors without writing to their registers
 *
 * perf_event may have the counters. May sleep. Returns 0, or -EIO after a message if
 * any processor fails.
 */
int vpmc_prove_look(void);

/**
 * vpmc_prove_all() - prove all online processors that are not proved yet
 *
 * No other user has the counters, and cpus_read_lock() is held. May sleep. Returns 0, or
 * -EIO if any processor fails. The first failure of a processor prints a message.
 */
int vpmc_prove_all(void);

/*
 * Register and unregister the callbacks for processors that come online or go offline.
 * They reset the processor. If the driver has the counters, they also prove a processor
 * that comes online. May sleep. vpmc_prove_init() returns 0 or -errno.
 */
int vpmc_prove_init(void);
void vpmc_prove_exit(void);

#endif /* VPMC_PROVE_H */
