// SPDX-License-Identifier: GPL-2.0-only
/*
 * jumps: show how many sites of a static key are jumps. The other sites are no-ops.
 *
 *	insmod jumps.ko sites=ADDRESS,ADDRESS...
 *
 * /sys/module/jumps/parameters/jumps has the number.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>

#define MAX_SITES 64

static unsigned long sites[MAX_SITES];
static unsigned int nr_sites;
module_param_array(sites, ulong, &nr_sites, 0444);
MODULE_PARM_DESC(sites, "addresses of instructions");

/* Return whether there is a jump at @site, with an operand of one byte or of four bytes. */
static bool is_jump(unsigned long site)
{
	u8 opcode = READ_ONCE(*(const u8 *)site);

	return opcode == 0xeb || opcode == 0xe9;
}

static int get_jumps(char *buffer, const struct kernel_param *kp)
{
	unsigned int i, jumps = 0;

	for (i = 0; i < nr_sites; i++)
		jumps += is_jump(sites[i]);
	return sysfs_emit(buffer, "%u\n", jumps);
}

static const struct kernel_param_ops jumps_ops = {
	.get = get_jumps,
};
module_param_cb(jumps, &jumps_ops, NULL, 0444);
MODULE_PARM_DESC(jumps, "how many of them are jumps");

static int __init jumps_init(void)
{
	return nr_sites ? 0 : -EINVAL;
}
module_init(jumps_init);

static void __exit jumps_exit(void)
{
}
module_exit(jumps_exit);

MODULE_DESCRIPTION("Show which sites of a static key are jumps");
MODULE_LICENSE("GPL");
