/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares formulas over counts, with + - * / and parentheses. */
#ifndef PERFEX_FORMULA_H
#define PERFEX_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A formula has at most this many numbers, events and operators. */
#define FORMULA_STEPS 48

/* An operand that is not part of a division has this ratio. */
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
 * struct step - a step of the evaluation; operands precede their operator
 * @kind: kind of the step
 * @number: for STEP_NUMBER, the number
 * @event: for STEP_EVENT, the index among the names
 * @ratio: for an operand, the index of the outermost division around it, or NO_RATIO. Counts of
 *	one ratio must be from the same run, and so must counts without a ratio.
 */
struct step {
	enum step_kind kind;
	double number;
	size_t event;
	int ratio;
};

/**
 * struct formula - a parsed formula
 * @step: the steps of the evaluation
 * @nr: number of steps
 */
struct formula {
	struct step step[FORMULA_STEPS];
	size_t nr;
};

/**
 * struct formula_error - an error in the text of a formula
 * @at: its position in the text
 * @sentence: the error and its remedy
 */
struct formula_error {
	const char *at;
	const char *sentence;
};

/**
 * name_length() - find the length of an event's name
 * @text: the text that begins with the name
 *
 * A name begins with a letter, followed by letters, digits and any of "_-:=@.".
 *
 * Return: the length, 0 if there is no name.
 */
size_t name_length(const char *text);

/**
 * parse_formula() - parse a formula
 * @formula: receives the formula
 * @text: text of the formula
 * @names: names of the events that the formula can contain; "time" is the time
 * @nr: number of @names
 * @err: receives the error
 *
 * Return: true if the formula is valid.
 */
bool parse_formula(struct formula *formula, const char *text,
		   const char *const *names, size_t nr,
		   struct formula_error *err);

/* evaluate() marks a division by setting the bit of its step. */
#define STEP_BIT(i) (UINT64_C(1) << (i))

/**
 * evaluate() - compute the value of a formula
 * @formula: from parse_formula()
 * @operand: the values of operands, indexed by step; values of operators are ignored
 * @result: receives the value, which is not finite if the value of any part is not finite
 * @negative: receives the STEP_BIT() of each division by a negative number
 *
 * Return: false if a divisor is zero.
 */
bool evaluate(const struct formula *formula,
	      const double operand[FORMULA_STEPS], double *result,
	      uint64_t *negative);

#endif /* PERFEX_FORMULA_H */
