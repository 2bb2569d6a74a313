// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write pprof's format: a message of protocol buffers, compressed by gzip. Such a message may be
 * written in parts, because readers append the lists of all parts to each other. Each part has an
 * instruction or its samples, and the texts, functions and files that are not in earlier parts.
 */
#include "profile_formats/frames.h"

#ifdef PERFEX_PPROF

#include <inttypes.h>
#include <pprof.pb-c.h>
#include <string.h>
#include <zlib.h>

#include "profile_formats/ids.h"

/* With these window bits, zlib writes the header of gzip. */
#define GZIP_WINDOW (15 + 16)

/* A part has fewer texts than this, even if all its functions and files are new. */
#define TEXTS_MAX (3 * SYMBOLS_FRAMES_MAX + 64)

/**
 * struct part - a part of the message
 * @profile: the message
 * @texts: its new texts
 * @function: its new functions
 * @functions: pointers to them
 * @mapping: its file, if it is new
 * @mappings: pointer to it
 * @line: the lines of its instruction
 * @lines: pointers to them
 */
struct part {
	Pprof__Profile profile;
	char *texts[TEXTS_MAX];
	Pprof__Function function[SYMBOLS_FRAMES_MAX];
	Pprof__Function *functions[SYMBOLS_FRAMES_MAX];
	Pprof__Mapping mapping;
	Pprof__Mapping *mappings[1];
	Pprof__Line line[SYMBOLS_FRAMES_MAX];
	Pprof__Line *lines[SYMBOLS_FRAMES_MAX];
};

/**
 * struct writer - a message in progress
 * @base: the buffer of protobuf-c, which passes bytes to append()
 * @out: the file
 * @stream: the state of the compression
 * @ok: false if memory was short
 * @data: the profile
 * @texts: numbers of the texts
 * @functions: numbers of the functions; the key is a name, a file and a line
 * @mappings: numbers of the files; the key is a text
 * @locations: numbers of the instructions; the key is a file and an offset
 * @names: names of the events
 * @part: the present part
 */
struct writer {
	ProtobufCBuffer base;
	FILE *out;
	z_stream stream;
	bool ok;
	const struct profile_data *data;
	struct ids texts;
	struct ids functions;
	struct ids mappings;
	struct ids locations;
	char names[EVENTS_MAX][EVENT_NAME_MAX];
	struct part part;
};

bool has_pprof(void)
{
	return true;
}

/* Compress bytes. @flush is Z_FINISH for the last bytes. */
static void compress_bytes(struct writer *writer, const uint8_t *bytes,
			   size_t size, int flush)
{
	unsigned char buffer[4096];

	writer->stream.next_in = (unsigned char *)bytes;
	writer->stream.avail_in = size;
	do {
		writer->stream.next_out = buffer;
		writer->stream.avail_out = sizeof(buffer);
		deflate(&writer->stream, flush);
		fwrite(buffer, 1, sizeof(buffer) - writer->stream.avail_out,
		       writer->out);
	} while (!writer->stream.avail_out);
}

static void append(ProtobufCBuffer *base, size_t size, const uint8_t *bytes)
{
	/* @base is the first member of struct writer. */
	compress_bytes((struct writer *)base, bytes, size, Z_NO_FLUSH);
}

static void begin_part(struct writer *writer)
{
	struct part *part = &writer->part;

	pprof__profile__init(&part->profile);
	part->profile.string_table = part->texts;
	part->profile.function = part->functions;
	part->profile.mapping = part->mappings;
}

static void end_part(struct writer *writer)
{
	pprof__profile__pack_to_buffer(&writer->part.profile, &writer->base);
}

/* Number a text, and add it to the part if it is new. */
static int64_t string_index(struct writer *writer, const char *text)
{
	Pprof__Profile *profile = &writer->part.profile;
	const struct id_key key = { .text = text };
	size_t before = writer->texts.nr;
	uint64_t id = 0;

	if (!find_id(&writer->texts, &key, &id))
		writer->ok = false;
	if (writer->texts.nr > before && profile->n_string_table < TEXTS_MAX)
		profile->string_table[profile->n_string_table++] = (char *)text;
	return (int64_t)id;
}

