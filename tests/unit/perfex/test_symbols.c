// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the names of code. It compiles a program with labels, and searches the names of
 * the labels' places in files that were stripped, split and damaged in several ways.
 */
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "labelled.h"
#include "symbols/kernel.h"
#include "symbols/symbols.h"

static int make_files(void **state)
{
	if (make_program())
		return -1;
	run_shell(
		"gcc -std=c11 -g -O1 -fno-toplevel-reorder -no-pie -o fixed program.c");
	run_shell("strip -o stripped program");
	run_shell("strip -g -o symbols program");
	run_shell("objcopy --only-keep-debug program linked.debug");
	run_shell("strip -o linked program");
	run_shell(
		"objcopy --remove-section=.note.gnu.build-id --add-gnu-debuglink=linked.debug linked");
	return 0;
}

static int remove_files(void **state)
{
	remove_program();
	return 0;
}

static struct symbols *symbols;

static int open_symbols(void **state)
{
	symbols = symbols_open();
	return symbols ? 0 : -1;
}

static int close_symbols(void **state)
{
	symbols_close(symbols);
	return 0;
}

/* Compare the last component: the compiler adds the directory. */
static void check_frame(const struct symbols_frame *frame, const char *function,
			uint32_t line)
{
	const char *slash;

	assert_string_equal(frame->function, function);
	assert_int_equal(frame->line, line);
	if (!line) {
		assert_null(frame->file);
		return;
	}
	slash = strrchr(frame->file, '/');
	assert_string_equal(slash ? slash + 1 : frame->file, "program.c");
	assert_int_equal(frame->column, 2);
}

static void find(const char *file, const char *label,
		 struct symbols_place *place)
{
	assert_int_equal(symbols_find(symbols, file, offset_of(label), place),
			 SYMBOLS_FOUND);
}

/* Check all places of a file that has debug information. */
static void check_lines(const char *file)
{
	struct symbols_place place;

	find(file, "at_innermost", &place);
	assert_int_equal(place.nr_frames, 3);
	check_frame(&place.frames[0], "innermost", 4);
	check_frame(&place.frames[1], "middle", 9);
	check_frame(&place.frames[2], "outer", 14);
	assert_int_equal(place.start, offset_of("outer"));
	assert_true(place.size >
		    offset_of("at_innermost") - offset_of("outer"));
	assert_int_equal(place.first_line, 11);
	find(file, "at_middle", &place);
	assert_int_equal(place.nr_frames, 2);
	check_frame(&place.frames[0], "middle", 8);
	check_frame(&place.frames[1], "outer", 14);
	find(file, "at_outer", &place);
	assert_int_equal(place.nr_frames, 1);
	check_frame(&place.frames[0], "outer", 13);
	find(file, "at_hidden", &place);
	check_frame(&place.frames[0], "hidden", 19);
	find(file, "main", &place);
	assert_int_equal(place.start, offset_of("main"));
	find(file, "at_main", &place);
	check_frame(&place.frames[0], "main", 26);
	find(file, "at_unsized", &place);
	assert_null(place.frames[0].file);
}

static void lines_and_inlined_functions(void **state)
{
	check_lines("program");
}

static void fixed_addresses(void **state)
{
	read_labels("fixed");
	check_lines("fixed");
	read_labels("program");
}

static void symbols_alone(void **state)
{
	struct symbols_place place;

	find("symbols", "at_innermost", &place);
	assert_int_equal(place.nr_frames, 1);
	check_frame(&place.frames[0], "outer", 0);
	assert_int_equal(place.start, offset_of("outer"));
	find("symbols", "at_hidden", &place);
	check_frame(&place.frames[0], "hidden", 0);
	find("symbols", "at_unsized", &place);
	check_frame(&place.frames[0], "at_unsized", 0);
	find("symbols", "unsized", &place);
	check_frame(&place.frames[0], "unsized", 0);
}

