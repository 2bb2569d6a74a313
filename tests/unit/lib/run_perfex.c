// SPDX-License-Identifier: GPL-2.0-only
#include "run_perfex.h"

#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "unit.h"

int perfex_main(int argc, char **argv);

char stdout_text[16384];
char stderr_text[16384];

void (*caller_sigchld)(int) = SIG_DFL;
const char *stdin_path = "/dev/null";

bool under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload");
}

void read_back(FILE *file, char *text, size_t size)
{
	size_t length;

	rewind(file);
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
}

static _Noreturn void be_perfex(const char *const *args, FILE *out, FILE *err)
{
	static char words[MAX_ARGS][400];
	char *argv[MAX_ARGS + 1] = { NULL };
	int argc, fd;

	if (!freopen(stdin_path, "r", stdin))
		exit(EXIT_FAILURE);
	dup2(fileno(out), STDOUT_FILENO);
	dup2(fileno(err), STDERR_FILENO);
	for (fd = STDERR_FILENO + 1; fd < 256; fd++)
		close(fd);
	for (argc = 0; argc < MAX_ARGS && args[argc]; argc++) {
		snprintf(words[argc], sizeof(words[argc]), "%s", args[argc]);
		argv[argc] = words[argc];
	}
	signal(SIGCHLD, caller_sigchld);
	/* The caller of the tests may ignore these signals, so restore their defaults. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	exit(perfex_main(argc, argv));
}

int perfex(const char *const *args)
{
	FILE *out = tmpfile();
	FILE *err = tmpfile();
	int status;
	pid_t pid;

	assert_non_null(out);
	assert_non_null(err);
	fflush(NULL);
	pid = fork();
	if (!pid)
		be_perfex(args, out, err);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	read_back(out, stdout_text, sizeof(stdout_text));
	read_back(err, stderr_text, sizeof(stderr_text));
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

void check_sentence(const char *format, ...)
{
	char parts[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(parts, sizeof(parts), format, args);
	va_end(args);
	check_says(stderr_text, parts);
	assert_memory_equal(stderr_text, "perfex: ", 8);
	assert_ptr_equal(strchr(stderr_text, '\n'),
			 stderr_text + strlen(stderr_text) - 1);
	assert_string_equal(stdout_text, "");
}

void check_refused(const char *line, int status, const char *words)
{
	wordexp_t args;
	int got;

	assert_int_equal(wordexp(line, &args, WRDE_NOCMD), 0);
	got = perfex((const char *const *)args.we_wordv);
	wordfree(&args);
	if (got != status)
		fail_msg("%s: status %d, not %d, \"%s\"", line, got, status,
			 stderr_text);
	check_sentence("%s", words);
}

unsigned int take_times(char *text)
{
	unsigned int times = 0;
	regmatch_t line;
	regex_t regex;

	assert_int_equal(regcomp(&regex, "# [0-9]+\\.[0-9]{3} seconds\n",
				 REG_EXTENDED),
			 0);
	while (!regexec(&regex, text, 1, &line, 0)) {
		memmove(text + line.rm_so, text + line.rm_eo,
			strlen(text + line.rm_eo) + 1);
		times++;
	}
	regfree(&regex);
	return times;
}

/* Return the output of the Python program @reader. @args: up to three words, then NULL */
static const char *parse(const char *reader, const char *const args[3])
{
	static char found[16384];
	FILE *out = tmpfile();
	pid_t pid;

	assert_non_null(out);
	pid = fork();
	if (!pid) {
		dup2(fileno(out), STDOUT_FILENO);
		execl("/usr/bin/python3", "python3", "-B", reader, args[0],
		      args[1], args[2], NULL);
		_exit(EXIT_FAILURE);
	}
	check_status(pid, 0);
	read_back(out, found, sizeof(found));
	return found;
}

const char *parse_report(const char *format, const char *path)
{
	return parse(SOURCE_DIRECTORY "/read_report.py",
		     (const char *const[]){ format, path, NULL });
}

const char *parse_exposition(const char *format, const char *path)
{
	return parse(SOURCE_DIRECTORY "/read_exposition.py",
		     (const char *const[]){ format, path, PROMTOOL });
}

const char *parse_plot(const char *path)
{
	return parse(SOURCE_DIRECTORY "/read_plot.py",
		     (const char *const[]){ path, NULL, NULL });
}
