// SPDX-License-Identifier: GPL-2.0-only
/* Read an XML file into a tree of elements, with expat. */
#include "xml_tree.h"

#include <ctype.h>
#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/**
 * struct reader - a file that is being read
 * @parser: expat's parser
 * @path: name of the file
 * @root: the outermost element
 * @current: the innermost open element, or NULL
 * @depth: number of open elements
 * @elements: number of elements so far
 */
struct reader {
	XML_Parser parser;
	const char *path;
	struct xml_element *root;
	struct xml_element *current;
	unsigned int depth;
	unsigned int elements;
};

static struct place place_of(const struct reader *reader)
{
	return (struct place){
		.file = reader->path,
		.line = XML_GetCurrentLineNumber(reader->parser),
		.column = XML_GetCurrentColumnNumber(reader->parser) + 1,
	};
}

static void check_limits(const struct reader *reader, const char *name)
{
	struct place place = place_of(reader);

	if (reader->depth >= XML_DEPTH_MAX)
		leave_at(&place, "more than %d elements are in each other",
			 XML_DEPTH_MAX);
	if (reader->elements >= XML_ELEMENTS_MAX)
		leave_at(&place, "the file has more than %d elements",
			 XML_ELEMENTS_MAX);
	if (strlen(name) > XML_NAME_MAX)
		leave_at(&place,
			 "the name \"%.20s...\" is longer than %d"
			 " characters",
			 name, XML_NAME_MAX);
}

static void add_attributes(struct xml_element *element, const char **attributes)
{
	struct xml_attribute **end = &element->attributes;

	for (; *attributes; attributes += 2) {
		*end = allocate(1, sizeof(**end));
		(*end)->name = copy_text(attributes[0]);
		(*end)->value = copy_text(attributes[1]);
		end = &(*end)->next;
	}
}

static void XMLCALL begin_element(void *arg, const char *name,
				  const char **attributes)
{
	struct reader *reader = arg;
	struct xml_element *parent = reader->current, *element;

	check_limits(reader, name);
	element = allocate(1, sizeof(*element));
	element->place = place_of(reader);
	element->name = copy_text(name);
	element->text = copy_text("");
	element->parent = parent;
	add_attributes(element, attributes);
	if (!parent)
		reader->root = element;
	else if (parent->last)
		parent->last->next = element;
	else
		parent->first = element;
	if (parent)
		parent->last = element;
	reader->current = element;
	reader->depth++;
	reader->elements++;
}

static void trim(char *text)
{
	size_t length = strlen(text), begin = 0;

	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	while (begin < length && isspace((unsigned char)text[begin]))
		begin++;
	memmove(text, text + begin, length - begin);
	text[length - begin] = '\0';
}

static void XMLCALL end_element(void *arg, const char *name)
{
	struct reader *reader = arg;

	(void)name;
	trim(reader->current->text);
	reader->current = reader->current->parent;
	reader->depth--;
}

/*
 * Add text to the current element. expat passes text in pieces. Text between elements consists of
 * blanks, so skip it.
 */
static void XMLCALL add_text(void *arg, const char *text, int length)
{
	struct reader *reader = arg;
	struct xml_element *element = reader->current;
	size_t old = strlen(element->text);
	struct place place;
	int blanks = 0;

	while (blanks < length && isspace((unsigned char)text[blanks]))
		blanks++;
	if (blanks == length)
		return;
	if (old + (size_t)length > XML_TEXT_MAX) {
		place = place_of(reader);
		leave_at(&place, "the text of <%s> is longer than %d bytes",
			 element->name, XML_TEXT_MAX);
	}
	element->text = grow(element->text, old + (size_t)length + 1, 1);
	memcpy(element->text + old, text, (size_t)length);
	element->text[old + (size_t)length] = '\0';
}

static void XMLCALL refuse_document_type(void *arg, const char *name,
					 const char *system, const char *id,
					 int has_subset)
{
	struct place place = place_of(arg);

	(void)name;
	(void)system;
	(void)id;
	(void)has_subset;
	leave_at(&place, "the file has a document type, whose entities could"
			 " expand to anything: remove <!DOCTYPE>");
}

/*
 * Read the whole file into memory. Its lines may have any length, and XML_Parse() would keep them
 * in memory anyway.
 */
static char *read_bytes(const char *path, size_t *length)
{
	char *bytes = allocate(1, XML_BYTES_MAX + 1);
	FILE *file = fopen(path, "r");

	if (!file)
		leave(PERFEX_INPUT, "cannot open \"%s\": %s", path,
		      strerror(errno));
	*length = fread(bytes, 1, XML_BYTES_MAX + 1, file);
	if (ferror(file))
		leave(PERFEX_INPUT, "cannot read \"%s\": %s", path,
		      strerror(errno));
	fclose(file);
	return bytes;
}

