// SPDX-License-Identifier: GPL-2.0-only
/* Compile a program whose instructions have labels. */
#include "labelled.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#define LABELS_MAX 64

/* Tests compare the line and column of each statement. */
static const char source[] =
	"volatile int sink;\n" /* line 1 */
	"static inline __attribute__((always_inline)) void innermost(void)\n"
	"{\n"
	"	__asm__ volatile(\"nop; at_innermost: nop\");\n" /* line 4 */
	"}\n"
	"static inline __attribute__((always_inline)) void middle(void)\n"
	"{\n"
	"	__asm__ volatile(\"nop; at_middle: nop\");\n" /* line 8 */
	"	innermost();\n"
	"}\n"
	"__attribute__((noinline)) void outer(void)\n" /* line 11 */
	"{\n"
	"	__asm__ volatile(\"nop; at_outer: nop\");\n"
	"	middle();\n" /* line 14 */
	"	sink++;\n"
	"}\n"
	"__attribute__((noinline)) static void hidden(void)\n"
	"{\n"
	"	__asm__ volatile(\"nop; at_hidden: nop\");\n" /* line 19 */
	"}\n"
	"__asm__(\".text\\nunsized:\\n\\tnop\\nat_unsized: nop\\n\");\n"
	"int main(void)\n" /* line 22 */
	"{\n"
	"	outer();\n"
	"	hidden();\n"
	"	__asm__ volatile(\"nop; at_main: nop\");\n" /* line 26 */
	"	return 0;\n"
	"}\n";

static char directory[] = "/tmp/labelled.XXXXXX";

/* These are the labels of the program, with their offsets in its file. */
static struct label {
	char name[64];
	uint64_t offset;
} labels[LABELS_MAX];
static size_t labels_nr;

void run_shell(const char *format, ...)
{
	char command[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	/* NOLINTNEXTLINE(cert-env33-c) */
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

/* A line that has a label is "ADDRESS <LABEL> (File Offset: 0xOFFSET):". */
static void read_label(const char *line)
{
	static const char between[] = "> (File Offset: ";
	const char *begin = strchr(line, '<');
	const char *end = strstr(line, between);
	struct label *label = &labels[labels_nr];

	if (line[0] == ' ' || !begin || !end)
		return;
	snprintf(label->name, sizeof(label->name), "%.*s",
		 (int)(end - begin - 1), begin + 1);
	label->offset = strtoull(end + strlen(between), NULL, 16);
	assert_in_range(++labels_nr, 1, LABELS_MAX - 1);
}

/* Only the output of objdump for the whole file has the offset of each label. */
void read_labels(const char *file)
{
	char line[512];
	FILE *pipe;

	labels_nr = 0;
	snprintf(line, sizeof(line), "objdump -dF %s", file);
	/* NOLINTNEXTLINE(cert-env33-c) */
	pipe = popen(line, "r");
	assert_non_null(pipe);
	while (fgets(line, sizeof(line), pipe))
		read_label(line);
	assert_int_equal(pclose(pipe), 0);
}

uint64_t offset_of(const char *label)
{
	size_t i;

	for (i = 0; i < labels_nr; i++) {
		if (strcmp(labels[i].name, label) == 0)
			return labels[i].offset;
	}
	fail_msg("no label %s", label);
	return 0;
}

size_t nr_labels(void)
{
	return labels_nr;
}

uint64_t nth_offset(size_t index)
{
	return labels[index].offset;
}

const char *program_directory(void)
{
	return directory;
}

int make_program(void)
{
	FILE *file;

	if (!mkdtemp(directory) || chdir(directory))
		return -1;
	file = fopen("program.c", "w");
	if (!file || fputs(source, file) < 0 || fclose(file))
		return -1;
	run_shell(
		"gcc -std=c11 -g -O1 -fno-toplevel-reorder -fno-stack-protector"
		" -Wl,--build-id=sha1 -o program program.c");
	read_labels("program");
	return 0;
}

void remove_program(void)
{
	run_shell("rm -rf '%s'", directory);
}
