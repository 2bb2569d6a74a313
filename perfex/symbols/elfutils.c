// SPDX-License-Identifier: GPL-2.0-only
/* Find elfutils' functions: in perfex itself, or in the shared library libdw. */
#include "symbols/elfutils.h"

#include "symbols/symbols.h"

#ifdef PERFEX_ELFUTILS

static struct elfutils functions;

#ifdef PERFEX_ELFUTILS_STATIC

#define FIND(name) functions.name = name;

const struct elfutils *load_elfutils(void)
{
	ELFUTILS_FUNCTIONS(FIND)
	return &functions;
}

#else

#include <dlfcn.h>
#include <stddef.h>

/*
 * This library belongs to the headers. dlsym(3) also searches the libraries that this library
 * needs.
 */
#define SONAME "libdw.so.1"

#define FIND(name)     *(void **)&functions.name = dlsym(library, #name);
#define IS_THERE(name) &&functions.name

const struct elfutils *load_elfutils(void)
{
	static void *library;

	if (!library)
		library = dlopen(SONAME, RTLD_NOW);
	if (!library)
		return NULL;
	ELFUTILS_FUNCTIONS(FIND)
	return true ELFUTILS_FUNCTIONS(IS_THERE) ? &functions : NULL;
}

#endif

bool has_elfutils(void)
{
	return true;
}

#else

bool has_elfutils(void)
{
	return false;
}

#endif
