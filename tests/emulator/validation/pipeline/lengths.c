// SPDX-License-Identifier: GPL-2.0-only
/*
 * lengths write >IMAGE: write every opcode with every ModRM byte, and with prefixes
 * that change its length, each at a multiple of 16 and followed by NOPs.
 *
 * lengths check IMAGE <LISTING: compare the lengths in objdump's listing of this image with
 * those of the model's decoder. Instructions that the decoder does not know are skipped,
 * because the Pentium lacks them. FWAIT is skipped, too, because objdump shows it as a part of
 * the next instruction.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "qemu/osdep.h"

#include "image.h"
#include "p5_decode.h"

#define SLOT  16
#define NOP   0x90
#define FWAIT 0x9b
#define LEAST 200000 /* instructions to compare, at least */

static const uint8_t prefixes[] = { 0, 0x66, 0x67, 0x26 };

static void write_slot(uint8_t prefix, bool two_byte, uint8_t opcode,
		       uint8_t modrm)
{
	uint8_t slot[SLOT];
	unsigned int n = 0;

	memset(slot, NOP, sizeof(slot));
	if (prefix)
		slot[n++] = prefix;
	if (two_byte)
		slot[n++] = 0x0f;
	slot[n++] = opcode;
	slot[n++] = modrm;
	/*
	 * The SIB byte names registers, but in every other row it names none, and 32 bits
	 * follow it.
	 */
	if (opcode & 1)
		slot[n] = 0x25;
	fwrite(slot, sizeof(slot), 1, stdout);
}

static int write_all(void)
{
	for (size_t p = 0; p < sizeof(prefixes); p++) {
		for (unsigned int i = 0; i < 2 * 256 * 256; i++)
			write_slot(prefixes[p], i >> 16, i >> 8, i);
	}
	return ferror(stdout) != 0;
}

/* Return the number of bytes that a line of the listing shows, each as "xx ". */
static unsigned int bytes_of(const char *line)
{
	unsigned int n = 0;

	for (; line[0] > ' ' && line[1] && line[2] == ' '; line += 3)
		n++;
	return n;
}

struct result {
	unsigned int compared, wrong;
};

/* Return whether the slot has FWAIT, with at most one prefix. */
static bool is_fwait(const uint8_t *slot)
{
	return slot[0] == FWAIT ||
	       (memchr(prefixes, slot[0], sizeof(prefixes)) && slot[0] &&
		slot[1] == FWAIT);
}

static void check_line(const struct image *image, const char *line,
		       struct result *r)
{
	char *end;
	unsigned long address = strtoul(line, &end, 16);
	P5Insn insn;

	if (*end != ':' || address % SLOT || address + SLOT > image->size ||
	    strstr(line, "(bad)"))
		return;
	if (!p5_decode(&insn, image->bytes + address, SLOT, true) ||
	    is_fwait(image->bytes + address))
		return;
	r->compared++;
	if (insn.length == bytes_of(end + 2))
		return;
	r->wrong++;
	fprintf(stderr, "lengths: %u bytes: %s", insn.length, line);
}

static int check(const char *path)
{
	struct image image;
	struct result r = { 0 };
	char line[256];

	image_read(&image, path);
	while (fgets(line, sizeof(line), stdin))
		check_line(&image, line, &r);
	image_free(&image);
	printf("%u instructions, %u lengths differ from objdump's\n",
	       r.compared, r.wrong);
	return r.wrong || r.compared < LEAST;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "write"))
		return write_all();
	if (argc == 3 && !strcmp(argv[1], "check"))
		return check(argv[2]);
	fprintf(stderr,
		"usage: lengths write >IMAGE; lengths check IMAGE <LISTING\n");
	return 2;
}
