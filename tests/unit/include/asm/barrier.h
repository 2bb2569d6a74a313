/* SPDX-License-Identifier: GPL-2.0-only */
/* This file has the part of the kernel's asm/barrier.h that vpmc/cpu/epoch.c needs. */
#ifndef TESTS_UNIT_ASM_BARRIER_H
#define TESTS_UNIT_ASM_BARRIER_H

/* A test defines this function, and so decides what other processors do here. */
void test_barrier(void);

#define smp_rmb() test_barrier()

#endif /* TESTS_UNIT_ASM_BARRIER_H */
