/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares an image, which is 32-bit code linked at address 0, with records at its
 * start.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>

#include "records.h"

struct image {
	unsigned char *bytes;
	size_t size;
};

/* Read a file. If it cannot be read, print an error and exit with status 2. */
void image_read(struct image *image, const char *path);
void image_free(struct image *image);

/* Return the first record. The last record is of type RECORD_NONE. */
const struct record *image_records(const struct image *image);
const char *image_string(const struct image *image, uint32_t address);

#endif
