// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parse and evaluate formulas. Operators wait on a stack until the next operator has a lower
 * precedence (Dijkstra's shunting yard algorithm), so the parser needs no recursion.
 */
#include "events/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* At most this many operators and parentheses can wait on the stack. */
#define WAITING_MAX FORMULA_STEPS

#define TIME_NAME "time"

/**
 * struct parser - a formula that is being parsed
 * @formula: the steps so far
 * @at: the rest of the text
 * @names: names of the events
 * @nr_names: number of @names
 * @waiting: positions of operators and open parentheses in the text
 * @nr_waiting: number of @waiting
 * @begin: first step of each value so far
 * @nr_values: number of values
 * @err: receives the error
 */
struct parser {
	struct formula *formula;
	const char *at;
	const char *const *names;
	size_t nr_names;
	const char *waiting[WAITING_MAX];
	size_t nr_waiting;
	size_t begin[FORMULA_STEPS];
	size_t nr_values;
	struct formula_error *err;
};

static bool fail(struct parser *parser, const char *at, const char *sentence)
{
	parser->err->at = at;
	parser->err->sentence = sentence;
	return false;
}

size_t name_length(const char *text)
{
	size_t length = 0;

	if (!isalpha((unsigned char)*text))
		return 0;
	while (text[length] && (isalnum((unsigned char)text[length]) ||
				strchr("_-:=@.", text[length])))
		length++;
	return length;
}

static void skip_blanks(struct parser *parser)
{
	parser->at += strspn(parser->at, " \t");
}

static struct step *add_step(struct parser *parser, enum step_kind kind)
{
	struct formula *formula = parser->formula;
	struct step *step;

	if (formula->nr == FORMULA_STEPS) {
		fail(parser, parser->at,
		     "the formula is too long: split it into several metrics");
		return NULL;
	}
	step = &formula->step[formula->nr++];
	*step = (struct step){ .kind = kind, .ratio = NO_RATIO };
	return step;
}

static struct step *add_operand(struct parser *parser, enum step_kind kind)
{
	const size_t begin = parser->formula->nr;
	struct step *step = add_step(parser, kind);

	if (step)
		parser->begin[parser->nr_values++] = begin;
	return step;
}

/* Mark all operands of both sides of a division as one ratio. */
static void join(struct parser *parser)
{
	struct formula *formula = parser->formula;
	const size_t division = formula->nr - 1;
	size_t i;

	for (i = parser->begin[parser->nr_values - 1]; i < division; i++)
		formula->step[i].ratio = (int)division;
}

static enum step_kind kind_of(char operator)
{
	switch (operator) {
	case '+':
		return STEP_ADD;
	case '-':
		return STEP_SUBTRACT;
	case '*':
		return STEP_MULTIPLY;
	default:
		return STEP_DIVIDE;
	}
}

static bool add_operator(struct parser *parser)
{
	const char *at = parser->waiting[--parser->nr_waiting];

	if (!add_step(parser, kind_of(*at)))
		return false;
	parser->nr_values--;
	if (*at == '/')
		join(parser);
	return true;
}

static int precedence(char operator)
{
	if (operator== '(')
		return 0;
	return operator== '*' || operator== '/' ? 2 : 1;
}

/* Add the waiting operators whose precedence is @least or higher. Their operands are complete. */
static bool apply_waiting(struct parser *parser, int least)
{
	while (parser->nr_waiting &&
	       precedence(*parser->waiting[parser->nr_waiting - 1]) >= least) {
		if (!add_operator(parser))
			return false;
	}
	return true;
}

static bool wait_with(struct parser *parser)
{
	if (parser->nr_waiting == WAITING_MAX)
		return fail(parser, parser->at,
			    "too many parentheses: split it into several"
			    " metrics");
	parser->waiting[parser->nr_waiting++] = parser->at++;
	return true;
}

/* Parse a number. Refuse forms other than decimal numbers, which strtod(3) accepts. */
static bool parse_number(struct parser *parser)
{
	const char *const begin = parser->at;
	struct step *step;
	double number;
	char *end;

	number = strtod(begin, &end);
	if (end == begin || isalnum((unsigned char)*end) || *end == '_' ||
	    *end == '.' || strcspn(begin, "xX") < (size_t)(end - begin) ||
	    number > 1e300)
		return fail(
			parser, begin,
			"this is not a decimal number: write it as 1000, 0.5"
			" or 1e6");
	step = add_operand(parser, STEP_NUMBER);
	if (!step)
		return false;
	step->number = number;
	parser->at = end;
	return true;
}

static bool is_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !strncasecmp(name, text, length);
}

