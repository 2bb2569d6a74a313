// SPDX-License-Identifier: GPL-2.0-only
/* What a program counts before main() and behind it */
int main(void)
{
	return 0;
}
