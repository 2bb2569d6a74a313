// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keep one handle for each thread, so that a start and a read execute few instructions. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "libperfex_call.h"

/**
 * struct own - the data of a thread
 * @vpmc: its handle
 * @pid: the process that opened it; a child needs its own handle
 */
struct own {
	struct vpmc *vpmc;
	pid_t pid;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int no_key;

static void destroy(void *value)
{
	struct own *own = value;

	vpmc_close(own->vpmc);
	free(own);
}

static void create_key(void)
{
	no_key = pthread_key_create(&key, destroy);
}

static struct own *find_own(void)
{
	struct own *own;

	pthread_once(&once, create_key);
	own = no_key ? NULL : pthread_getspecific(key);
	if (own || no_key)
		return own;
	own = calloc(1, sizeof(*own));
	if (own && pthread_setspecific(key, own)) {
		free(own);
		own = NULL;
	}
	return own;
}

struct vpmc *perfexint_handle(struct vpmc_error *err)
{
	struct own *own = find_own();
	const pid_t pid = getpid();

	if (!own) {
		*err = (struct vpmc_error){ VPMC_E_MEMORY, "out of memory" };
		return NULL;
	}
	if (own->vpmc && own->pid == pid)
		return own->vpmc;
	vpmc_close(own->vpmc);
	own->vpmc = NULL;
	own->pid = pid;
	if (vpmc_open(&own->vpmc, err))
		return NULL;
	return own->vpmc;
}
