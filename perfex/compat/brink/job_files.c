// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write the folder of results in the form that docs/history/brink.md describes.
 *
 * Names of programs, experiments and events are names of XML. So they do not contain blanks, or
 * other characters with a meaning in file names or in XML.
 */
#include "job_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "assign.h"

#define PATH_MAX_BYTES 4096

static const char *const type_names[] = { "normal", "front_end", "execution",
					  "replay" };

__attribute__((format(printf, 2, 3))) static void
make_path(char *path, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(path, PATH_MAX_BYTES, format, args);
	va_end(args);
	if (length < 0 || length >= PATH_MAX_BYTES)
		leave(PERFEX_OUTPUT,
		      "the name of the output folder is too long");
}

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		leave(PERFEX_OUTPUT, "cannot create \"%s\": %s", path,
		      strerror(errno));
	return file;
}

static void close_file(FILE *file)
{
	int failed = ferror(file);

	if (fclose(file) || failed)
		leave(PERFEX_OUTPUT, "cannot write to the output folder: %s",
		      strerror(errno));
}

static void make_folder(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		leave(PERFEX_OUTPUT, "cannot make the folder \"%s\": %s", path,
		      strerror(errno));
}

/* Write the bytes that were read. Their file may be a pipe, or the copy of an earlier run. */
static void write_copy(const struct output *output,
		       const struct xml_bytes *bytes, const char *name)
{
	char path[PATH_MAX_BYTES];
	FILE *file;

	make_path(path, "%s/%s", output->directory, name);
	file = open_file(path);
	fwrite(bytes->text, 1, bytes->length, file);
	close_file(file);
}

static char *title_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *title = copy_text(slash ? slash + 1 : path);
	char *dot = strrchr(title, '.');

	if (dot && dot != title)
		*dot = '\0';
	return title;
}

void output_open(struct output *output, const char *directory,
		 const struct emon_config *config,
		 const struct experiments *experiments, const char *exp_path)
{
	char path[PATH_MAX_BYTES];

	output->directory = directory;
	output->title = title_of(exp_path);
	output->config = config;
	make_folder(directory);
	write_copy(output, &config->bytes, "emon_config.txt");
	write_copy(output, &experiments->bytes, "exp_config.txt");
	make_path(path, "%s/events_counts.%s.txt", directory, output->title);
	output->counts = open_file(path);
	fprintf(output->counts, "# program experiment event count\n");
	make_path(path, "%s/summary.%s.txt", directory, output->title);
	output->summary = open_file(path);
	fprintf(output->summary, "<?xml version=\"1.0\"?>\n<summary>\n");
}

/* Make the path of a job's file. The file's name begins with the name of the job's folder. */
static void job_path(char *path, const struct output *output,
		     const struct job *job, const char *kind)
{
	const char *program = job->program->name;
	const char *experiment = job->experiment->element->name;

	make_path(path, "%s/job.%s.%s/job.%s.%s.%s.txt", output->directory,
		  program, experiment, program, experiment, kind);
}

static FILE *open_job_file(const struct output *output, const struct job *job,
			   const char *kind)
{
	char path[PATH_MAX_BYTES];

	job_path(path, output, job, kind);
	return open_file(path);
}

static void write_part(FILE *file, const char *name, const char *role,
		       const struct part *part)
{
	fprintf(file,
		"%s %s counter %u %s 0x%03" PRIx32 " 0x%08" PRIx64
		" cccr 0x%03x 0x%08" PRIx64 "\n",
		role, name, part->counter, part->escr->name,
		part->escr->address, part->escr_value, 0x360 + part->counter,
		part->cccr_value);
}

