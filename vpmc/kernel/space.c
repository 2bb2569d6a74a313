// SPDX-License-Identifier: GPL-2.0-only
/* This file creates the address space of all mappings of the device. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>

#include "kernel/space.h"

#define SPACE_MAGIC	0x76706d63 /* "vpmc" */

struct address_space *vpmc_space;
static struct vfsmount *space_mount;

static int space_init_context(struct fs_context *fc)
{
	return init_pseudo(fc, SPACE_MAGIC) ? 0 : -ENOMEM;
}

/* The type has no owner, because the inode would keep the module from being unloaded. */
static struct file_system_type space_type = {
	.name = "vpmc",
	.init_fs_context = space_init_context,
	.kill_sb = kill_anon_super,
};

int vpmc_space_init(void)
{
	struct inode *inode;

	space_mount = kern_mount(&space_type);
	if (IS_ERR(space_mount))
		return PTR_ERR(space_mount);
	inode = alloc_anon_inode(space_mount->mnt_sb);
	if (IS_ERR(inode)) {
		kern_unmount(space_mount);
		return PTR_ERR(inode);
	}
	vpmc_space = inode->i_mapping;
	return 0;
}

void vpmc_space_exit(void)
{
	iput(vpmc_space->host);
	kern_unmount(space_mount);
}
