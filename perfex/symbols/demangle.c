// SPDX-License-Identifier: GPL-2.0-only
/* Find the names of symbols in the source by the C++ library, as debuggers do. */
#include "symbols/demangle.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(PERFEX_ELFUTILS) && !defined(PERFEX_ELFUTILS_STATIC)

#include <dlfcn.h>

#define SONAME "libstdc++.so.6"

/* The C++ ABI declares this function in <cxxabi.h>, a header of C++. */
typedef char *demangler(const char *symbol, char *buffer, size_t *length,
			int *status);

static demangler *load_demangler(void)
{
	static demangler *function;
	static bool is_loaded;
	void *library;

	if (is_loaded)
		return function;
	is_loaded = true;
	library = dlopen(SONAME, RTLD_NOW);
	if (library)
		*(void **)&function = dlsym(library, "__cxa_demangle");
	return function;
}

char *demangle(const char *symbol)
{
	demangler *function;
	int status;

	if (strncmp(symbol, "_Z", 2) != 0)
		return NULL;
	function = load_demangler();
	return function ? function(symbol, NULL, NULL, &status) : NULL;
}

#else

char *demangle(const char *symbol)
{
	(void)symbol;
	return NULL;
}

#endif
