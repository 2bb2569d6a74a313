// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is the first process of the emulated machine. It runs one command, and carries
 * the output and the status of the command out of the machine.
 *
 * No driver is needed for this: two debug consoles take stdout and stderr byte by byte,
 * a third one takes the status, and a fourth one files that the command has left. A
 * write to the exit port ends the emulator. tests/emulator/machine reads the other ends;
 * its table of ports repeats the one below.
 *
 * The machine stops after its boot, if it has a port for this. The emulator can then save
 * it, and continue the saved machine any number of times. Only a continued machine has
 * a task in the emulator's configuration interface (fw_cfg). The task consists of files:
 *   /args        the command's words, each ended by NUL; if missing, run a shell
 *   /stdin       the command's standard input; if missing, use /dev/null
 *   /vpmc.ko     the module to load first; may be missing
 *   /parameters  the parameters of the module
 *   /get         names of files in /root, each ended by NUL, to be sent when the
 *                command has ended; may be missing
 *   /etc/motd    the first lines that a shell prints; may be missing
 *   /root/...    files next to the command
 *
 * When the command has ended and the module is unloaded, a kernel with kmemleak looks for
 * leaks. It reports them on its console.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STDOUT_PORT 0xe9
#define STDERR_PORT 0xea
#define STATUS_PORT 0xeb
#define FILES_PORT  0xec
#define EXIT_PORT   0xf4
#define STOP_PORT   0x505
#define NO_PORT	    0xff /* the value of a port that does not exist */

/* The emulator's configuration interface (QEMU, docs/specs/fw_cfg). */
#define CONFIG_SELECT	 0x510
#define CONFIG_DATA	 0x511
#define CONFIG_DIRECTORY 0x19
#define TASK_NAME	 "opt/vpmc/task"

#define MAX_ARGS   1024
#define MAX_HEADER 512
#define MAX_BLOCK  (4 << 20)

#define KMEMLEAK     "/sys/kernel/debug/kmemleak"
/* Memory that is younger is not reported, in seconds. */
#define KMEMLEAK_AGE 6
/* The hooks stay live for a second after the last process that counted. */
#define UNLOAD_TRIES 30

static char buffer[65536];

/* A read end of the command's output and the port that it goes to. */
struct channel {
	int fd;
	unsigned short port;
};

/* PID 1 must not return: the kernel panics and machine reports the console. */
static void die(const char *what)
{
	fprintf(stderr, "init: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void send(unsigned short port, const char *data, size_t size)
{
	outsb(port, data, size);
}

static void mount_all(void)
{
	static const struct {
		const char *type, *where;
	} mounts[] = {
		{ "devtmpfs", "/dev" },
		{ "proc", "/proc" },
		{ "sysfs", "/sys" },
		{ "tmpfs", "/tmp" },
	};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0,
			  NULL))
			die(mounts[i].where);
	}
	/* Only the debug kernel has this file. */
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	chmod("/tmp", 01777);
	chmod("/", 0755);
}

