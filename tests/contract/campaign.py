# SPDX-License-Identifier: GPL-2.0-only
"""Run many random sequences, one after the other."""

from cases import Failed
from contract import compare, generate, reduce, targets

# One boot runs this number of sequences. This number of failures are reduced to a shortest
# sequence.
AT_ONCE = 2000
SHOWN = 3


def batches(machine, first, steps):
    """Yield the seeds and sequences from the first seed on, in batches with this number of
    steps in all."""
    target = targets.target_of(machine)
    batch, seed = {}, first
    while steps > 0:
        batch[seed] = generate.sequence(seed, target)
        steps -= len(batch[seed].steps)
        seed += 1
        if len(batch) == AT_ONCE or steps <= 0:
            yield batch
            batch = {}


def explain(machine, seed, sequence, lines):
    """Return a failure as text."""
    shortest, printed = reduce.shortest(machine, sequence, lines)
    return f"seed {seed}: {compare.describe(shortest, printed)}"


def run_batch(machine, batch):
    """Run a batch in one guest."""
    printed = compare.run(machine, list(batch.values()))
    bad = [(seed, sequence, lines) for (seed, sequence), lines in zip(batch.items(), printed)
           if compare.difference(sequence, lines) is not None]
    if bad:
        texts = [explain(machine, *failure) for failure in bad[:SHOWN]]
        seeds = " ".join(str(seed) for seed, _, _ in bad)
        raise Failed("\n".join([f"{len(bad)} of {len(batch)} sequences differ: {seeds}", *texts]))


def run(machine, first, steps):
    """Run sequences with at least this number of steps. Return their totals."""
    done = sequences = 0
    for batch in batches(machine, first, steps):
        run_batch(machine, batch)
        sequences += len(batch)
        done += sum(len(sequence.steps) for sequence in batch.values())
    return f"{done} steps in {sequences} sequences, seeds {first} to {first + sequences - 1}"
