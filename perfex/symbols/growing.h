/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the growth of arrays. */
#ifndef PERFEX_SYMBOLS_GROWING_H
#define PERFEX_SYMBOLS_GROWING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * grow() - make room for one more element
 * @array: address of the pointer to the array, which may move
 * @room: number of elements that fit into the array; increased if necessary
 * @nr: number of elements in use
 * @size: size of an element
 *
 * Return: true, or false if memory is short; then the array does not change.
 */
static inline bool grow(void *array, size_t *room, size_t nr, size_t size)
{
	size_t more = *room ? *room * 2 : 16;
	void *elements;

	if (nr < *room)
		return true;
	if (more > SIZE_MAX / size)
		return false;
	memcpy(&elements, array, sizeof(elements));
	elements = realloc(elements, more * size);
	if (!elements)
		return false;
	memcpy(array, &elements, sizeof(elements));
	*room = more;
	return true;
}

#endif /* PERFEX_SYMBOLS_GROWING_H */
