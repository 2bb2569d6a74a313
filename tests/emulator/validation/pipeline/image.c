// SPDX-License-Identifier: GPL-2.0-only
#include "image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	exit(2);
}

void image_read(struct image *image, const char *path)
{
	FILE *f = fopen(path, "rb");
	long size = 0;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 ||
	    fseek(f, 0, SEEK_SET))
		fail(path);
	image->size = size;
	image->bytes = malloc(image->size);
	if (!image->bytes ||
	    fread(image->bytes, 1, image->size, f) != image->size)
		fail(path);
	fclose(f);
}

void image_free(struct image *image)
{
	free(image->bytes);
}

const struct record *image_records(const struct image *image)
{
	return (const struct record *)image->bytes;
}

const char *image_string(const struct image *image, uint32_t address)
{
	return (const char *)image->bytes + address;
}
