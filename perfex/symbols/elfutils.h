/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the functions of elfutils. Loading elfutils takes longer than the rest of
 * perfex for a short command, so it is loaded only if names are needed.
 */
#ifndef PERFEX_SYMBOLS_ELFUTILS_H
#define PERFEX_SYMBOLS_ELFUTILS_H

#include <stdbool.h>

#ifdef PERFEX_ELFUTILS

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <libelf.h>

/* clang-format off */
#define ELFUTILS_FUNCTIONS(F) \
	F(dwarf_attr_integrate) F(dwarf_child) F(dwarf_decl_file) F(dwarf_decl_line) \
	F(dwarf_dieoffset) F(dwarf_diename) F(dwarf_filesrc) F(dwarf_formudata) \
	F(dwarf_get_units) F(dwarf_getsrc_die) F(dwarf_getsrcfiles) F(dwarf_linecol) \
	F(dwarf_lineno) F(dwarf_linesrc) F(dwarf_ranges) F(dwarf_siblingof) F(dwarf_tag) \
	F(dwfl_begin) F(dwfl_build_id_find_elf) F(dwfl_end) F(dwfl_module_build_id) \
	F(dwfl_module_getdwarf) F(dwfl_module_getelf) F(dwfl_module_getsym_info) \
	F(dwfl_module_getsymtab) F(dwfl_offline_section_address) F(dwfl_report_begin) \
	F(dwfl_report_elf) F(dwfl_report_end) F(dwfl_standard_find_debuginfo) \
	F(elf_getphdrnum) F(gelf_getphdr)
/* clang-format on */

#define ELFUTILS_MEMBER(name) __typeof__(name) *(name);

/**
 * struct elfutils - pointers to functions of elfutils, under their names
 */
struct elfutils {
	ELFUTILS_FUNCTIONS(ELFUTILS_MEMBER)
};

/**
 * load_elfutils() - find the functions of elfutils
 *
 * Return: the functions, or NULL if the library is not there.
 */
const struct elfutils *load_elfutils(void);

#endif /* PERFEX_ELFUTILS */

#endif /* PERFEX_SYMBOLS_ELFUTILS_H */
