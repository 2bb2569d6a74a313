#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# node_exporter reads OpenMetrics as the older text format, and one type of OpenMetrics
# costs it the whole file.
#
# Version:   prometheus-node-exporter 1.5.0-1+b6 (Debian 12), textfile collector
# Expected:  a file of OpenMetrics is either read as such or refused.
# Seen:      # TYPE, # HELP and # UNIT name a family without "_total" there, so that its
#            sample has no type or help for the collector: the counter becomes untyped,
#            its help "Metric read from FILE", and no error is reported. If another
#            family of the file has a type that only OpenMetrics knows, as "info", then
#            nothing of the file is passed on, and node_textfile_scrape_error is 1.
# Meaning:   A file that both formats' readers are to understand has counters and gauges
#            only, and counters keep their type only in the older format.
#
# It needs apt-get with the lists of Debian 12, dpkg, curl, and port 9191 of localhost.
set -eu

VERSION=1.5.0-1+b6
ADDRESS=127.0.0.1:9191

work=$(mktemp -d)
exporter=
stop() {
	[ -z "$exporter" ] || kill "$exporter" 2>/dev/null || true
}
trap 'stop; rm -rf "$work"' EXIT
cd "$work"
apt-get -q download "prometheus-node-exporter=$VERSION" >/dev/null 2>&1
dpkg -x prometheus-node-exporter_*.deb .
mkdir textfile

# The samples of the directory, with their help and type.
passed_on() {
	./usr/bin/prometheus-node-exporter --collector.disable-defaults --collector.textfile \
		--collector.textfile.directory=textfile --web.listen-address=$ADDRESS \
		>log 2>&1 &
	exporter=$!
	tries=0
	until curl -sf "http://$ADDRESS/metrics" >metrics; do
		tries=$((tries + 1))
		[ $tries -lt 50 ]
		sleep 0.2
	done
	stop
	wait "$exporter" 2>/dev/null || true
	exporter=
	grep -E 'clocks|model|^node_textfile_scrape_error' metrics
}

check() {
	if ! cmp -s expected seen; then
		echo "$1: expected, and seen:"
		diff expected seen || true
		exit 1
	fi
	echo "$1:"
	sed 's/^/    /' seen
}

cat >textfile/a.prom <<'END'
# HELP clocks Clocks that were counted.
# TYPE clocks counter
# UNIT clocks clocks
clocks_total{mode="user"} 5
# EOF
END
cat >expected <<'END'
# HELP clocks_total Metric read from textfile/a.prom
# TYPE clocks_total untyped
clocks_total{mode="user"} 5
node_textfile_scrape_error 0
END
passed_on >seen
check "a counter of OpenMetrics is untyped"

sed -i 's/^# EOF/# TYPE model info\nmodel_info{name="a"} 1\n# EOF/' textfile/a.prom
echo 'node_textfile_scrape_error 1' >expected
passed_on >seen
grep -q 'unknown metric type' log
check "with an info beside it, nothing is passed on"
echo "ok"
