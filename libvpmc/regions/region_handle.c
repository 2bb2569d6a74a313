// SPDX-License-Identifier: LGPL-2.1-or-later
/* Share one handle among all threads of a process that read counts for regions. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "regions/region_data.h"
#include "regions/region_handle.h"
#include "regions/region_signals.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* No count is started on this handle. */
struct vpmc *vpmcint_region_handle;

/* This is the device of the handle. */
static dev_t device;

/* These are the signals that were blocked in the thread that has the lock. */
static sigset_t outside;

/*
 * A fork takes the lock. So block signals, because a handler that forks would wait forever for the
 * code that it has interrupted.
 */
void vpmcint_region_lock(void)
{
	sigset_t before;

	vpmcint_region_hold_signals(&before);
	pthread_mutex_lock(&lock);
	outside = before;
}

void vpmcint_region_unlock(void)
{
	const sigset_t before = outside;

	pthread_mutex_unlock(&lock);
	vpmcint_region_release_signals(&before);
}

void vpmcint_region_renew_lock(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* Check that the program was compiled with the vpmc_region.h of this library. */
static int check_version(struct vpmc_error *err)
{
	if (vpmc_region_thread.version == VPMC_REGION_VERSION)
		return 0;
	return vpmcint_fail(
		err, VPMC_E_ABI,
		"cannot count regions: the program was compiled"
		" with version %u of <vpmc_region.h>, and this"
		" libvpmc has version %u: compile the program again",
		vpmc_region_thread.version, VPMC_REGION_VERSION);
}

static int open_handle(struct vpmc_error *err)
{
	struct stat status;
	int ret = vpmc_open(&vpmcint_region_handle, err);

	if (!ret && !fstat(vpmcint_region_handle->fd, &status))
		device = status.st_rdev;
	return ret;
}

int vpmcint_region_open_handle(struct vpmc_error *err)
{
	int ret = check_version(err);

	if (ret)
		return ret;
	vpmcint_region_lock();
	if (!vpmcint_region_handle)
		ret = open_handle(err);
	vpmcint_region_unlock();
	return ret;
}

bool vpmcint_region_renew_handle(void)
{
	struct stat status;
	struct vpmc *opened;

	if (!fstat(vpmcint_region_handle->fd, &status) &&
	    S_ISCHR(status.st_mode) && status.st_rdev == device)
		return false;
	if (vpmc_open(&opened, NULL))
		return false;
	/*
	 * Do not close the old descriptor, which belongs to the program now, and keep the
	 * handle, which other threads use.
	 */
	vpmcint_region_handle->fd = opened->fd;
	free(opened);
	return true;
}

int vpmcint_region_map(void)
{
	int ret;

	vpmcint_region_lock();
	ret = vpmcint_map(vpmcint_region_handle, NULL);
	vpmcint_region_unlock();
	return ret;
}