/* Symbols for the dynamic linker remain, but not the symbols of these functions. */
static void stripped(void **state)
{
	struct symbols_place place;
	int result = symbols_find(symbols, "stripped", offset_of("at_outer"),
				  &place);

	assert_true(result == SYMBOLS_NO_NAMES ||
		    result == SYMBOLS_NO_FUNCTION);
	assert_int_equal(place.nr_frames, 0);
	assert_int_equal(strlen(place.build_id), 40);
}

static void debug_link(void **state)
{
	check_lines("linked");
}

/* Debug information of another build would have other lines. */
static void debug_link_to_another_build(void **state)
{
	struct symbols_place place;

	run_shell(
		"mkdir other && cp linked other && sed 's/sink++/sink += 2/' program.c >other/program.c"
		" && gcc -g -O1 -o other/linked.debug other/program.c");
	assert_int_not_equal(symbols_find(symbols, "other/linked",
					  offset_of("at_outer"), &place),
			     SYMBOLS_FOUND);
}

/* Install the debug file where a distribution does. */
static void build_id(void **state)
{
	struct symbols_place place;
	char path[64], id[41];

	symbols_find(symbols, "stripped", 0, &place);
	snprintf(id, sizeof(id), "%s", place.build_id);
	run_shell(
		"mkdir -p debug/.build-id/%.2s && cp linked.debug debug/.build-id/%.2s/%s.debug",
		id, id, id + 2);
	symbols_close(symbols);
	symbols = symbols_open();
	assert_non_null(symbols);
	run_shell("mkdir apart && cp stripped apart");
	snprintf(path, sizeof(path), "%s/debug", program_directory());
	assert_int_equal(symbols_debug_path(symbols, path), 0);
	check_lines("apart/stripped");
}

/* The symbol has the name of the class. An inlined function has its own name. */
static void names_of_cxx(void **state)
{
	static const char *const lines[] = {
		"struct part { void run(int n); };",
		"static inline __attribute__((always_inline)) void inlined()",
		"{ __asm__ volatile(\"nop; at_inlined: nop\"); }",
		"__attribute__((noinline)) void part::run(int n)",
		"{ __asm__ volatile(\"nop; at_run: nop\"); inlined(); }",
		"int main() { part p; p.run(1); }",
	};
	struct symbols_place place;
	FILE *file = fopen("part.cc", "w");
	size_t i;

	assert_non_null(file);
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		fprintf(file, "%s\n", lines[i]);
	assert_int_equal(fclose(file), 0);
	run_shell(
		"g++ -g -O1 -o part part.cc && strip -g -o part.symbols part");
	read_labels("part");
	find("part", "at_run", &place);
	assert_string_equal(place.frames[0].function, "part::run(int)");
	find("part", "at_inlined", &place);
	assert_int_equal(place.nr_frames, 2);
	assert_string_equal(place.frames[0].function, "inlined");
	assert_string_equal(place.frames[1].function, "part::run(int)");
	find("part.symbols", "at_inlined", &place);
	assert_string_equal(place.frames[0].function, "part::run(int)");
	read_labels("program");
}

static void no_file(void **state)
{
	struct symbols_place place;

	assert_int_equal(symbols_find(symbols, "missing", 0, &place),
			 SYMBOLS_NO_FILE);
	assert_int_equal(symbols_find(symbols, ".", 0, &place),
			 SYMBOLS_NO_FILE);
	assert_int_equal(symbols_find(symbols, "/dev/null", 0, &place),
			 SYMBOLS_NO_FILE);
	run_shell("mkfifo fifo");
	assert_int_equal(symbols_find(symbols, "fifo", 0, &place),
			 SYMBOLS_NO_FILE);
	assert_int_equal(symbols_find(symbols, "program.c", 0, &place),
			 SYMBOLS_NOT_ELF);
	assert_int_equal(symbols_find(symbols, "", 0, &place), SYMBOLS_NO_FILE);
	assert_string_equal(symbols_reason(place.result),
			    "the file is not there any more");
	run_shell("cp program locked && chmod 0 locked");
	if (access("locked", R_OK))
		assert_int_equal(symbols_find(symbols, "locked", 0, &place),
				 SYMBOLS_NOT_READABLE);
}