void output_input(const struct output *output, const struct job *job)
{
	const struct experiment *experiment = job->experiment;
	const struct experiment_event *event = experiment->event;
	char path[PATH_MAX_BYTES];
	FILE *file;

	make_path(path, "%s/job.%s.%s", output->directory, job->program->name,
		  experiment->element->name);
	make_folder(path);
	file = open_job_file(output, job, "abyss_input");
	fprintf(file, "command %s\n", job->program->command);
	for (; event < experiment->event + experiment->nr; event++) {
		write_part(file, event->element->name, "count", &event->count);
		if (event->tag.event && !shares_tag(experiment, event))
			write_part(file, event->element->name, "tag",
				   &event->tag);
		if (event->type == TAG_REPLAY)
			fprintf(file,
				"replay %s pebs_enable 0x%08" PRIx64
				" pebs_matrix_vert 0x%08" PRIx64 "\n",
				event->element->name, event->pebs_enable,
				event->pebs_matrix_vert);
	}
	close_file(file);
}

static void write_names(FILE *file, const struct experiment *experiment,
			const char *first)
{
	unsigned int i;

	fprintf(file, "# %s", first);
	for (i = 0; i < experiment->nr; i++)
		fprintf(file, " %s", experiment->event[i].element->name);
	fputc('\n', file);
}

static void write_readings(const struct output *output, const struct job *job)
{
	const struct job_result *result = &job->result;
	FILE *file = open_job_file(output, job, "raw");
	size_t r;
	unsigned int i;

	write_names(file, job->experiment, "tsc");
	for (r = 0; r < result->nr_readings; r++) {
		fprintf(file, "%" PRIu64, result->reading[r].tsc);
		for (i = 0; i < job->experiment->nr; i++)
			fprintf(file, " %" PRIu64, result->reading[r].count[i]);
		fputc('\n', file);
	}
	close_file(file);
}

/* Write the raw TSC, its increment, and the increments of the counts. */
static void write_deltas(const struct output *output, const struct job *job)
{
	const struct reading *now = job->result.reading, *before;
	FILE *file = open_job_file(output, job, "delta");
	size_t r;
	unsigned int i;

	write_names(file, job->experiment, "tsc tsc_delta");
	for (r = 1; r < job->result.nr_readings; r++) {
		before = now++;
		fprintf(file, "%" PRIu64 " %" PRIu64, now->tsc,
			now->tsc - before->tsc);
		for (i = 0; i < job->experiment->nr; i++)
			fprintf(file, " %" PRIu64,
				now->count[i] - before->count[i]);
		fputc('\n', file);
	}
	close_file(file);
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static void write_time(const struct output *output, const struct job *job)
{
	const struct job_result *result = &job->result;
	FILE *file = open_job_file(output, job, "time");

	fprintf(file,
		"%.2fuser %.2fsystem %.2felapsed %ldmaxresident_kb"
		" %ldmajor+%ldminor_faults\n",
		seconds_of(&result->usage.ru_utime),
		seconds_of(&result->usage.ru_stime), result->seconds,
		result->usage.ru_maxrss, result->usage.ru_majflt,
		result->usage.ru_minflt);
	close_file(file);
}

static bool has_samples(const struct experiment *experiment)
{
	unsigned int i;

	for (i = 0; i < experiment->nr; i++)
		if (experiment->event[i].sampling.interval)
			return true;
	return false;
}

static void write_sample(FILE *file, const struct experiment *experiment,
			 const struct ebs_sample *sample)
{
	unsigned int i;

	fprintf(file, "%s %" PRIu64 " %" PRIu32 " %" PRIu32 " 0x%" PRIx64,
		experiment->event[sample->event].element->name, sample->tsc,
		sample->pid, sample->tid, sample->address);
	for (i = 0; sample->has_registers && i < SAMPLE_REGISTERS; i++)
		fprintf(file, " 0x%" PRIx64, sample->registers[i]);
	fputc('\n', file);
}

static void write_samples(const struct output *output, const struct job *job)
{
	FILE *file = open_job_file(output, job, "ebs_samples");
	size_t i;

	fprintf(file, "# event tsc pid tid eip [rax rbx rcx rdx rsi rdi rbp"
		      " rsp r8 r9 r10 r11 r12 r13 r14 r15 rip rflags]\n");
	for (i = 0; i < job->result.nr_samples; i++)
		write_sample(file, job->experiment, &job->result.sample[i]);
	if (job->result.lost)
		fprintf(file, "# lost %" PRIu64 "\n", job->result.lost);
	close_file(file);
}

static void write_counts(FILE *file, const struct job *job)
{
	const struct job_result *result = &job->result;
	unsigned int i;

	for (i = 0; i < job->experiment->nr; i++)
		fprintf(file, "%s %s %s %" PRIu64 "\n", job->program->name,
			job->experiment->element->name,
			job->experiment->event[i].element->name,
			result->reading[result->nr_readings - 1].count[i]);
}

/*
 * Escape and write the text of an attribute. A command can contain characters that are references
 * in XML.
 */
static void write_escaped(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("&<>\"\t\n\r", *text))
			fprintf(file, "&#%d;", *text);
		else
			fputc(*text, file);
	}
}

