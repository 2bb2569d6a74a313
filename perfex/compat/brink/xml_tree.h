/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the tree of elements of an XML file.
 *
 * The files may come from elsewhere, so what one may contain is limited: a document type, with
 * which come entities that expand to more text, is refused, and so is a file that is larger, deeper
 * or has longer names than any sensible configuration.
 */
#ifndef BRINK_XML_TREE_H
#define BRINK_XML_TREE_H

#include "leave.h"

#define XML_BYTES_MAX	 1048576
#define XML_ELEMENTS_MAX 5000
#define XML_DEPTH_MAX	 16
#define XML_TEXT_MAX	 1000
/* Names of elements become parts of file names. */
#define XML_NAME_MAX	 60

/**
 * struct xml_attribute - an attribute of an element
 * @next: the next one, or NULL
 * @name: its name
 * @value: its value
 */
struct xml_attribute {
	struct xml_attribute *next;
	char *name;
	char *value;
};

/**
 * struct xml_element - an element of a file
 * @place: where its tag is
 * @name: its name
 * @text: the text between its tags, without blanks at both ends and without that of elements in
 *	it; not NULL
 * @attributes: its attributes
 * @parent: the element that contains it, or NULL
 * @first: the first element in it, or NULL
 * @last: the last element in it
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
 * @path: name of the file, which stays valid
 * @root: the name that the outermost element must have
 *
 * Return: the outermost element. If the file is not fit, the program ends with a sentence that has
 * line and column.
 */
struct xml_element *xml_read(const char *path, const char *root);

/* xml_free() - free an element with all that it contains */
void xml_free(struct xml_element *element);

/* xml_same() - tell whether two names are the same but for upper and lower case */
int xml_same(const char *a, const char *b);

/* xml_find() - find the element of that name in @element, or NULL */
struct xml_element *xml_find(const struct xml_element *element,
			     const char *name);

/* xml_need() - find the element of that name in @element, or leave */
struct xml_element *xml_need(const struct xml_element *element,
			     const char *name);

/* xml_value() - get the value of an attribute, or NULL */
const char *xml_value(const struct xml_element *element, const char *name);

/* xml_need_value() - get the value of an attribute, or leave */
const char *xml_need_value(const struct xml_element *element, const char *name);

/**
 * xml_number() - read a number from a text of an element
 * @element: the element, for the error
 * @text: the text, decimal, or hexadecimal with 0x
 * @max: the largest number that is allowed
 *
 * Return: the number. Leaves if there is none.
 */
unsigned long xml_number(const struct xml_element *element, const char *text,
			 unsigned long max);

/* xml_only() - leave unless each element in @element has one of the names, which NULL ends */
void xml_only(const struct xml_element *element, const char *const *names);

#endif /* BRINK_XML_TREE_H */
