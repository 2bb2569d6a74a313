// SPDX-License-Identifier: GPL-2.0-only
/* setcap CAPABILITIES FILE: set the capabilities of FILE like setcap(8). */
#include <err.h>
#include <stddef.h>
#include <sys/capability.h>

int main(int argc, char **argv)
{
	cap_t capabilities = argc == 3 ? cap_from_text(argv[1]) : NULL;

	if (!capabilities || cap_set_file(argv[2], capabilities))
		err(2, "usage: setcap CAPABILITIES FILE");
	cap_free(capabilities);
	return 0;
}
