#!/bin/sh
# Sample subscriptions, added in one run and then queried. Charges are counted from an anchor day, so month ends recur.
set -eu
daybook() { command ${DAYBOOK:-daybook} "$@"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ask() { daybook call "$1" "$2" --data "$folder"; }
# Members of the result, one a line.
show() { grep -oE "\"($1)\":(\"[^\"]*\"|[^,}]*)" | sed 's/^/  /'; }

# One request a line: name, price, currency, category, cycle, and an anchor day.
list() {
  awk -F '|' '{
    printf "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"subscriptions/add\",\"params\":{\"name\":\"%s\",\"amount\":\"%s\",\"currency\":\"%s\",\"category\":\"%s\",\"cycle\":{\"kind\":\"recurring\",\"every\":%d,\"unit\":\"%s\"},\"anchor\":\"%s\"}}\n", NR, $1, $2, $3, $4, $5, $6, $7
  }' <<END
Films|15.49|USD|streaming|1|month|2026-01-31
Newspaper|29.90|EUR|news|4|week|2026-01-10
Storage|19.99|USD|cloud|1|year|2024-02-29
END
}

if list | daybook --data "$folder" --no-handshake | grep '"error"'; then exit 1; fi

echo "The first half of the year:"
ask charges/list '{"from": "2026-01-01", "to": "2026-06-30"}' | sed 's/,"total":.*//' | show 'name|day' | paste - -
echo "All of it:"
ask charges/list '{"from": "2026-01-01", "to": "2026-06-30"}' | sed 's/.*,"totals"://' | show 'amount|currency' | paste - -
echo "A month:"
ask overview/get '{}' | sed 's/,"monthlyAfterTrials":.*//' | show 'amount|currency' | paste - -
echo "An amount as it was typed:"
ask amounts/parse '{"text": "1.234,56 €", "locale": "de-DE"}' | show 'amount|currency' | paste - -
