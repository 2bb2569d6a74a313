/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares formulas over counts, with + - * / and parentheses. */
#ifndef PERFEX_FORMULA_H
#define PERFEX_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most numbers, events and operators in one. */
#define FORMULA_STEPS 48

/* Of an operand that is part of no division. */
#define NO_RATIO (-1)

enum step_kind {
	STEP_NUMBER,
	STEP_EVENT,
	STEP_TIME, /* in seconds */
	STEP_ADD,
	STEP_SUBTRACT,
	STEP_MULTIPLY,
	STEP_DIVIDE,
};

/**
 * struct step - of the evaluation, operands before their operator
 * @kind: what it is
 * @number: of STEP_NUMBER
 * @event: of STEP_EVENT, index among the names
 * @ratio: of an operand, the index of the outermost division that it is part of, or
 *	NO_RATIO. Counts of one ratio have to be of the same run, and so have those
 *	that are part of none.
 */
struct step {
	enum step_kind kind;
	double number;
	size_t event;
	int ratio;
};

/**
 * struct formula - a formula that was understood
 * @step: the evaluation, step by step
 * @nr: how many
 */
struct formula {
	struct step step[FORMULA_STEPS];
	size_t nr;
};

/**
 * struct formula_error - what is wrong with a text
 * @at: the place in it
 * @sentence: what is wrong there, and what to do
 */
struct formula_error {
	const char *at;
	const char *sentence;
};

/**
 * name_length() - how long the name of an event is
 * @text: begins with it
 *
 * A name begins with a letter and goes on with letters, digits and any of "_-:=@.".
 *
 * Return: its length, 0 if there is none.
 */
size_t name_length(const char *text);

/**
 * parse_formula() - understand a formula
 * @formula: receives it
 * @text: of the formula
 * @names: of the events that it can have; "time" is the time
 * @nr: how many
 * @err: receives the error
 *
 * Return: whether that succeeds.
 */
bool parse_formula(struct formula *formula, const char *text,
		   const char *const *names, size_t nr,
		   struct formula_error *err);

/* The bit of a step in what evaluate() says of divisors. */
#define STEP_BIT(i) (UINT64_C(1) << (i))

/**
 * evaluate() - work a formula out
 * @formula: from parse_formula()
 * @operand: the values of its steps; those of operators do not matter
 * @result: receives the value; one that is not finite if a part of it is not
 * @negative: receives the STEP_BIT() of each division by a negative number
 *
 * Return: false if something is divided by zero.
 */
bool evaluate(const struct formula *formula,
	      const double operand[FORMULA_STEPS], double *result,
	      uint64_t *negative);

#endif /* PERFEX_FORMULA_H */
