#!/bin/sh
# A sample month, logged in one run and then queried: days, weeks, weight, expenditure.
set -eu
daybook() { command ${DAYBOOK:-daybook} "$@"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# One request a line: breakfast, lunch and dinner, an occasional snack, weight every other morning. One day is missing,
# one was a fast.
month() {
  awk '
    function random(limit) { seed = (seed * 16807) % 2147483647; return seed % limit }
    function request(method, params) { printf "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}\n", ++id, method, params }
    function meal(type, name, calories, protein) {
      request("meals/add", sprintf("\"day\":\"%s\",\"mealType\":\"%s\",\"name\":\"%s\",\"calories\":%d,\"protein\":\"%d\"",
        day, type, name, calories, protein))
    }
    BEGIN {
      seed = 2026
      breakfasts = split("Porridge,Muesli,Rye bread and cheese,Omelette", breakfast, ",")
      lunches = split("Lentil soup,Caesar salad,Leftover curry,Falafel wrap,Ramen", lunch, ",")
      dinners = split("Spaghetti,Baked salmon and rice,Chili,Vegetable pie,Pizza", dinner, ",")
      for (date = 1; date <= 31; date++) {
        day = sprintf("2026-01-%02d", date)
        if (date % 2) request("weights/add", sprintf("\"day\":\"%s\",\"value\":\"%.1f\"", day, 82.6 - date * 0.07 + (random(9) - 4) / 10))
        if (date == 9) continue
        if (date == 20) { request("days/updateEntry", "\"day\":\"" day "\",\"fasted\":true,\"note\":\"Only water and tea\""); continue }
        meal("breakfast", breakfast[random(breakfasts) + 1], 380 + random(180), 12 + random(12))
        meal("lunch", lunch[random(lunches) + 1], 560 + random(300), 18 + random(20))
        meal("dinner", dinner[random(dinners) + 1], 700 + random(620), 25 + random(25))
        if (random(3) == 0) meal("snack", "Apple and almonds", 180 + random(120), 5)
      }
    }'
}
ask() { daybook call "$1" "$2" --data "$folder"; }
# Members of the result, one a line.
show() { grep -oE "\"($1)\":(\"[^\"]*\"|[^,}]*)" | sed 's/^/  /'; }

if month | daybook --data "$folder" --no-handshake | grep '"error"'; then exit 1; fi

echo "January:"
ask months/get '{"day": "2026-01-31"}' | sed 's/,"days":\[.*//' |
  show 'daysWithData|daysMet|metPercentage|averageCalories|averageDeficit|averageProtein'
echo "The week of the 12th:"
ask weeks/get '{"day": "2026-01-12"}' | show 'averageText|hits|hitPercentage'
echo "The 18th:"
ask days/get '{"day": "2026-01-18"}' | show 'caloriesConsumed|deficitAchieved|text'
echo "Deficit by week:"
ask days/series '{"from": "2026-01-01", "to": "2026-01-31", "bucket": "week"}' | show 'from|deficitAchieved' | paste - -
echo "Weight:"
ask weights/trend '{"from": "2026-01-01", "to": "2026-01-31"}' | show 'trend' | sed -n '1p;$p'
echo "Measured expenditure:"
ask energy/expenditure '{"day": "2026-02-01", "days": 1}' | sed 's/,"series":.*//' |
  show 'expenditure|uncertainty|confidence'
