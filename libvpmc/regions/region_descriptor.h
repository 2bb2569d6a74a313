/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares how a process opens the files that perfex made. The process can write to the
 * files even if its program may no longer open files, or has closed the descriptor.
 */
#ifndef LIBVPMC_REGION_DESCRIPTOR_H
#define LIBVPMC_REGION_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/stat.h>

/**
 * struct region_descriptor - a file
 * @path: path of the file, NULL if there is none
 * @flags: flags for open(2)
 * @fd: descriptor of the file, as long as it refers to @device and @inode
 * @device: device of the file
 * @inode: inode of the file
 */
struct region_descriptor {
	const char *path;
	int flags;
	int fd;
	dev_t device;
	ino_t inode;
};

/**
 * vpmcint_region_open_first() - open a file when the program starts
 * @file: receives the file
 * @variable: environment variable with the path; ignored if the program runs set-user-ID
 * @flags: flags for open(2)
 */
void vpmcint_region_open_first(struct region_descriptor *file,
			       const char *variable, int flags);

/**
 * vpmcint_region_open_again() - get a descriptor of the file
 * @file: the file
 *
 * Return: the descriptor, for vpmcint_region_close_again(), or -1.
 */
int vpmcint_region_open_again(const struct region_descriptor *file);

/*
 * vpmcint_region_may_grow() - return whether RLIMIT_FSIZE allows the process a file of @size bytes;
 * a larger file would raise SIGXFSZ
 */
bool vpmcint_region_may_grow(off_t size);

/**
 * vpmcint_region_reserve() - reserve space in a file, so that writes to its mapping do
 *	not raise SIGBUS
 * @fd: the file
 * @at: position of the space
 * @size: size of the space
 *
 * If the file system cannot reserve space, the file only becomes larger.
 *
 * Return: false if there is no space, or if the process may not have a file of this size.
 */
bool vpmcint_region_reserve(int fd, off_t at, off_t size);

/*
 * vpmcint_region_close_again() - close a descriptor that vpmcint_region_open_again() has
 * opened
 */
void vpmcint_region_close_again(const struct region_descriptor *file, int fd);

#endif /* LIBVPMC_REGION_DESCRIPTOR_H */