/* Number a function from 1, and add it to the part if it is new. */
static uint64_t number_function(struct writer *writer, const char *name,
				const char *file, uint32_t line)
{
	const int64_t name_id = string_index(writer, name);
	const int64_t file_id = string_index(writer, file ? file : "");
	const struct id_key key = { .number = { name_id, file_id, line } };
	struct part *part = &writer->part;
	Pprof__Function *function = &part->function[part->profile.n_function];
	size_t before = writer->functions.nr;
	uint64_t id = 0;

	if (!find_id(&writer->functions, &key, &id))
		writer->ok = false;
	if (writer->functions.nr == before)
		return id + 1;
	pprof__function__init(function);
	function->id = id + 1;
	function->name = name_id;
	function->system_name = name_id;
	function->filename = file_id;
	function->start_line = line;
	part->functions[part->profile.n_function++] = function;
	return id + 1;
}

/* Number the file of an instruction from 1, and add it to the part if it is new. */
static uint64_t number_mapping(struct writer *writer,
			       const struct profile_spot *spot,
			       const struct symbols_place *place)
{
	const int64_t name = string_index(writer, spot->object);
	const struct id_key key = { .number = { name } };
	Pprof__Mapping *mapping = &writer->part.mapping;
	size_t before = writer->mappings.nr;
	uint64_t id = 0;

	if (!find_id(&writer->mappings, &key, &id))
		writer->ok = false;
	if (writer->mappings.nr == before)
		return id + 1;
	pprof__mapping__init(mapping);
	mapping->id = id + 1;
	mapping->filename = name;
	mapping->build_id = string_index(writer, place->build_id);
	/*
	 * Without these flags, pprof would search the names itself, by real addresses. These are
	 * offsets in files.
	 */
	mapping->has_functions = true;
	mapping->has_filenames = true;
	mapping->has_line_numbers = true;
	mapping->has_inline_frames = true;
	writer->part.mappings[writer->part.profile.n_mapping++] = mapping;
	return id + 1;
}

static void add_line(struct writer *writer, Pprof__Location *location,
		     const char *function, const struct symbols_frame *frame,
		     const struct symbols_place *place)
{
	struct part *part = &writer->part;
	Pprof__Line *line = &part->line[location->n_line];
	/* Only the last function is declared in the file and line of @place. */
	bool is_last = location->n_line + 1 >= place->nr_frames;
	const char *file =
		is_last && place->first_file ? place->first_file : frame->file;

	pprof__line__init(line);
	line->function_id = number_function(writer, function, file,
					    is_last ? place->first_line : 0);
	line->line = frame->line;
	line->column = frame->column;
	part->lines[location->n_line++] = line;
}

static void set_location(struct writer *writer, const struct profile_spot *spot,
			 uint64_t id, Pprof__Location *location)
{
	const struct symbols_frame unknown = { .line = 0 };
	struct symbols_place place;
	size_t i;

	find_place(writer->data, spot, &place);
	pprof__location__init(location);
	location->id = id;
	location->address = spot->offset;
	location->line = writer->part.lines;
	location->mapping_id = number_mapping(writer, spot, &place);
	for (i = 0; i < place.nr_frames && i < SYMBOLS_FRAMES_MAX; i++)
		add_line(writer, location, place.frames[i].function,
			 &place.frames[i], &place);
	if (!place.nr_frames)
		add_line(writer, location, base_name(spot->object), &unknown,
			 &place);
}

/* Number an instruction from 1, and write it if it is new. */
static uint64_t number_location(struct writer *writer,
				const struct profile_spot *spot)
{
	struct id_key key = { .number = { 0, spot->offset } };
	Pprof__Location location, *locations = &location;
	size_t before = writer->locations.nr;
	uint64_t id = 0;

	begin_part(writer);
	key.number[0] = (uint64_t)string_index(writer, spot->object);
	if (!find_id(&writer->locations, &key, &id))
		writer->ok = false;
	if (writer->locations.nr > before) {
		set_location(writer, spot, id + 1, &location);
		writer->part.profile.location = &locations;
		writer->part.profile.n_location = 1;
		end_part(writer);
	}
	return id + 1;
}

