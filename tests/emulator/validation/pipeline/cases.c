// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases IMAGE: run each case of an image through the model of the Pentium's pipes, and compare
 * its counts. records.inc describes such images.
 */
#include <stdio.h>
#include <stdlib.h>

#include "qemu/osdep.h"

#include "image.h"
#include "p5_pipe.h"
#include "records.h"

#define MAX_ACCESSES 8

struct expected {
	unsigned int count;
	uint32_t value;
};

struct test_case {
	const char *name;
	uint32_t start, end;
	const P5Rules *rules;
	const struct record *first, *last;
};

static int count_of(const char *name)
{
	for (int i = 0; i < P5_COUNTS; i++) {
		if (!strcmp(p5_count_names[i], name))
			return i;
	}
	fprintf(stderr, "cases: no count has the name %s\n", name);
	exit(2);
}

static void add_access(P5Step *step, P5Access *accesses, const struct record *r)
{
	uint32_t flags = r->argument[3];

	if (step->count == MAX_ACCESSES) {
		fprintf(stderr, "cases: too many accesses\n");
		exit(2);
	}
	accesses[step->count++] = (P5Access){
		.address = r->argument[1],
		.size = r->argument[2],
		.write = r->kind == RECORD_WRITE,
		.miss = flags & (ACCESS_MISS | ACCESS_UNCACHED),
		.uncached = flags & ACCESS_UNCACHED,
		.writes_back = flags & ACCESS_WRITES_BACK,
		.walk = flags & (ACCESS_WALK | ACCESS_WALK_MISS) ? 2 : 0,
		.walk_misses = flags & ACCESS_WALK_MISS ? 2 : 0,
	};
}

static void add_flow(P5Step *step, uint32_t pc, uint32_t flags)
{
	step->taken = flags & FLOW_TAKEN;
	step->mispredicted = flags & FLOW_MISPREDICTED;
	step->code_miss = flags & FLOW_CODE_MISS;
	step->first_time = flags & FLOW_FIRST_TIME;
	step->code_line = pc & ~31U;
}

static void gather(P5Step *step, P5Access *accesses, const struct test_case *c,
		   uint32_t pc)
{
	for (const struct record *r = c->first; r != c->last; r++) {
		if (r->argument[0] != pc)
			continue;
		if (r->kind == RECORD_READ || r->kind == RECORD_WRITE)
			add_access(step, accesses, r);
		else if (r->kind == RECORD_FLOW)
			add_flow(step, pc, r->argument[1]);
	}
}

static void run(const struct image *image, const struct test_case *c,
		uint32_t counts[P5_COUNTS])
{
	static P5Pipe pipe;
	P5Insn insns[2];
	unsigned int n = 0;

	p5_pipe_reset(&pipe, c->rules, &p5_bus_66);
	memset(counts, 0, P5_COUNTS * sizeof(counts[0]));
	for (uint32_t pc = c->start; pc < c->end;) {
		P5Insn *insn = &insns[n++ % 2];
		P5Access accesses[MAX_ACCESSES];
		P5Step step = { .insn = insn, .accesses = accesses };
		P5Cost cost;

		if (!p5_decode(insn, image->bytes + pc, c->end - pc, true)) {
			fprintf(stderr, "cases: %s: no instruction at %x\n",
				c->name, pc);
			exit(1);
		}
		gather(&step, accesses, c, pc);
		p5_pipe_step(&pipe, &step, &cost);
		for (int i = 0; i < P5_COUNTS; i++)
			counts[i] += cost.counts[i];
		pc += insn->length;
	}
}

/* Return the number of counts that differ. */
static unsigned int compare(const struct image *image,
			    const struct test_case *c)
{
	uint32_t counts[P5_COUNTS];
	unsigned int wrong = 0;

	run(image, c, counts);
	for (const struct record *r = c->first; r != c->last; r++) {
		const char *name = image_string(image, r->argument[0]);

		if (r->kind != RECORD_EXPECT)
			continue;
		if (counts[count_of(name)] != r->argument[1]) {
			fprintf(stderr, "cases: %s: %s is %u and not %u\n",
				c->name, name, counts[count_of(name)],
				r->argument[1]);
			wrong++;
		}
	}
	return wrong;
}

int main(int argc, char **argv)
{
	struct image image;
	struct test_case c = { 0 };
	unsigned int cases = 0, wrong = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: cases IMAGE\n");
		return 2;
	}
	image_read(&image, argv[1]);
	for (const struct record *r = image_records(&image); r->kind; r++) {
		if (r->kind == RECORD_BEGIN) {
			c.start = r->argument[0];
			c.name = image_string(&image, r->argument[1]);
			c.rules = r->argument[2] ? &p5_rules_mmx : &p5_rules;
			c.first = r;
		} else if (r->kind == RECORD_END && c.first) {
			c.end = r->argument[0];
			c.last = r;
			wrong += compare(&image, &c);
			cases++;
		}
	}
	printf("%u sequences of instructions, %u counts differ\n", cases,
	       wrong);
	image_free(&image);
	return wrong || !cases;
}