static void no_function(void **state)
{
	struct symbols_place place;

	assert_int_equal(symbols_find(symbols, "program", 0, &place),
			 SYMBOLS_NO_FUNCTION);
	assert_int_equal(symbols_find(symbols, "program", UINT64_MAX, &place),
			 SYMBOLS_NO_FUNCTION);
	assert_null(place.frames);
}

static void another_inode(void **state)
{
	struct symbols_place place;
	struct stat status;

	run_shell("cp program replaced && cp program new && ln replaced kept");
	assert_int_equal(stat("replaced", &status), 0);
	assert_int_equal(symbols_expect(symbols, "replaced", status.st_dev,
					status.st_ino, UINT64_MAX),
			 0);
	assert_int_equal(symbols_expect(symbols, "kept", status.st_dev,
					status.st_ino, UINT64_MAX),
			 0);
	run_shell("mv new replaced");
	assert_int_equal(symbols_find(symbols, "replaced", offset_of("main"),
				      &place),
			 SYMBOLS_OTHER_FILE);
	assert_string_equal(symbols_reason(place.result),
			    "the file has changed since it was executed");
	find("kept", "main", &place);
	assert_int_equal(symbols_expect(symbols, "kept", status.st_dev,
					status.st_ino, UINT64_MAX),
			 0);
	find("kept", "main", &place);
	/* Two different files with this path were executed. */
	assert_int_equal(symbols_expect(symbols, "kept", status.st_dev,
					status.st_ino + 1, UINT64_MAX),
			 0);
	assert_int_equal(symbols_find(symbols, "kept", offset_of("main"),
				      &place),
			 SYMBOLS_OTHER_FILE);
}

/* The time of a file's last change decides, because cp(1) and others write to the same inode. */
static void another_content(void **state)
{
	struct symbols_place place;
	struct stat status;
	uint64_t change;

	run_shell("cp program before && cp program after");
	assert_int_equal(stat("before", &status), 0);
	change = (uint64_t)status.st_ctim.tv_sec * 1000000000 +
		 (uint64_t)status.st_ctim.tv_nsec;
	assert_int_equal(symbols_expect(symbols, "before", status.st_dev,
					status.st_ino, change),
			 0);
	find("before", "main", &place);
	assert_int_equal(stat("after", &status), 0);
	assert_int_equal(symbols_expect(symbols, "after", status.st_dev,
					status.st_ino, change - 1),
			 0);
	assert_int_equal(symbols_find(symbols, "after", offset_of("main"),
				      &place),
			 SYMBOLS_OTHER_FILE);
}

static void another_build_id(void **state)
{
	struct symbols_place place;
	char id[64];

	find("program", "main", &place);
	snprintf(id, sizeof(id), "%s", place.build_id);
	assert_int_equal(strlen(id), 40);
	run_shell("ln program same && ln program different");
	assert_int_equal(symbols_expect_build_id(symbols, "same", id), 0);
	find("same", "main", &place);
	id[39] = id[39] == '0' ? '1' : '0';
	assert_int_equal(symbols_expect_build_id(symbols, "different", id), 0);
	assert_int_equal(symbols_find(symbols, "different", offset_of("main"),
				      &place),
			 SYMBOLS_OTHER_FILE);
}

/* The pointers to texts stay valid, and are the same for the same function. */
static void texts_stay(void **state)
{
	struct symbols_place first, second;
	const char *function;

	find("program", "at_outer", &first);
	function = first.frames[0].function;
	find("symbols", "main", &second);
	symbols_find(symbols, "fixed", 0, &second);
	find("program", "outer", &second);
	assert_ptr_equal(second.frames[0].function, function);
	assert_ptr_equal(second.build_id, first.build_id);
}

static unsigned char *read_program(size_t *size)
{
	static unsigned char bytes[1 << 20];
	FILE *file = fopen("program", "rb");

	assert_non_null(file);
	*size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_in_range(*size, 1000, sizeof(bytes) - 1);
	return bytes;
}

