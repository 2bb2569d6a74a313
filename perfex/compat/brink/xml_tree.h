/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the tree of elements of an XML file.
 *
 * The files may come from others, so their contents are limited. A document type is refused,
 * because its entities can expand to any amount of text. A file is also refused if it is larger
 * or deeper, or has longer names, than any sensible configuration.
 */
#ifndef BRINK_XML_TREE_H
#define BRINK_XML_TREE_H

#include <stddef.h>

#include "leave.h"

#define XML_BYTES_MAX	 1048576
#define XML_ELEMENTS_MAX 5000
#define XML_DEPTH_MAX	 16
#define XML_TEXT_MAX	 1000
/* Names of elements become parts of file names. */
#define XML_NAME_MAX	 60

/**
 * struct xml_attribute - an attribute of an element
 * @next: the next attribute of the element, or NULL
 * @name: its name
 * @value: its value
 */
struct xml_attribute {
	struct xml_attribute *next;
	char *name;
	char *value;
};

/**
 * struct xml_bytes - the contents of a file
 * @text: the bytes
 * @length: their number
 */
struct xml_bytes {
	char *text;
	size_t length;
};

/**
 * struct xml_element - an element of a file
 * @place: position of its tag
 * @name: its name
 * @text: the text between its tags, without blanks at both ends and without the text of inner
 *	elements; not NULL
 * @attributes: its attributes
 * @parent: the element that contains it, or NULL
 * @first: its first inner element, or NULL
 * @last: its last inner element
 * @next: the next element of @parent, or NULL
 */
struct xml_element {
	struct place place;
	char *name;
	char *text;
	struct xml_attribute *attributes;
	struct xml_element *parent;
	struct xml_element *first;
	struct xml_element *last;
	struct xml_element *next;
};

/**
 * xml_read() - read an XML file
 * @path: name of the file, which stays valid. The file is read once, so it can be a pipe.
 * @root: the name that the outermost element must have
 * @bytes: receives the contents of the file, to be freed by the caller
 *
 * Return: the outermost element. If the file is invalid, the program exits with an error that has
 * line and column.
 */
struct xml_element *xml_read(const char *path, const char *root,
			     struct xml_bytes *bytes);

/* xml_free() - free an element and its contents */
void xml_free(struct xml_element *element);

/* xml_same() - tell whether two names are the same, except for case */
int xml_same(const char *a, const char *b);

/* xml_find() - find the element with a name in @element, or NULL */
struct xml_element *xml_find(const struct xml_element *element,
			     const char *name);

/* xml_count() - count the elements that are directly in @element */
unsigned int xml_count(const struct xml_element *element);

/* xml_need() - find the element with a name in @element, or exit */
struct xml_element *xml_need(const struct xml_element *element,
			     const char *name);

/* xml_value() - get the value of an attribute, or NULL */
const char *xml_value(const struct xml_element *element, const char *name);

/* xml_need_value() - get the value of an attribute, or exit */
const char *xml_need_value(const struct xml_element *element, const char *name);

/**
 * xml_number() - read a number from a text of an element, or exit
 * @element: the element, for the error
 * @text: the number as text, decimal, or hexadecimal with 0x
 * @max: the largest allowed number
 *
 * Return: the number.
 */
unsigned long xml_number(const struct xml_element *element, const char *text,
			 unsigned long max);

/* xml_only() - exit unless each element in @element has one of @names, which end with NULL */
void xml_only(const struct xml_element *element, const char *const *names);

#endif /* BRINK_XML_TREE_H */