static void write_summary_part(FILE *file, const char *role,
			       const struct part *part)
{
	fprintf(file,
		"\t\t\t<%s event=\"%s\" escr=\"%s\" escr_value=\"0x%08" PRIx64
		"\" counter=\"%u\" cccr_value=\"0x%08" PRIx64 "\"/>\n",
		role, part->event->name, part->escr->name, part->escr_value,
		part->counter, part->cccr_value);
}

static void write_summary_event(FILE *file, const struct job *job,
				unsigned int i)
{
	const struct experiment_event *event = &job->experiment->event[i];
	const struct job_result *result = &job->result;

	fprintf(file, "\t\t<%s type=\"%s\" count=\"%" PRIu64 "\">\n",
		event->element->name, type_names[event->type],
		result->reading[result->nr_readings - 1].count[i]);
	write_summary_part(file, "count_setup", &event->count);
	if (event->tag.event)
		write_summary_part(file, "tag_setup", &event->tag);
	if (event->type == TAG_REPLAY)
		fprintf(file,
			"\t\t\t<replay pebs_enable=\"0x%08" PRIx64
			"\" pebs_matrix_vert=\"0x%08" PRIx64 "\"/>\n",
			event->pebs_enable, event->pebs_matrix_vert);
	fprintf(file, "\t\t</%s>\n", event->element->name);
}

static void write_summary(FILE *file, const struct job *job)
{
	const struct job_result *result = &job->result;
	char date[32] = "";
	struct tm tm;
	unsigned int i;

	if (gmtime_r(&result->began, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fprintf(file,
		"\t<job program=\"%s\" experiment=\"%s\" date=\"%s\""
		" seconds=\"%.6f\"",
		job->program->name, job->experiment->element->name, date,
		result->seconds);
	if (WIFSIGNALED(result->status))
		fprintf(file, " signal=\"%d\"", WTERMSIG(result->status));
	else
		fprintf(file, " exit=\"%d\"", WEXITSTATUS(result->status));
	fprintf(file, " tsc=\"%" PRIu64 "\" command=\"",
		result->reading[result->nr_readings - 1].tsc);
	write_escaped(file, job->program->command);
	fprintf(file, "\">\n");
	for (i = 0; i < job->experiment->nr; i++)
		write_summary_event(file, job, i);
	fprintf(file, "\t</job>\n");
}

void output_job(const struct output *output, const struct job *job)
{
	char path[PATH_MAX_BYTES];
	FILE *file;

	write_readings(output, job);
	write_deltas(output, job);
	write_time(output, job);
	if (has_samples(job->experiment))
		write_samples(output, job);
	write_counts(output->counts, job);
	write_summary(output->summary, job);

	make_path(path, "%s/job.%s.%s/summary.%s.txt", output->directory,
		  job->program->name, job->experiment->element->name,
		  output->title);
	file = open_file(path);
	fprintf(file, "<?xml version=\"1.0\"?>\n<summary>\n");
	write_summary(file, job);
	fprintf(file, "</summary>\n");
	close_file(file);
}

void output_close(struct output *output)
{
	fprintf(output->summary, "</summary>\n");
	close_file(output->summary);
	close_file(output->counts);
	free(output->title);
}
