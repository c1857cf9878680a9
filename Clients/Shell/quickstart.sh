#!/bin/sh
set -eu
daybook() { command ${DAYBOOK:-daybook} "$@"; }

daybook call meals/add '{"name": "Porridge", "calories": 350, "mealType": "breakfast"}' >/dev/null
daybook call meals/add '{"name": "Lentil soup", "calories": 420}' >/dev/null
daybook call days/get | grep -o '"text":"[^"]*"'

printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"meals/list"}' |
  daybook --no-handshake