/* Number an instruction and its callers. Returns the number of ids. */
static size_t number_stack(struct writer *writer,
			   const struct profile_spot *spot, uint64_t *ids)
{
	const struct profile_caller *caller = spot->caller;
	struct profile_spot call;
	size_t nr = 0;

	ids[nr++] = number_location(writer, spot);
	for (; caller && nr <= VPMC_CALLERS_MAX; caller = caller->next) {
		call = spot_of_caller(spot, caller);
		ids[nr++] = number_location(writer, &call);
	}
	return nr;
}

static bool same_instruction(const struct profile_spot *a,
			     const struct profile_spot *b)
{
	return a->offset == b->offset && a->caller == b->caller &&
	       strcmp(a->object, b->object) == 0 &&
	       strcmp(a->program, b->program) == 0 && !compare_regions(a, b);
}

/* Write the samples of all events at an instruction. Returns the number of its spots. */
static size_t write_instruction(struct writer *writer,
				const struct profile_spot *spot, size_t nr)
{
	int64_t values[EVENTS_MAX] = { 0 }, sampled[EVENTS_MAX];
	const struct events *events = writer->data->events;
	Pprof__Label label[2] = { PPROF__LABEL__INIT, PPROF__LABEL__INIT };
	Pprof__Label *labels[] = { &label[0], &label[1] };
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	uint64_t ids[VPMC_CALLERS_MAX + 1];
	size_t used, i;

	for (used = 0; used < nr && same_instruction(&spot[used], spot); used++)
		values[spot[used].event] +=
			(int64_t)spot_events(writer->data, &spot[used]);
	for (i = 0; i < events->nr; i++) {
		if (events->period[i])
			sampled[sample.n_value++] = values[i];
	}
	sample.n_location_id = number_stack(writer, spot, ids);
	begin_part(writer);
	label[0].key = string_index(writer, "program");
	label[0].str = string_index(writer, spot->program);
	if (spot->region) {
		label[1].key = string_index(writer, "region");
		label[1].str = string_index(writer, spot->region);
	}
	sample.value = sampled;
	sample.location_id = ids;
	sample.label = labels;
	sample.n_label = spot->region ? 2 : 1;
	writer->part.profile.sample = &samples;
	writer->part.profile.n_sample = 1;
	end_part(writer);
	return used;
}

/* Write the names of the events. The first text of the message must be empty. */
static void write_types(struct writer *writer)
{
	const struct events *events = writer->data->events;
	Pprof__Profile *profile = &writer->part.profile;
	Pprof__ValueType types[EVENTS_MAX], *pointers[EVENTS_MAX];
	size_t i;

	begin_part(writer);
	string_index(writer, "");
	profile->sample_type = pointers;
	for (i = 0; i < events->nr; i++) {
		Pprof__ValueType *type = &types[profile->n_sample_type];

		if (!events->period[i])
			continue;
		event_name(events, i, writer->names[i]);
		pprof__value_type__init(type);
		type->type = string_index(writer, writer->names[i]);
		type->unit = string_index(writer, "count");
		if (!profile->n_sample_type) {
			profile->period_type = type;
			profile->period = events->period[i];
		}
		pointers[profile->n_sample_type++] = type;
	}
	end_part(writer);
}

bool write_pprof(FILE *out, struct profile_data *data)
{
	static struct writer writer;
	size_t i = 0;

	writer = (struct writer){
		.base = { append }, .out = out, .ok = true, .data = data
	};
	if (deflateInit2(&writer.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			 GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	sort_spots(data);
	write_types(&writer);
	while (i < data->nr_spots)
		i += write_instruction(&writer, &data->spot[i],
				       data->nr_spots - i);
	compress_bytes(&writer, NULL, 0, Z_FINISH);
	deflateEnd(&writer.stream);
	free_ids(&writer.texts);
	free_ids(&writer.functions);
	free_ids(&writer.mappings);
	free_ids(&writer.locations);
	return writer.ok;
}

#else

bool has_pprof(void)
{
	return false;
}

bool write_pprof(FILE *out, struct profile_data *data)
{
	(void)out;
	(void)data;
	return false;
}

#endif
