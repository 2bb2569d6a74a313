// SPDX-License-Identifier: GPL-2.0-only
/*
 * memo: send random runs of instructions through two models of the Pentium's pipes. One takes each
 * instruction by itself, the other remembers what runs do. Compare what they count after each run.
 */
#include <stdio.h>

#include "qemu/osdep.h"

#include "p5_memo.h"

#define RUNS   64
#define PASSES 400000
#define INSNS  256

struct model {
	P5Pipe pipe;
	P5Outcome sum;
};

static P5Insn insns[INSNS];
static P5Run runs[RUNS];
static P5Memo memo;
static struct model single, remembering;
static uint64_t state = 1;

static uint32_t random_below(uint32_t n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (state >> 33) % n;
}

/* Decode random bytes until they are an instruction. */
static void make_insn(P5Insn *insn)
{
	uint8_t bytes[15];

	do {
		for (unsigned int i = 0; i < sizeof(bytes); i++)
			bytes[i] = random_below(256);
	} while (!p5_decode(insn, bytes, sizeof(bytes), true));
}

/* Let most runs be of integer instructions alone. */
static void make_run(P5Run *run)
{
	bool plain = random_below(4);

	do {
		run->n = 1 + random_below(plain ? 8 : 3);
		for (unsigned int i = 0; i < run->n; i++)
			run->insn[i] = &insns[random_below(INSNS)];
	} while (plain && !p5_run_is_plain(run));
}

static void add(P5Outcome *sum, const P5Cost *cost, bool mispredicted)
{
	sum->clocks += cost->counts[P5_CLOCKS];
	sum->v_pipe += cost->counts[P5_V_PIPE];
	sum->both_pipes += cost->counts[P5_BOTH_PIPES];
	sum->bank_conflicts += cost->counts[P5_BANK_CONFLICTS];
	sum->agi += cost->counts[P5_AGI];
	sum->flops += cost->counts[P5_FLOPS];
	sum->v_mispredictions += mispredicted && cost->pipe;
}

static void step_each(struct model *m, const P5Run *run, const P5Step *steps)
{
	for (unsigned int i = 0; i < run->n; i++) {
		P5Cost cost;

		p5_pipe_step(&m->pipe, &steps[i], &cost);
		add(&m->sum, &cost, steps[i].mispredicted);
	}
}

/* Describe the steps to the memo. Returns whether the memo can be asked about them. */
static bool describe(P5Pass *pass, const P5Pipe *pipe, const P5Run *run,
		     const P5Step *steps)
{
	bool can = p5_run_is_plain(run) && p5_memo_knows(pipe);
	bool follows = true;

	*pass = (P5Pass){ .run = run,
			  .last = run->insn[run->n - 1],
			  .address = pipe->u_address };
	for (unsigned int i = 0; i < run->n; i++) {
		const P5Step *step = &steps[i];

		can &= !step->code_miss && !step->first_time;
		for (unsigned int k = 0; k < step->count; k++) {
			const P5Access *a = &step->accesses[k];

			can &= !a->miss && !p5_is_misaligned(a);
			can &= !a->write || p5_memo_writes(pipe);
			if (!k && follows &&
			    p5_same_bank(pass->address, a->address))
				pass->conflicts |= 1U << i;
			pass->address = a->address;
		}
		pass->accesses |= (uint32_t)(step->count > 0) << i;
		follows = step->count > 0;
	}
	pass->taken = steps[run->n - 1].taken;
	pass->mispredicted = steps[run->n - 1].mispredicted;
	return can;
}

static void pass_through(struct model *m, const P5Run *run, const P5Step *steps,
			 unsigned int *remembered)
{
	const P5Outcome *o;
	P5Pass pass;

	if (!describe(&pass, &m->pipe, run, steps)) {
		step_each(m, run, steps);
		return;
	}
	o = p5_memo_pass(&memo, &m->pipe, &pass);
	m->sum.clocks += o->clocks;
	m->sum.v_pipe += o->v_pipe;
	m->sum.both_pipes += o->both_pipes;
	m->sum.bank_conflicts += o->bank_conflicts;
	m->sum.agi += o->agi;
	m->sum.flops += o->flops;
	m->sum.v_mispredictions += o->v_mispredictions;
	(*remembered)++;
}

static void choose_accesses(P5Step *step, P5Access accesses[2], bool quick)
{
	step->accesses = accesses;
	step->count = step->insn->memory ? 1 + !random_below(8) : 0;
	for (unsigned int i = 0; i < step->count; i++) {
		accesses[i] = (P5Access){
			.address = random_below(8) * 4 +
				   (quick ? 0 : random_below(4)),
			.size = 4,
			.write = !random_below(3),
			.miss = !quick && !random_below(3),
		};
	}
}

static void choose_steps(P5Step *steps, P5Access accesses[][2],
			 const P5Run *run)
{
	bool quick = random_below(8);

	memset(steps, 0, run->n * sizeof(*steps));
	for (unsigned int i = 0; i < run->n; i++) {
		steps[i].insn = run->insn[i];
		steps[i].iterations = 1;
		steps[i].code_miss = !i && !quick && !random_below(2);
		steps[i].first_time = !quick && !random_below(4);
		choose_accesses(&steps[i], accesses[i], quick);
	}
	steps[run->n - 1].taken = !random_below(3);
	steps[run->n - 1].mispredicted = !random_below(8);
}

static bool equal(const P5Outcome *a, const P5Outcome *b)
{
	return a->clocks == b->clocks && a->v_pipe == b->v_pipe &&
	       a->both_pipes == b->both_pipes &&
	       a->bank_conflicts == b->bank_conflicts && a->agi == b->agi &&
	       a->flops == b->flops &&
	       a->v_mispredictions == b->v_mispredictions;
}

static unsigned int try(const P5Rules *rules)
{
	unsigned int remembered = 0, last = 0;

	p5_pipe_reset(&single.pipe, rules, &p5_bus_66);
	p5_pipe_reset(&remembering.pipe, rules, &p5_bus_66);
	memset(&memo, 0, sizeof(memo));
	for (unsigned int i = 0; i < PASSES; i++) {
		P5Access accesses[P5_RUN_MAX][2];
		P5Step steps[P5_RUN_MAX];
		const P5Run *run;

		/* Programs repeat a few runs for a while. */
		if (!random_below(32))
			last = random_below(RUNS);
		run = &runs[(last + random_below(3)) % RUNS];
		choose_steps(steps, accesses, run);
		step_each(&single, run, steps);
		pass_through(&remembering, run, steps, &remembered);
		if (!equal(&single.sum, &remembering.sum)) {
			fprintf(stderr,
				"memo: run %u counts otherwise: %u and %u clocks\n",
				i, single.sum.clocks, remembering.sum.clocks);
			return 0;
		}
	}
	return remembered;
}

int main(void)
{
	unsigned int p5, mmx;

	for (unsigned int i = 0; i < INSNS; i++)
		make_insn(&insns[i]);
	for (unsigned int i = 0; i < RUNS; i++)
		make_run(&runs[i]);
	p5 = try(&p5_rules);
	mmx = try(&p5_rules_mmx);
	printf("%u runs of the first Pentium were remembered, and %u with MMX\n",
	       p5, mmx);
	return p5 < PASSES / 4 || mmx < PASSES / 4;
}
