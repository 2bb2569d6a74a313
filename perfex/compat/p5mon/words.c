// SPDX-License-Identifier: GPL-2.0-only
/* Divide the command that is to be counted into words. */
#include "words.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "run_p5mon.h"

#define SHELL "/bin/sh"

/*
 * Reading a command ends with one of these results: words, a command for a shell, or no memory.
 */
enum outcome { WORDS, FOR_SHELL, NO_MEMORY };

static bool ends_word(char c)
{
	return !c || isspace((unsigned char)c) || c == '<' || c == '>';
}

/*
 * Tell whether a character outside of quotes needs a shell. Some characters need a shell only at
 * the beginning of a word.
 */
static bool is_for_shell(char c, bool first)
{
	return strchr("|&;()$`*?[\n", c) || (first && strchr("#~!{}", c));
}

/*
 * Copy text up to the closing quote. Returns the text after the quote, or NULL if the text needs
 * a shell.
 */
static const char *copy_quoted(const char *text, char **to)
{
	const char quote = *text++;

	for (; *text != quote; text++) {
		if (!*text)
			return NULL;
		if (quote == '"') {
			if (*text == '$' || *text == '`')
				return NULL;
			if (*text == '\\' && text[1] &&
			    strchr("\\\"$`", text[1]))
				text++;
		}
		*(*to)++ = *text;
	}
	return text + 1;
}

/* Read a word, and advance @text to its end. */
static enum outcome read_word(const char **text, char **word)
{
	const char *from = *text;
	bool first = true;
	char *to = malloc(strlen(from) + 1);

	*word = to;
	if (!to)
		return NO_MEMORY;
	for (; from && !ends_word(*from); first = false) {
		if (*from == '\'' || *from == '"') {
			from = copy_quoted(from, &to);
		} else if (*from == '\\') {
			from = from[1] && from[1] != '\n' ? from + 1 : NULL;
			if (from)
				*to++ = *from++;
		} else if (is_for_shell(*from, first)) {
			from = NULL;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
	if (from)
		*text = from;
	return from ? WORDS : FOR_SHELL;
}

static enum outcome add_redirection(struct words *words, struct redirection new)
{
	struct redirection *more = reallocarray(
		words->redirection, words->nr_redirections + 1, sizeof(*more));

	if (!more) {
		free(new.path);
		return NO_MEMORY;
	}
	words->redirection = more;
	more[words->nr_redirections++] = new;
	return WORDS;
}

/* Read a redirection of the form N>&M. */
static enum outcome read_copy(const char **text, struct words *words, int fd)
{
	const char *from = *text;

	if (!isdigit((unsigned char)from[0]) || !ends_word(from[1]))
		return FOR_SHELL;
	*text += 1;
	return add_redirection(
		words, (struct redirection){ .fd = fd, .from = *from - '0' });
}

static enum outcome read_file(const char **text, struct words *words, int fd,
			      int flags)
{
	struct redirection new = { .fd = fd, .flags = flags };
	enum outcome outcome;

	*text += strspn(*text, " \t");
	if (ends_word(**text))
		return FOR_SHELL;
	outcome = read_word(text, &new.path);
	if (outcome == WORDS)
		return add_redirection(words, new);
	free(new.path);
	return outcome;
}

/* Read a redirection. @text is at the < or >. */
static enum outcome read_redirection(const char **text, struct words *words,
				     int fd)
{
	const char direction = *(*text)++;
	const char next = **text;

	if (next == '&') {
		++*text;
		return read_copy(text, words,
				 fd >= 0	    ? fd
				 : direction == '<' ? 0
						    : 1);
	}
	if (direction == '<')
		return next == '<' || next == '>'
			       ? FOR_SHELL
			       : read_file(text, words, fd >= 0 ? fd : 0,
					   O_RDONLY);
	if (next == '|')
		return FOR_SHELL;
	*text += next == '>';
	return read_file(text, words, fd >= 0 ? fd : 1,
			 O_WRONLY | O_CREAT |
				 (next == '>' ? O_APPEND : O_TRUNC));
}

static enum outcome add_word(struct words *words, char *word)
{
	char **more = reallocarray(words->argv, words->nr + 2, sizeof(*more));

	if (!more) {
		free(word);
		return NO_MEMORY;
	}
	words->argv = more;
	more[words->nr++] = word;
	more[words->nr] = NULL;
	return WORDS;
}

static enum outcome read_next(const char **text, struct words *words)
{
	const char *from = *text;
	const size_t digits = strspn(from, "0123456789");
	enum outcome outcome;
	char *word;

	if (from[digits] == '<' || from[digits] == '>') {
		/* Shells disagree on descriptors of several digits. */
		if (digits > 1)
			return FOR_SHELL;
		*text += digits;
		return read_redirection(text, words, digits ? *from - '0' : -1);
	}
	outcome = read_word(text, &word);
	/* A word such as FOO=1 before the name of the program sets a variable. */
	if (outcome == WORDS && !words->nr && strchr(word, '='))
		outcome = FOR_SHELL;
	if (outcome == WORDS)
		return add_word(words, word);
	free(word);
	return outcome;
}

static enum outcome read_words(const char *text, struct words *words)
{
	enum outcome outcome = WORDS;

	for (text += strspn(text, " \t"); outcome == WORDS && *text;
	     text += strspn(text, " \t"))
		outcome = read_next(&text, words);
	return outcome == WORDS && !words->nr ? FOR_SHELL : outcome;
}

static enum outcome use_shell(const char *command, struct words *words)
{
	const char *const argv[] = { SHELL, "-c", command };
	enum outcome outcome = WORDS;
	char *word;
	size_t i;

	free_words(words);
	words->by_shell = true;
	for (i = 0; outcome == WORDS && i < 3; i++) {
		word = strdup(argv[i]);
		outcome = word ? add_word(words, word) : NO_MEMORY;
	}
	return outcome;
}

int split_command(struct words *words, const char *command)
{
	enum outcome outcome;

	*words = (struct words){ .nr = 0 };
	outcome = read_words(command, words);
	if (outcome == FOR_SHELL)
		outcome = use_shell(command, words);
	return outcome == WORDS ? 0 : complain_memory();
}

void free_words(struct words *words)
{
	size_t i;

	for (i = 0; i < words->nr; i++)
		free(words->argv[i]);
	for (i = 0; i < words->nr_redirections; i++)
		free(words->redirection[i].path);
	free(words->argv);
	free(words->redirection);
	*words = (struct words){ .nr = 0 };
}