static void check_size(const char *path, const char *bytes, size_t length)
{
	struct place place = { .file = path, .line = 1, .column = 1 };

	if (length <= XML_BYTES_MAX)
		return;
	for (size_t i = 0; i < XML_BYTES_MAX; i++) {
		place.column++;
		if (bytes[i] == '\n') {
			place.line++;
			place.column = 1;
		}
	}
	leave_at(&place, "the file goes on after %d bytes, which is too much",
		 XML_BYTES_MAX);
}

static void parse(struct reader *reader, const char *bytes, size_t length)
{
	struct place place;

	XML_SetUserData(reader->parser, reader);
	XML_SetElementHandler(reader->parser, begin_element, end_element);
	XML_SetCharacterDataHandler(reader->parser, add_text);
	XML_SetStartDoctypeDeclHandler(reader->parser, refuse_document_type);
	if (XML_Parse(reader->parser, bytes, (int)length, 1) == XML_STATUS_OK)
		return;
	place = place_of(reader);
	leave_at(&place, "%s",
		 XML_ErrorString(XML_GetErrorCode(reader->parser)));
}

struct xml_element *xml_read(const char *path, const char *root,
			     struct xml_bytes *bytes)
{
	struct reader reader = { .path = path };

	bytes->text = read_bytes(path, &bytes->length);
	check_size(path, bytes->text, bytes->length);
	reader.parser = XML_ParserCreate(NULL);
	if (!reader.parser)
		leave(PERFEX_SYSTEM, "out of memory");
	parse(&reader, bytes->text, bytes->length);
	XML_ParserFree(reader.parser);
	if (!xml_same(reader.root->name, root))
		leave_at(&reader.root->place,
			 "the file begins with <%s>, and not with <%s>",
			 reader.root->name, root);
	return reader.root;
}

static void free_one(struct xml_element *element)
{
	struct xml_attribute *attribute, *next;

	for (attribute = element->attributes; attribute; attribute = next) {
		next = attribute->next;
		free(attribute->name);
		free(attribute->value);
		free(attribute);
	}
	free(element->name);
	free(element->text);
	free(element);
}

/* Free the innermost element first, without recursion. */
void xml_free(struct xml_element *element)
{
	struct xml_element *const above = element->parent;
	struct xml_element *up;

	while (element != above) {
		while (element->first)
			element = element->first;
		up = element->parent;
		if (up != above)
			up->first = element->next;
		free_one(element);
		element = up;
	}
}

int xml_same(const char *a, const char *b)
{
	return !strcasecmp(a, b);
}

struct xml_element *xml_find(const struct xml_element *element,
			     const char *name)
{
	struct xml_element *child = element->first;

	while (child && !xml_same(child->name, name))
		child = child->next;
	return child;
}

struct xml_element *xml_need(const struct xml_element *element,
			     const char *name)
{
	struct xml_element *child = xml_find(element, name);

	if (!child)
		leave_at(&element->place, "<%s> lacks <%s>", element->name,
			 name);
	return child;
}

const char *xml_value(const struct xml_element *element, const char *name)
{
	const struct xml_attribute *attribute = element->attributes;

	while (attribute && !xml_same(attribute->name, name))
		attribute = attribute->next;
	return attribute ? attribute->value : NULL;
}

unsigned int xml_count(const struct xml_element *element)
{
	const struct xml_element *child;
	unsigned int nr = 0;

	for (child = element->first; child; child = child->next)
		nr++;
	return nr;
}

const char *xml_need_value(const struct xml_element *element, const char *name)
{
	const char *value = xml_value(element, name);

	if (!value)
		leave_at(&element->place, "<%s> lacks the attribute %s",
			 element->name, name);
	return value;
}

unsigned long xml_number(const struct xml_element *element, const char *text,
			 unsigned long max)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno || number > max)
		leave_at(&element->place,
			 "\"%.40s\" of <%s> is not a number up to %lu", text,
			 element->name, max);
	return number;
}

void xml_only(const struct xml_element *element, const char *const *names)
{
	const struct xml_element *child;
	const char *const *name;

	for (child = element->first; child; child = child->next) {
		name = names;
		while (*name && !xml_same(*name, child->name))
			name++;
		if (!*name)
			leave_at(&child->place, "<%s> cannot contain <%s>",
				 element->name, child->name);
	}
}
