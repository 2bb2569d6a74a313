// SPDX-License-Identifier: GPL-2.0-only
/* This program shows the counts of the code before main() and after it. */
int main(void)
{
	return 0;
}
