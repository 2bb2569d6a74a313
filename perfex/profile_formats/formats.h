/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the forms in which other tools read a profile. In all forms, the weight of
 * an instruction is the number of its samples times the period.
 */
#ifndef PERFEX_PROFILE_FORMATS_H
#define PERFEX_PROFILE_FORMATS_H

#include <stdbool.h>
#include <stdio.h>

#include "symbols/symbols.h"
#include "util/perfex.h"

/**
 * struct profile_caller - an instruction that calls a function
 * @object: path of the file, or the name of other memory
 * @offset: offset in the file, or address in other memory
 * @is_file: whether @object is a file for symbols_find()
 * @next: the caller of its function, or NULL
 */
struct profile_caller {
	const char *object;
	uint64_t offset;
	bool is_file;
	const struct profile_caller *next;
};

/**
 * struct profile_spot - the samples of an event at an instruction of a program
 * @program: name of the program
 * @region: name of the innermost region, NULL if none was open or regions are not known
 * @object: path of the file, or the name of other memory
 * @offset: offset in the file, or address in other memory
 * @samples: number of samples
 * @event: index of the event
 * @is_file: whether @object is a file for symbols_find()
 * @is_kernel: whether @offset is an address of the kernel
 * @caller: its caller, or NULL if it has no known caller. Equal callers have the same pointer.
 */
struct profile_spot {
	const char *program;
	const char *region;
	const char *object;
	uint64_t offset;
	uint64_t samples;
	uint32_t event;
	bool is_file;
	bool is_kernel;
	const struct profile_caller *caller;
};

/**
 * struct profile_data - a profile
 * @events: the events; those with a period have samples
 * @spot: the samples; a form may sort them
 * @nr_spots: number of @spot
 * @symbols: the names of functions; symbols_expect() was called for all files
 */
struct profile_data {
	const struct events *events;
	struct profile_spot *spot;
	size_t nr_spots;
	struct symbols *symbols;
};

/* enum profile_form - the form of a profile's file */
enum profile_form {
	PROFILE_TABLE,	/* the table for people */
	PROFILE_FOLDED, /* .folded: stacks of flame graphs */
	PROFILE_CALLGRIND, /* .callgrind, or callgrind.out.*: KCachegrind, callgrind_annotate */
	PROFILE_PERF,  /* .perf: the text of perf script */
	PROFILE_PPROF, /* .pb.gz: pprof */
	PROFILE_SAVED, /* .profile: for perfex --merge, not a form of this folder */
};

/**
 * profile_form() - choose the form by the name of a file
 * @file: its path
 *
 * Return: the form, PROFILE_TABLE for other names.
 */
enum profile_form profile_form(const char *file);

/*
 * These functions write a profile to @out. The caller checks @out for errors. The functions
 * return false if memory is short.
 */
bool write_folded(FILE *out, struct profile_data *data);
bool write_callgrind(FILE *out, struct profile_data *data);
bool write_perf_script(FILE *out, struct profile_data *data);
bool write_pprof(FILE *out, struct profile_data *data);

/* has_pprof() - tell whether perfex was built with protobuf-c and zlib, for write_pprof() */
bool has_pprof(void);

#endif /* PERFEX_PROFILE_FORMATS_H */
