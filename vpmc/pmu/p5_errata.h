/* SPDX-License-Identifier: GPL-2.0-only */
/* This file handles errata of some steppings of the Pentium. */
#ifndef VPMC_P5_ERRATA_H
#define VPMC_P5_ERRATA_H

#include <linux/types.h>

/**
 * p5_rdpmc_is_for_users() - return whether user mode may execute RDPMC
 * @signature: EAX of CPUID leaf 1 of a Pentium with MMX
 *
 * User mode may not execute RDPMC on family 5, model 4, stepping 4, nor on stepping 3 if
 * the type field is 1 (OverDrive). On these steppings, RDPMC does not work as documented
 * when CR4.PCE is set. Source: Intel, Pentium Processor Specification Update, erratum 74;
 * the fields of the signature: Intel Architecture Software Developer's Manual, volume 2,
 * CPUID.
 */
static inline bool p5_rdpmc_is_for_users(u32 signature)
{
	const u32 type_mask = 0x3000, type_1 = 0x1000;

	switch (signature & 0xfff) {
	case 0x544:
		return false;
	case 0x543:
		return (signature & type_mask) != type_1;
	default:
		return true;
	}
}

#endif /* VPMC_P5_ERRATA_H */