static bool parse_name(struct parser *parser, size_t length)
{
	struct step *step;
	size_t i = 0;

	while (i < parser->nr_names &&
	       !is_name(parser->names[i], parser->at, length))
		i++;
	if (i == parser->nr_names && !is_name(TIME_NAME, parser->at, length))
		return fail(parser, parser->at,
			    "this is not an event of the group: add a"
			    " line \"event\" before, and put blanks around a"
			    " minus");
	step = add_operand(parser,
			   i < parser->nr_names ? STEP_EVENT : STEP_TIME);
	if (!step)
		return false;
	step->event = i;
	parser->at += length;
	return true;
}

static bool parse_operand(struct parser *parser)
{
	size_t length;

	for (skip_blanks(parser); *parser->at == '('; skip_blanks(parser)) {
		if (!wait_with(parser))
			return false;
	}
	length = name_length(parser->at);
	if (length)
		return parse_name(parser, length);
	if (isdigit((unsigned char)*parser->at) || *parser->at == '.')
		return parse_number(parser);
	return fail(parser, parser->at,
		    "an event, a number, time or \"(\" is missing here");
}

static bool close_parentheses(struct parser *parser)
{
	for (skip_blanks(parser); *parser->at == ')'; skip_blanks(parser)) {
		if (!apply_waiting(parser, 1))
			return false;
		if (!parser->nr_waiting)
			return fail(parser, parser->at,
				    "there is no \"(\" for this one");
		parser->nr_waiting--;
		parser->at++;
	}
	return true;
}

static bool finish(struct parser *parser)
{
	if (!apply_waiting(parser, 1))
		return false;
	if (parser->nr_waiting)
		return fail(parser, parser->waiting[parser->nr_waiting - 1],
			    "there is no \")\" for this one");
	return true;
}

bool parse_formula(struct formula *formula, const char *text,
		   const char *const *names, size_t nr,
		   struct formula_error *err)
{
	struct parser parser = { .formula = formula,
				 .at = text,
				 .names = names,
				 .nr_names = nr,
				 .err = err };

	formula->nr = 0;
	for (;;) {
		if (!parse_operand(&parser) || !close_parentheses(&parser))
			return false;
		if (!*parser.at)
			return finish(&parser);
		if (!strchr("+-*/", *parser.at))
			return fail(&parser, parser.at,
				    "one of + - * / is missing here");
		if (!apply_waiting(&parser, precedence(*parser.at)) ||
		    !wait_with(&parser))
			return false;
	}
}

static bool apply(enum step_kind kind, double *left, double right)
{
	switch (kind) {
	case STEP_ADD:
		*left += right;
		return true;
	case STEP_SUBTRACT:
		*left -= right;
		return true;
	case STEP_MULTIPLY:
		*left *= right;
		return true;
	default:
		if (right == 0)
			return false;
		*left /= right;
		return true;
	}
}

bool evaluate(const struct formula *formula,
	      const double operand[FORMULA_STEPS], double *result,
	      uint64_t *negative)
{
	double value[FORMULA_STEPS] = { 0 };
	size_t nr = 0, i;

	*negative = 0;
	for (i = 0; i < formula->nr; i++) {
		if (formula->step[i].kind <= STEP_TIME) {
			value[nr++] = operand[i];
			continue;
		}
		nr--;
		if (formula->step[i].kind == STEP_DIVIDE && value[nr] < 0)
			*negative |= STEP_BIT(i);
		if (!apply(formula->step[i].kind, &value[nr - 1], value[nr]))
			return false;
		/*
		 * Stop here, because a later division by an infinite value would give a finite
		 * result.
		 */
		if (!isfinite(value[nr - 1]))
			break;
	}
	*result = value[nr - 1];
	return true;
}
