import DaybookProtocol

/// Weights, habits, workouts and subscriptions. The bodies of workouts are only plausible: the store does not interpret
/// them.
extension Life {
  mutating func appendWeight(to records: inout [GeneratedRecord]) {
    for _ in 0..<count(thousandths: isHoliday ? 150 : 850) {
      guard let weight = Decimal(significand: Int64(weighed()), scale: 1) else { continue }
      let instant = instant(minutes: 405 + random.middling(-40...40))
      let entry = WeightEntry(
        id: newID(), day: day, zone: zone.name, weight: weight, typed: TypedWeight(value: weight, unit: .kg),
        createdAt: instant, updatedAt: instant)
      records.append(
        GeneratedRecord(
          collection: "weights", id: entry.id, day: day, createdAt: instant, updatedAt: instant, schema: 1,
          body: entry.json))
    }
  }

  mutating func appendHabitLogs(to records: inout [GeneratedRecord]) {
    for habit in habits {
      let perDay = isHoliday ? habit.perDay / 2 : habit.perDay
      for _ in 0..<count(thousandths: perDay) { append(habit, to: &records) }
    }
  }

  /// Appends one log of a random habit.
  mutating func appendHabitLog(to records: inout [GeneratedRecord]) {
    if let habit = random.favourite(of: habits) { append(habit, to: &records) }
  }

  private mutating func append(_ habit: Habit, to records: inout [GeneratedRecord]) {
    let value = random.int(habit.values)
    let isNoted = random.chance(perMille: 20)
    let made = instant(minutes: random.middling(380...1380))
    let log = HabitLog(
      id: newID(), day: day, zone: zone.name, habitId: habit.id, value: Decimal(Int64(value)),
      note: isNoted ? "\(habit.name), made up for yesterday" : nil, createdAt: made, updatedAt: changed(after: made))
    records.append(
      GeneratedRecord(
        collection: "habitLogs", id: log.id, day: day, createdAt: made, updatedAt: log.updatedAt, schema: 1,
        body: log.json))
  }

  mutating func appendWorkout(to records: inout [GeneratedRecord]) {
    for _ in 0..<count(thousandths: isHoliday ? 120 : 500) {
      let name = random.favourite(of: Habits.workouts) ?? ""
      let exercises = random.shuffled(Habits.exercises).prefix(random.int(2...4))
      let sets = exercises.map { _ in
        (0..<random.int(2...4)).map { _ in (random.int(4...12), random.int(8...56) * 5 / 2) }
      }
      append("workouts", at: instant(minutes: 1080 + random.middling(-90...90)), to: &records) { writer in
        writer.name("name")
        writer.write(name)
        writer.name("exercises")
        writer.beginArray()
        for (exercise, sets) in zip(exercises, sets) {
          writer.element()
          Life.write(exercise, sets, to: &writer)
        }
        writer.endArray()
      }
    }
  }

  private static func write(_ exercise: String, _ sets: [(repetitions: Int, weight: Int)], to writer: inout JSONWriter)
  {
    writer.beginObject()
    writer.name("exercise")
    writer.write(exercise)
    writer.name("sets")
    writer.beginArray()
    for set in sets {
      writer.element()
      writer.beginObject()
      writer.name("repetitions")
      writer.write(set.repetitions)
      writer.name("weight")
      writer.write("\(set.weight)")
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  /// Appends an occasional new subscription, which has no day.
  mutating func appendSubscription(to records: inout [GeneratedRecord]) {
    for _ in 0..<count(thousandths: 9) {
      guard let (name, category) = random.favourite(of: Habits.subscriptions),
        let amount = Decimal(significand: Int64(random.int(99...5999)), scale: 2)
      else { continue }
      let unit: CycleUnit = random.chance(perMille: 250) ? .year : .month
      let made = instant(minutes: random.int(600...1300))
      let subscription = Subscription(
        id: newID(), name: name, category: category, prices: [SubscriptionPrice(amount: amount, currency: "EUR")],
        cycle: BillingCycle(kind: .recurring, every: 1, unit: unit), anchor: day, start: day, createdAt: made,
        updatedAt: changed(after: made))
      records.append(
        GeneratedRecord(
          collection: "subscriptions", id: subscription.id, day: nil, createdAt: made,
          updatedAt: subscription.updatedAt, schema: 1, body: subscription.json))
    }
  }

  /// Appends a record of the day with the common members and those that `members` writes.
  private mutating func append(
    _ collection: String, at created: Instant, to records: inout [GeneratedRecord],
    _ members: (inout JSONWriter) -> Void
  ) {
    let id = newID()
    let updated = changed(after: created)
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("id")
    id.encode(to: &writer)
    writer.name("day")
    day.encode(to: &writer)
    members(&writer)
    writer.name("createdAt")
    created.encode(to: &writer)
    writer.name("updatedAt")
    updated.encode(to: &writer)
    writer.endObject()
    records.append(
      GeneratedRecord(
        collection: collection, id: id, day: day, createdAt: created, updatedAt: updated, schema: 1,
        body: writer.bytes))
  }
}