static void try_bytes(const unsigned char *bytes, size_t size)
{
	struct symbols *tried = symbols_open();
	struct symbols_place place;
	FILE *file = fopen("damaged", "wb");
	size_t i;

	assert_non_null(tried);
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	for (i = 0; i < nr_labels(); i++) {
		symbols_find(tried, "damaged", nth_offset(i), &place);
		/* Read each text, so that the sanitizer checks it. */
		if (place.nr_frames)
			assert_true(strlen(place.frames[0].function) < size);
	}
	symbols_close(tried);
}

static void truncated_files(void **state)
{
	size_t size, length;
	unsigned char *bytes = read_program(&size);

	for (length = 0; length < size; length += length < 1200 ? 61 : 601)
		try_bytes(bytes, length);
}

/* The same numbers in each run make failures repeatable. */
static uint32_t next_number(void)
{
	static uint64_t number = 38;

	number = number * 6364136223846793005u + 1442695040888963407u;
	return number >> 33;
}

/* Change bytes anywhere, and more often those of headers. */
static void damaged_files(void **state)
{
	size_t size, i, j;
	unsigned char *original = read_program(&size);
	unsigned char *bytes = malloc(size);

	assert_non_null(bytes);
	for (i = 0; i < 400; i++) {
		memcpy(bytes, original, size);
		for (j = 0; j < 1 + i % 16; j++) {
			size_t place = next_number() % (i % 4 ? size : 1024);

			bytes[place] = i % 3 ? next_number() : 0xff;
		}
		try_bytes(bytes, size);
	}
	free(bytes);
}

static void kernel_functions(void **state)
{
	static const char list[] = "0000000000000000 A fixed_percpu_data\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000000 T startup_64\n"
				   "ffffffff81000200 t helper\n"
				   "ffffffff81000240 D data\n"
				   "ffffffffc0000000 t vpmc_ioctl\t[vpmc]\n"
				   "not a line\n";
	enum symbols_result result;
	struct kernel_symbols *kernel;
	struct symbols_place place = { .nr_frames = 0 };
	FILE *file = fopen("kallsyms", "w");

	assert_non_null(file);
	assert_true(fputs(list, file) >= 0);
	assert_int_equal(fclose(file), 0);
	kernel = read_kernel_symbols("kallsyms", &result);
	assert_non_null(kernel);
	find_kernel_symbol(kernel, 0xffffffff80ffffff, &place);
	assert_int_equal(place.result, SYMBOLS_NO_FUNCTION);
	find_kernel_symbol(kernel, 0xffffffff810001ff, &place);
	assert_int_equal(place.result, SYMBOLS_FOUND);
	assert_string_equal(place.frames[0].function, "_stext");
	assert_int_equal(place.start, 0xffffffff81000000);
	find_kernel_symbol(kernel, 0xffffffff81000250, &place);
	assert_string_equal(place.frames[0].function, "helper");
	find_kernel_symbol(kernel, 0xffffffffc0000010, &place);
	assert_string_equal(place.frames[0].function, "vpmc_ioctl [vpmc]");
	free_kernel_symbols(kernel);
	run_shell("sed -i 's/^[0-9a-f]*/0000000000000000/' kallsyms");
	assert_null(read_kernel_symbols("kallsyms", &result));
	assert_int_equal(result, SYMBOLS_NOT_READABLE);
	assert_null(read_kernel_symbols("missing", &result));
	assert_int_equal(result, SYMBOLS_NO_FILE);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, open_symbols, close_symbols)

static const struct CMUnitTest tests[] = {
	TEST(lines_and_inlined_functions),
	TEST(fixed_addresses),
	TEST(symbols_alone),
	TEST(stripped),
	TEST(debug_link),
	TEST(debug_link_to_another_build),
	TEST(build_id),
	TEST(names_of_cxx),
	TEST(no_file),
	TEST(no_function),
	TEST(another_inode),
	TEST(another_content),
	TEST(another_build_id),
	TEST(texts_stay),
	TEST(truncated_files),
	TEST(damaged_files),
	TEST(kernel_functions),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_files, remove_files);
}
