/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares CPUID and the accesses to model-specific registers. The names of the accesses
 * are those of Linux 6.16 and later.
 */
#ifndef VPMC_MSR_H
#define VPMC_MSR_H

#include <asm/msr.h>

#ifdef rdmsrq

#include <asm/cpuid/api.h>

#else

#include <asm/cpuid.h>

#define rdmsrq(msr, value)	rdmsrl(msr, value)
#define rdmsrq_safe(msr, value)	rdmsrl_safe(msr, value)
#define wrmsrq(msr, value)	wrmsrl(msr, value)
#define wrmsrq_safe(msr, value)	wrmsrl_safe(msr, value)

#endif

#endif /* VPMC_MSR_H */
