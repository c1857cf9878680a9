#!/bin/sh
# A sample workout: a plan with a superset, and a session in which every call is a separate process, so that all state is
# in the data folder.
set -eu
daybook() { command ${DAYBOOK:-daybook} "$@"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ask() { daybook call "$1" "$2" --data "$folder"; }
# The current step: the exercise, the set, and how many there are.
step() {
  sed -nE 's/.*"step":\{.*"name":"([^"]*)","number":([0-9]*),"of":([0-9]*).*/  next: \1, set \2 of \3/p'
}
bench=0000000c-0001-0001-0001-000000000001
row=0000000c-0002-0001-0001-000000000002
plan=b0000000-0000-4000-8000-000000000001

ask workouts/add "{\"id\": \"$plan\", \"name\": \"Monday\", \"exercises\": [
  {\"id\": \"b1000000-0000-4000-8000-000000000001\", \"exerciseId\": \"$bench\", \"groups\": [{\"sets\": 2, \"target\": {\"weight\": \"60\", \"reps\": 8}}]},
  {\"id\": \"b1000000-0000-4000-8000-000000000002\", \"exerciseId\": \"$row\", \"groups\": [{\"sets\": 3, \"target\": {\"weight\": \"50\", \"reps\": 10}}]}]}" >/dev/null
ask supersets/make "{\"workoutId\": \"$plan\", \"exerciseIds\": [\"b1000000-0000-4000-8000-000000000001\", \"b1000000-0000-4000-8000-000000000002\"]}" >/dev/null

echo "The session begins:"
ask workoutSession/start "{\"workoutId\": \"$plan\"}" | step
for values in '{"reps": 8}' '{}' '{"weight": "62.5", "reps": 6}' '{}'; do
  ask workoutSession/logSet "{\"values\": $values}" | step
done
echo "A second session is refused:"
ask workoutSession/start '{}' 2>&1 | grep -o 'is already running' | sed 's/^/  Monday /' || true
ask workoutSession/logSet '{}' >/dev/null
echo "It ends:"
ask workoutSession/end '{"feeling": 8}' | grep -oE '"feeling":[0-9]+' | sed 's/^/  /'
ask training/overview '{}' | grep -oE '"(sessions|sets|volume|streak)":("[^"]*"|[0-9]+)' | head -4 | sed 's/^/  /'
echo "A second time, heavier, sets records:"
ask workoutSession/start "{\"workoutId\": \"$plan\"}" >/dev/null
for _ in 1 2 3 4 5; do ask workoutSession/logSet '{"values": {"weight": "70", "reps": 8}}' >/dev/null; done
ask workoutSession/end '{}' | grep -oE '"records":\[.*' | grep -oE '"exercise":"[^"]*"[^}]*"kind":"weight","value":"[^"]*"' | sed -E 's/"exercise":"([^"]*)".*"value":"([^"]*)"/  \1: \2 kg/'
