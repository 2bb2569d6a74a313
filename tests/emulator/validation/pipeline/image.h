/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares a flat image of 32-bit code, linked at address 0, with records at
 * its start.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>

#include "records.h"

struct image {
	unsigned char *bytes;
	size_t size;
};

/* Reads a file.  If it cannot, it says so and exits with 2. */
void image_read(struct image *image, const char *path);
void image_free(struct image *image);

/* The first record; the last has the kind RECORD_NONE. */
const struct record *image_records(const struct image *image);
const char *image_string(const struct image *image, uint32_t address);

#endif
