# SPDX-License-Identifier: GPL-2.0-only
#
# shellcheck shell=bash
#
# This script completes perfex(1) in bash: options of "perfex --help=all", events and metrics of
# "perfex -l", groups of "perfex --groups", and the words of the command as if it were typed
# without perfex.

# Print the part of "perfex --help=all" in front of the text of each option.
_perfex_heads()
{
	"$1" --help=all 2>/dev/null | sed -n 's/^  *\(-.*\)/\1/p' | sed 's/  .*//'
}

# Print the options, one per line; with "takes", only the options that take an argument.
_perfex_options()
{
	_perfex_heads "$1" | if [ "$2" = takes ]; then grep ' [A-Z[]'; else cat; fi |
		grep -oE -- '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,'
}

# Print the name of the argument of option $2.
_perfex_argument()
{
	_perfex_heads "$1" | grep -E -- "(^|, )$2(,|[[]| |\$)" | sed 's/.*--[a-z-]*[[ ]*//'
}

# Print events and metrics. The line of a metric begins with "-", and has a unit and a formula.
# Other lines that begin with "-" are of events that cannot be counted.
_perfex_events()
{
	"$1" -l 2>/dev/null | sed -n -e 's/^0x[^ ]* *[^ ]* *\([^ ]*\).*/\1/p' \
		-e 's/^- *- *\([^ ]*\)  *[^ ]* = .*/\1/p' | sort -u
}

_perfex_groups()
{
	"$1" --groups 2>/dev/null | sed -n 's/^\([A-Za-z0-9_.-]*\)  .*/\1/p'
}

# Complete $1, the typed part of a list with commas. $2 has the possible elements.
_perfex_complete_list()
{
	local list=
	case $1 in
	*,*) list=${1%,*}, ;;
	esac
	mapfile -t COMPREPLY < <(compgen -P "$list" -W "$2" -- "${1##*,}")
	# A comma or a mode may follow.
	compopt -o nospace 2>/dev/null
}

_perfex_complete_events()
{
	case $1 in
	@*)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -P @ -f -- "${1#@}")
		return ;;
	esac
	_perfex_complete_list "$1" "$(_perfex_events "$perfex")"
}

# Complete the argument of option $1. $2 is its typed part.
_perfex_complete_argument()
{
	case $(_perfex_argument "$perfex" "$1") in
	EVENT,*) _perfex_complete_events "$2" ;;
	GROUP,*) _perfex_complete_list "$2" "$(_perfex_groups "$perfex") help" ;;
	PID,*) _perfex_complete_list "$2" "$(cd /proc && compgen -G '[0-9]*')" ;;
	TID)
		mapfile -t COMPREPLY < <(cd /proc && compgen -G '[0-9]*/task/[0-9]*' |
			sed 's/.*task.//' | grep "^$2") ;;
	PATH)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "${2:-/sys/fs/cgroup/}") ;;
	FILE | FIFO*)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
	esac
}

# Complete the command that begins with word $1; with --compare, the last command.
_perfex_complete_command()
{
	local i

	case " ${COMP_WORDS[*]:0:$1} " in
	*" --compare "*)
		for ((i = $1; i < COMP_CWORD; i++)); do
			[ "${COMP_WORDS[i]}" = :: ] && set -- $((i + 1))
		done ;;
	esac
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [ "$COMP_CWORD" -eq "$1" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}" | sort -u)
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	fi
}

# Complete a file of --merge, or the command.
_perfex_complete_words()
{
	if [ "$1" ]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	else
		_perfex_complete_command "$COMP_CWORD"
	fi
}

_perfex()
{
	local perfex=$1 current=${COMP_WORDS[COMP_CWORD]} takes option='' list='' merge='' i

	COMPREPLY=()
	takes=" $(_perfex_options "$perfex" takes | tr '\n' ' ')"
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--)
			_perfex_complete_command $((i + 1))
			return ;;
		# bash makes separate words of these, which follow an event and an option.
		: | =) ((i++)) ;;
		-l | --list) list=yes option='' ;;
		--merge) merge=yes option='' ;;
		-*)
			option=
			case $takes in
			*" ${COMP_WORDS[i]} "*) option=${COMP_WORDS[i++]} ;;
			esac
			# bash makes three words of --option=ARGUMENT.
			[ "$option" ] && [ "$i" -lt "$COMP_CWORD" ] && [ "${COMP_WORDS[i]}" = = ] && ((i++)) ;;
		*)
			[ "$list$merge" ] && continue
			_perfex_complete_command "$i"
			return ;;
		esac
	done
	case ${COMP_WORDS[COMP_CWORD - 1]}$current in
	:*,*) _perfex_complete_events "$current" ;;
	:* | *:) mapfile -t COMPREPLY < <(compgen -W 'u k uk' -- "${current#:}") ;;
	--regions=* | --help=*)
		option=${COMP_WORDS[COMP_CWORD - 1]}
		mapfile -t COMPREPLY < <(compgen -W "$(_perfex_argument "$perfex" "$option" |
			tr '=|]' '   ')" -- "${current#=}") ;;
	*)
		if [ "$i" -gt "$COMP_CWORD" ]; then
			_perfex_complete_argument "$option" "${current#=}"
		elif [ "$list" ]; then
			_perfex_complete_events "$current"
		elif [ "${current:0:1}" = - ]; then
			mapfile -t COMPREPLY < <(compgen -W "$(_perfex_options "$perfex")" -- "$current")
		else
			_perfex_complete_words "$merge"
		fi ;;
	esac
}

complete -o default -F _perfex perfex
