#!/bin/sh
# A sample week: three habits, one of which is filled automatically, and the dashboard after each step.
set -eu
daybook() { command ${DAYBOOK:-daybook} "$@"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ask() { daybook call "$1" "$2" --data "$folder"; }
# One habit a line: its name, state, value, target and streak.
dashboard() {
  ask dashboard/get '{}' | sed 's/{"habit":{/\n&/g' |
    sed -nE 's/.*"name":"([^"]*)".*"value":"([^"]*)".*"target":"([^"]*)","progress".*"state":"([a-zA-Z]*)".*"current":([0-9]*).*/  \1: \4, \2 of \3, streak \5/p'
}

ask habits/add '{"id": "e0000000-0000-4000-8000-000000000001", "name": "Read", "unit": "page", "target": "4", "startDay": "2025-12-29"}' >/dev/null
ask habits/add '{"id": "e0000000-0000-4000-8000-000000000002", "name": "No cigarettes", "kind": "bad", "unit": "cigarette", "startDay": "2026-01-01"}' >/dev/null
ask habits/add '{"id": "e0000000-0000-4000-8000-000000000003", "name": "Drink", "source": "water", "target": "2000", "startDay": "2026-01-01"}' >/dev/null

# The pages read on earlier days, in one change.
for day in 2025-12-31 2026-01-01 2026-01-02 2026-01-03 2026-01-04; do
  printf '{"habitId": "e0000000-0000-4000-8000-000000000001", "day": "%s", "value": "5"}\n' "$day"
done | paste -s -d , - | sed 's/.*/{"entries": [&]}/' | daybook call habitLogs/setMany - --data "$folder" >/dev/null

echo "In the morning:"
dashboard
ask habitLogs/increment '{"habitId": "e0000000-0000-4000-8000-000000000001", "by": "4"}' >/dev/null
ask water/add '{"value": "2", "unit": "l"}' >/dev/null
echo "Four pages and two litres later:"
dashboard
ask habitLogs/increment '{"habitId": "e0000000-0000-4000-8000-000000000002"}' >/dev/null
echo "After a cigarette:"
dashboard
echo "Statistics of reading:"
ask habits/stats '{"id": "e0000000-0000-4000-8000-000000000001"}' | grep -oE '"(current|longest|strength|trend)":("[^"]*"|[0-9]+)' | sed 's/^/  /'
