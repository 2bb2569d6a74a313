/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The proof that a processor's counters count. An emulator or a hypervisor may show a
 * processor without them: then RDPMC or the registers raise exceptions, or the registers
 * ignore what is written, or counters stand still. Any of these would crash the kernel or
 * be a wrong count.
 *
 * On each processor, with interrupts off: all registers are read and RDPMC is executed,
 * by accesses that may fail. Each counter holds patterns of bits, which RDMSR and RDPMC
 * both show. All counters at once count two loops in the kernel, of different lengths,
 * beyond their wrap: the difference of the two counts is that of the loops. Registers get
 * their values back, and counters are 0 in the end.
 *
 * No real processor counts more exactly than this: what starts and stops the counters, a
 * serializing WRMSR, is the same for both loops and cancels out. Only an NMI or the
 * firmware's SMI can add something, which does not happen in each of several tries. An
 * erratum may let a processor count a few more: a count may be off by 1 in 256.
 *
 * A processor is proved before the driver writes to its counters: when the module is
 * loaded, unless perf_event has the counters then; when the driver takes the counters;
 * and when it comes on line while the driver has them. One that fails at load has the
 * module refused, one that comes on line while the driver has the counters does not come
 * on line: it would add wrong counts to right ones. If the driver does not have them, it
 * comes on line, and starts fail for as long as it is there.
 */
#ifndef VPMC_PROVE_H
#define VPMC_PROVE_H

#include <linux/init.h>

struct vpmc_proof;

/* Take over what the family's vpmc_family.describe says. vpmc_pmu is set. */
void __init vpmc_prove_describe(void (*describe)(struct vpmc_proof *proof));

/* Say in the log that the counters cannot be used, since @found. */
void __init vpmc_prove_refuse(const char *found);

/**
 * vpmc_prove_look() - look at all processors whose counters perf_event may have
 *
 * This only reads. May sleep. Returns 0, or -EIO after a message if any of them fails.
 */
int vpmc_prove_look(void);

/**
 * vpmc_prove_all() - prove all processors on line that are not proved yet
 *
 * Nobody else has the counters, and cpus_read_lock() is held. May sleep. Returns 0, or
 * -EIO if any of them fails, after a message if this is the first time.
 */
int vpmc_prove_all(void);

/*
 * Have every processor that comes on line proved if the driver has the counters, and
 * reset when it comes and when it goes. May sleep. vpmc_prove_init() returns 0 or -errno.
 */
int vpmc_prove_init(void);
void vpmc_prove_exit(void);

#endif /* VPMC_PROVE_H */
