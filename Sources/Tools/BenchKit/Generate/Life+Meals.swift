import DaybookProtocol

extension Life {
  /// Appends the day's meals: 3 to 5, of several foods each.
  mutating func appendMeals(to records: inout [GeneratedRecord]) {
    guard !isGap() else { return }
    // Sometimes everything is logged late in the evening or the next morning.
    let late = random.chance(perMille: 70) ? (random.chance(perMille: 200) ? 1440 + 450 : 1330) : nil
    let shift = isWeekend || isHoliday ? 70 : 0
    let occasions: [(MealType, [Food], Int)] = [
      (.breakfast, breakfast, 440 + shift), (.lunch, meals, 750 + shift / 2), (.dinner, meals, 1140),
    ]
    var all = occasions
    let extra = random.int(0...2)
    if extra > 0 { all.append((.snack, snacks, 950)) }
    if extra > 1 { all.append((.snack, snacks, 1290)) }
    for (type, foods, minutes) in all {
      let items = count(thousandths: random.int(type == .snack ? 1000...3000 : 2000...5000))
      let start = minutes + random.middling(-45...45)
      for item in 0..<items {
        guard let food = random.favourite(of: foods) else { continue }
        append(food, type, of: items, at: instant(minutes: (late ?? start) + item / 2), to: &records)
      }
    }
  }

  private mutating func append(
    _ food: Food, _ type: MealType, of items: Int, at instant: Instant, to records: inout [GeneratedRecord]
  ) {
    // In quarters of a portion; larger in winter, smaller when a meal has many items.
    let portion = [4, 4, 4, 4, 4, 3, 5, 6, 2, 8][random.int(0...9)] * (1000 + season / 2) * 2 / min(max(items, 2), 8)
    func part(_ amount: Int) -> Int { amount * portion / 4000 }
    let knowsMacros = random.chance(perMille: 820)
    func grams(_ tenths: Int) -> Decimal? {
      knowsMacros ? Decimal(significand: Int64(part(tenths)), scale: 1) : nil
    }
    let note = random.chance(perMille: 60) ? random.favourite(of: Foods.notes) : nil
    let meal = Meal(
      id: newID(), day: day, zone: zone.name, name: food.name, calories: part(food.calories),
      mealType: random.chance(perMille: 30) ? .meal : type, protein: grams(food.protein), carbs: grams(food.carbs),
      fat: grams(food.fat), note: note, createdAt: instant, updatedAt: changed(after: instant))
    records.append(
      GeneratedRecord(
        collection: "meals", id: meal.id, day: day, createdAt: meal.createdAt, updatedAt: meal.updatedAt, schema: 2,
        body: meal.json))
  }
}
