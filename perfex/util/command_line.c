// SPDX-License-Identifier: GPL-2.0-only
/* Divide the command line into the commands of --compare, and print commands as text. */
#include "util/command_line.h"

#include <string.h>

#include "util/perfex.h"

/* This follows the text of a command that is cut off. */
#define REST "..."

/* A shell does not change words that consist of these characters. */
#define PLAIN                        \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789%+,-./:=@^_"

/**
 * struct line - a command that is being composed
 * @text: the text; its last byte only shows that the text is too long
 * @length: length of @text
 */
struct line {
	char text[WORDS_MAX + 1];
	size_t length;
};

static void add_text(struct line *line, const char *text, size_t length)
{
	const size_t room = WORDS_MAX - line->length;

	length = length < room ? length : room;
	memcpy(line->text + line->length, text, length);
	line->length += length;
}

static void add_word(struct line *line, const char *word)
{
	size_t length = strlen(word);

	if (line->length)
		add_text(line, " ", 1);
	if (*word && strspn(word, PLAIN) == length) {
		add_text(line, word, length);
		return;
	}
	add_text(line, "'", 1);
	for (;; word += length + 1) {
		length = strcspn(word, "'");
		add_text(line, word, length);
		if (!word[length])
			break;
		add_text(line, "'\\''", 4);
	}
	add_text(line, "'", 1);
}

/* Compose a command. If the line is cut within a character, omit this character. */
void join_words(char *text, size_t size, char **words)
{
	char escaped[4 * WORDS_MAX + 1];
	struct line line = { .length = 0 };
	const size_t rest = strlen(REST);

	for (; *words; words++)
		add_word(&line, *words);
	line.text[line.length] = '\0';
	if (vpmc_escape(line.text, escaped, sizeof(escaped)) < size)
		memcpy(text, escaped, strlen(escaped) + 1);
	else
		memcpy(text + vpmc_escape(escaped, text, size - rest), REST,
		       rest + 1);
}
