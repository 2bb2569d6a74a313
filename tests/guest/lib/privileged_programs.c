// SPDX-License-Identifier: GPL-2.0-only
/* This file makes programs that gain privileges when they are executed, and gives up privileges. */
#include <err.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "privileged_programs.h"

const struct kind kinds[NR_KINDS] = {
	{ "set-uid", 04755, false, true },
	{ "set-gid", 02755, false, true },
	{ "capabilities", 0755, true, false },
	{ "unreadable", 0711, false, false },
};

void copy(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	char data[4096];
	ssize_t got;

	if (in < 0 || out < 0)
		err(2, "%s, %s", from, to);
	while ((got = read(in, data, sizeof(data))) > 0)
		if (write(out, data, (size_t)got) != got)
			err(2, "%s", to);
	close(in);
	close(out);
}

void make_program(const struct kind *kind, const char *program,
		  const char *path)
{
	struct vfs_cap_data capability = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = 1 << CAP_NET_RAW,
	};

	unlink(path);
	copy(program, path);
	if (kind->capable && setxattr(path, "security.capability", &capability,
				      sizeof(capability), 0))
		err(2, "setxattr");
	if (chmod(path, kind->mode))
		err(2, "chmod");
}

void keep_capabilities(uint64_t permitted, uint64_t effective)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	unsigned int i;

	if (syscall(SYS_capget, &header, data))
		err(2, "capget");
	for (i = 0; i < 2; i++) {
		data[i].permitted &= (uint32_t)(permitted >> 32 * i);
		data[i].effective =
			data[i].permitted & (uint32_t)(effective >> 32 * i);
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &header, data))
		err(2, "capset");
}

void become_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY))
		err(2, "setuid");
}

void become_ordinary(void)
{
	become_nobody();
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
}