/* Make the entries of /dev that devtmpfs does not create. */
static void make_links(void)
{
	static const struct {
		const char *to, *name;
	} links[] = {
		{ "/proc/self/fd", "/dev/fd" },
		{ "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" },
		{ "/proc/self/fd/2", "/dev/stderr" },
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (symlink(links[i].to, links[i].name))
			die(links[i].name);
}

static void install_busybox(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		execl("/bin/busybox", "busybox", "--install", "-s", "/bin",
		      (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void set_up_files(void)
{
	mount_all();
	make_links();
	install_busybox();
}

/* Read a small file whole; -1 if there is none. */
static ssize_t read_file(const char *path, char *data, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -1;
	got = read(fd, data, size - 1);
	close(fd);
	if (got >= 0)
		data[got] = '\0';
	return got;
}

static void load_module(void)
{
	char parameters[4096];
	int fd = open("/vpmc.ko", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read_file("/parameters", parameters, sizeof(parameters)) < 0)
		die("/parameters");
	if (syscall(SYS_finit_module, fd, parameters, 0))
		fprintf(stderr, "init: vpmc.ko: %s\n", strerror(errno));
	close(fd);
}

/* Return the words of /args, or NULL if there is no such file. */
static char **read_args(void)
{
	static char words[65536];
	static char *args[MAX_ARGS + 1];
	ssize_t size = read_file("/args", words, sizeof(words));
	int count = 0;

	if (size <= 0)
		return NULL;
	for (char *word = words; word < words + size && count < MAX_ARGS;
	     word += strlen(word) + 1)
		args[count++] = word;
	return args;
}

/* Stop the machine. It continues when it has a task. */
static void stop(void)
{
	if (inb(STOP_PORT) != NO_PORT)
		outb(1, STOP_PORT);
	/* The emulator stops at the end of a block. A system call ends the block. */
	sched_yield();
}

/* An entry of the directory; numbers are big-endian. */
struct config_entry {
	unsigned char size[4];
	unsigned char select[2];
	unsigned char reserved[2];
	char name[56];
};

/* Read @size bytes. insb() of musl does not tell the compiler that it writes. */
static void config_read(void *to, size_t size)
{
	insb(CONFIG_DATA, to, size);
	__asm__ volatile("" : : "r"(to) : "memory");
}

/* Prepare the task for reading; return its size. */
static size_t select_task(void)
{
	struct config_entry entry = { .name = "" };
	unsigned char bytes[4] = { 0 };
	unsigned int nr;

	outw(CONFIG_DIRECTORY, CONFIG_SELECT);
	config_read(bytes, sizeof(bytes));
	for (nr = bytes[2] << 8 | bytes[3]; nr; nr--) {
		config_read(&entry, sizeof(entry));
		if (!strcmp(entry.name, TASK_NAME)) {
			outw(entry.select[0] << 8 | entry.select[1],
			     CONFIG_SELECT);
			return (size_t)entry.size[0] << 24 |
			       entry.size[1] << 16 | entry.size[2] << 8 |
			       entry.size[3];
		}
	}
	return 0;
}

/*
 * Read "MODE SIZE NAME" and NUL into @line. Return the number of bytes, and the start of
 * NAME in @name.
 */
static size_t read_header(char line[static MAX_HEADER], unsigned int *mode,
			  size_t *size, char **name)
{
	size_t n = 0;

	do {
		line[n] = (char)inb(CONFIG_DATA);
	} while (line[n++] && n < MAX_HEADER);
	line[n - 1] = '\0';
	*mode = strtoul(line, name, 8);
	*size = strtoul(*name, name, 10);
	++*name;
	return n;
}

/* Make the directories of a file's path. Most of them exist. */
static void make_directories(const char *name)
{
	char path[MAX_HEADER];
	const char *slash;

	for (slash = strchr(name + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		snprintf(path, sizeof(path), "%.*s", (int)(slash - name), name);
		mkdir(path, 0755);
	}
}

static void receive_file(const char *name, unsigned int mode, size_t size)
{
	int fd;

	make_directories(name);
	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	while (size) {
		size_t n = size < sizeof(buffer) ? size : sizeof(buffer);

		config_read(buffer, n);
		if (write(fd, buffer, n) != (ssize_t)n)
			die(name);
		size -= n;
	}
	if (fchmod(fd, mode) || close(fd))
		die(name);
}

static void receive_task(void)
{
	size_t left, size;
	unsigned int mode;
	char line[MAX_HEADER], *name;

	for (left = select_task(); left; left -= size) {
		left -= read_header(line, &mode, &size, &name);
		receive_file(name, mode, size);
	}
}

static void move_fd(int from, int to)
{
	if (from < 0 || dup2(from, to) < 0)
		die("standard input or output");
}

/* Become the command, in the child, as the leader of its own session. */
static void run_command(char **args, int out, int err)
{
	int in = open("/stdin", O_RDONLY | O_CLOEXEC);

	setsid();
	move_fd(in < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : in, 0);
	move_fd(out, 1);
	move_fd(err, 2);
	execvp(args[0], args);
	fprintf(stderr, "machine: %s: %s\n", args[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Print commands to try. */
static void greet(void)
{
	ssize_t size = read_file("/etc/motd", buffer, sizeof(buffer));

	if (size > 0 && write(1, buffer, size) != size)
		die("/etc/motd");
}

/* Become a shell, in the child, with the console as its terminal. */
static void run_shell(void)
{
	int tty;

	setsid();
	tty = open("/dev/ttyS0", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd <= 2; fd++)
		move_fd(tty, fd);
	ioctl(tty, TIOCSCTTY, 0);
	setenv("TERM", "vt100", 1);
	setenv("PS1", "guest# ", 1);
	greet();
	execl("/bin/sh", "sh", (char *)NULL);
	_exit(127);
}

/* Start the command. Its output comes through the two channels. */
static pid_t start(char **args, struct channel *channels)
{
	int out[2], err[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (args)
			run_command(args, out[1], err[1]);
		run_shell();
	}
	close(out[1]);
	close(err[1]);
	channels[0] = (struct channel){ out[0], STDOUT_PORT };
	channels[1] = (struct channel){ err[0], STDERR_PORT };
	return pid;
}

/* Pass on the available output. Returns false at its end. */
static bool relay(const struct channel *channel)
{
	ssize_t got = read(channel->fd, buffer, sizeof(buffer));

	if (got > 0)
		send(channel->port, buffer, got);
	return got > 0;
}

/* Wait for all children that have exited; return true if the command was among them. */
static bool reap(int signals, pid_t command, int *status)
{
	struct signalfd_siginfo info;
	bool ended = false;
	int child_status;
	pid_t pid;

	if (read(signals, &info, sizeof(info)) < 0)
		die("signalfd");
	while ((pid = waitpid(-1, &child_status, WNOHANG)) > 0) {
		if (pid == command) {
			*status = child_status;
			ended = true;
		}
	}
	return ended;
}

/* Relay output until the command exits, and then the rest. Returns its wait status. */
static int attend(pid_t command, const struct channel *channels, int signals)
{
	struct pollfd fds[] = {
		{ .fd = channels[0].fd, .events = POLLIN },
		{ .fd = channels[1].fd, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	int status = 0;
	bool ended = false;

	while (!ended) {
		if (poll(fds, 3, -1) < 0)
			die("poll");
		for (int i = 0; i < 2; i++)
			if (fds[i].revents && !relay(&channels[i]))
				fds[i].fd = -1;
		if (fds[2].revents)
			ended = reap(signals, command, &status);
	}
	/* The command decides when the machine stops, as if it were PID 1. */
	kill(-1, SIGKILL);
	for (int i = 0; i < 2; i++)
		while (relay(&channels[i]))
			;
	return status;
}

/*
 * Announce a block of a file on the port, and stop. machine takes the block from the first
 * processor's memory, which is faster than a port. An empty block ends the file.
 */
static void send_block(const void *block, size_t size)
{
	char line[64];

	send(FILES_PORT, line,
	     snprintf(line, sizeof(line), "%lu %zu\n", (unsigned long)block,
		      size));
	if (size)
		stop();
}

/* Send the contents of a file that the command has left, or the error. */
static void send_file(const char *name)
{
	static char block[MAX_BLOCK];
	/* The open must not wait if the file is a FIFO. */
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat status = { .st_mode = S_IFREG };
	char line[256];
	ssize_t got;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		send(FILES_PORT, line,
		     snprintf(line, sizeof(line), "- %s\n",
			      S_ISREG(status.st_mode) ? strerror(errno)
						      : "Not a regular file"));
	} else {
		do {
			got = read(fd, block, sizeof(block));
			if (got < 0)
				die(name);
			send_block(block, got);
		} while (got);
	}
	close(fd);
}

static void send_files(void)
{
	static char names[65536];
	ssize_t size = read_file("/get", names, sizeof(names));
	cpu_set_t first;

	if (size <= 0)
		return;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		die("the first processor");
	for (char *name = names; name < names + size; name += strlen(name) + 1)
		send_file(name);
}

/* Write a message to the kernel's console, where machine takes it for a failure. */
static void complain(const char *format, const char *what)
{
	FILE *log = fopen("/dev/kmsg", "we");

	if (!log)
		die("/dev/kmsg");
	fprintf(log, format, what);
	fclose(log);
}

/* Wait for all killed processes, then unload the module, which their files may still hold. */
static void unload_module(void)
{
	int tries = UNLOAD_TRIES;

	while (waitpid(-1, NULL, 0) > 0)
		;
	while (syscall(SYS_delete_module, "vpmc", O_NONBLOCK) &&
	       errno != ENOENT && --tries)
		usleep(100000);
	if (!tries)
		complain("<2>BUG: vpmc cannot be unloaded: %s\n",
			 strerror(errno));
}

static void scan(void)
{
	static const char word[] = "scan";
	int fd = open(KMEMLEAK, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, word, strlen(word)) < 0)
		complain("<2>BUG: kmemleak does not scan: %s\n",
			 strerror(errno));
	close(fd);
}

/* Look for leaks. The first scan skips memory that is changing, and the second one finds it. */
static void look_for_leaks(void)
{
	char line[256];
	FILE *leaks;

	if (access(KMEMLEAK, F_OK))
		return;
	unload_module();
	sleep(KMEMLEAK_AGE);
	scan();
	scan();
	leaks = fopen(KMEMLEAK, "re");
	if (!leaks)
		die(KMEMLEAK);
	while (fgets(line, sizeof(line), leaks))
		complain("<2>kmemleak: %s", line);
	fclose(leaks);
}

int main(void)
{
	struct channel channels[2];
	char text[16];
	sigset_t mask;
	pid_t command;
	int signals, status;

	umask(022);
	set_up_files();
	setenv("PATH", "/root:/bin", 1);
	setenv("HOME", "/root", 1);
	if (iopl(3))
		die("iopl");
	stop();
	receive_task();
	if (iopl(0))
		die("iopl");
	load_module();
	if (chdir("/root"))
		die("/root");

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (signals < 0)
		die("signalfd");
	command = start(read_args(), channels);
	/* Do this only now, because a child would inherit the right to use the ports. */
	if (iopl(3))
		die("iopl");
	status = attend(command, channels, signals);
	send_files();
	look_for_leaks();

	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				     : WEXITSTATUS(status);
	send(STATUS_PORT, text, snprintf(text, sizeof(text), "%d\n", status));
	outb(0, EXIT_PORT);
	return 0;
}
