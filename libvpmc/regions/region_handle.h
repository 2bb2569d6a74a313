/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the handle with which all threads of a process read their counts. */
#ifndef LIBVPMC_REGION_HANDLE_H
#define LIBVPMC_REGION_HANDLE_H

#include "base/internal.h"

/*
 * These functions take and release the lock of the handle and of all other data that the
 * process's threads share.
 */
void vpmcint_region_lock(void);
void vpmcint_region_unlock(void);

/* vpmcint_region_renew_lock() - initialize the lock in a new process */
void vpmcint_region_renew_lock(void);

/**
 * vpmcint_region_open_handle() - open the handle, once
 * @err: receives the error, or NULL
 *
 * Return: 0, the errors of vpmc_open(); also VPMC_E_ABI if the program has another
 * VPMC_REGION_VERSION.
 */
int vpmcint_region_open_handle(struct vpmc_error *err);

/* vpmcint_region_handle - the handle. It is only read, so it does not need a lock. */
extern struct vpmc *vpmcint_region_handle;

/**
 * vpmcint_region_renew_handle() - open the device again, if the program has closed its
 * descriptor
 *
 * Return: true if the device had to be opened again, and this has succeeded. Changes
 * errno.
 */
bool vpmcint_region_renew_handle(void);

/* vpmcint_region_map() - call vpmcint_map() on the handle; returns 0 or an error */
int vpmcint_region_map(void);

#endif /* LIBVPMC_REGION_HANDLE_H */
