// SPDX-License-Identifier: LGPL-2.1-or-later
/* Attach handles to other processes and threads. */
#include <errno.h>
#include <linux/vpmc.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "base/internal.h"

/* The library passes its constants to the driver unchanged. */
_Static_assert((int)VPMC_ATTACH_ONE_THREAD == VPMC_ATTACH_THREAD, "");
_Static_assert((int)VPMC_ATTACH_FD == VPMC_ATTACH_PIDFD, "");

#define KNOWN_FLAGS (VPMC_ATTACH_ONE_THREAD | VPMC_ATTACH_FD)

/* Compose the target's name for errors: "process 12", "thread of descriptor 3". */
static void name_target(int id, unsigned int flags, char *name, size_t size)
{
	snprintf(name, size, "%s%s %d",
		 flags & VPMC_ATTACH_ONE_THREAD ? "thread" : "process",
		 flags & VPMC_ATTACH_FD ? " of descriptor" : "", id);
}

static int fail_attach(int id, unsigned int flags, struct vpmc_error *err)
{
	char name[48];

	name_target(id, flags, name, sizeof(name));
	switch (errno) {
	case ESRCH:
		return vpmcint_fail(err, VPMC_E_NO_PROCESS,
				    "there is no %s: check the number, or it"
				    " has exited",
				    name);
	case EPERM:
		return vpmcint_fail(err, VPMC_E_PERMISSION,
				    "no permission to attach to %s: that needs"
				    " the same user and a program that may be"
				    " traced, or CAP_SYS_PTRACE, so run it as"
				    " that user or as root (kernel threads"
				    " cannot be counted)",
				    name);
	case EXDEV:
		return vpmcint_fail(err, VPMC_E_BOUND,
				    "cannot attach to %s: the handle stands"
				    " for a process already, so open another"
				    " one",
				    name);
	case EBADF:
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot attach: %d is not a descriptor of a"
				    " process, so give a result of"
				    " pidfd_open(2)",
				    id);
	case ENOMEM:
		return vpmcint_fail_kept(err, "attach to a process");
	default:
		return vpmcint_fail_errno(err, "attach to a process");
	}
}

int vpmc_attach(struct vpmc *vpmc, int id, unsigned int flags,
		struct vpmc_error *err)
{
	struct vpmc_attach attach = { .size = sizeof(attach),
				      .flags = flags,
				      .id = id };

	if (flags & ~(unsigned int)KNOWN_FLAGS)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot attach: 0x%x has unknown flags",
				    flags);
	if (ioctl(vpmc->fd, VPMC_ATTACH, &attach))
		return fail_attach(id, flags, err);

	vpmc->target =
		flags & VPMC_ATTACH_ONE_THREAD ? TARGET_THREAD : TARGET_PROCESS;
	vpmc->self.generation = attach.generation;
	vpmc->self.start = attach.start;
	vpmc->thread = vpmc->self;
	return 0;
}
