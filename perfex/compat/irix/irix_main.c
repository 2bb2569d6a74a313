// SPDX-License-Identifier: GPL-2.0-only
/* perfex.irix works like perfex of IRIX 6.5, on vpmc, as perfex.irix(1) describes. */
#include "irix_events.h"
#include "irix_file.h"
#include "irix_run.h"

static int count(struct vpmc *vpmc, const struct irix_options *options,
		 struct command *command)
{
	static struct irix_output output;
	struct events events;
	int status, failure;

	output.options = options;
	output.events = &events;
	status = irix_choose_events(vpmc, options, &events, &output.left_out);
	if (!status)
		status = irix_open_output(&output);
	if (status)
		return status;
	status = irix_count(vpmc, &output, command);
	failure = irix_close_output(&output);
	return status ? status : failure;
}

static int print_table(struct vpmc *vpmc, const struct irix_options *options)
{
	struct perfexint_costs costs;
	int status = irix_load_costs(vpmc_pmu_of(vpmc), options, &costs);

	if (status)
		return status;
	perfexint_write_costs(stdout, &costs);
	return irix_close_file(stdout, "standard output");
}

int main(int argc, char **argv)
{
	static struct irix_options options;
	struct command command = { .has_ended = false };
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	if (!argc)
		return PERFEX_USAGE;
	status = irix_parse_options(&options, argv);
	if (status)
		return status;
	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	status = options.table ? print_table(vpmc, &options)
			       : count(vpmc, &options, &command);
	vpmc_close(vpmc);
	return status || !command.has_ended ? status : exit_status(&command);
}
