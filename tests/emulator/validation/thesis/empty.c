// SPDX-License-Identifier: GPL-2.0-only
/* This program shows what is counted before main() and after it. */
int main(void)
{
	return 0;
}
