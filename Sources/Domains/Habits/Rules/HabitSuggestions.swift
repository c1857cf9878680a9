import DaybookProtocol

/// The predefined categories.
package enum PredefinedCategories {
  private typealias Row = (name: String, icon: String, weights: TraitWeights)

  private static let rows: [Row] = [
    ("Health", "💪", weights(conscientiousness: 60, agreeableness: 20, neuroticism: -30)),
    ("Wellness", "🧘", weights(openness: 30, conscientiousness: 40, agreeableness: 20, neuroticism: -50)),
    ("Productivity", "⚡", weights(openness: 10, conscientiousness: 80, neuroticism: -20)),
    ("Social", "👥", weights(conscientiousness: 30, extraversion: 70, agreeableness: 60, neuroticism: -30)),
    ("Learning", "📚", weights(openness: 80, conscientiousness: 50, extraversion: 20, neuroticism: -20)),
    ("Creativity", "🎨", weights(openness: 90, conscientiousness: 10, extraversion: 30, neuroticism: -30)),
  ]

  /// All predefined categories in order, as first stored.
  package static func all(at now: Instant) -> [HabitCategory] {
    rows.enumerated().map { order, row in
      HabitCategory(
        id: id(order), name: row.name, icon: row.icon, order: order, predefined: true, weights: row.weights,
        createdAt: now,
        updatedAt: now)
    }
  }

  /// The fixed id of a predefined category, 0…5.
  static func id(_ place: Int) -> EntityID {
    EntityID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_0001 &+ UInt64(truncatingIfNeeded: place))
  }

  private static func weights(
    openness: Int64? = nil, conscientiousness: Int64? = nil, extraversion: Int64? = nil, agreeableness: Int64? = nil,
    neuroticism: Int64? = nil
  ) -> TraitWeights {
    func weight(_ hundredths: Int64?) -> Decimal? {
      hundredths.flatMap { Decimal(significand: $0, scale: 2)?.normalized }
    }
    return TraitWeights(
      openness: weight(openness), conscientiousness: weight(conscientiousness), extraversion: weight(extraversion),
      agreeableness: weight(agreeableness), neuroticism: weight(neuroticism))
  }
}

/// Suggested habits.
package enum HabitSuggestions {
  /// All suggestions by category, then nine without one. Ids are unique; `habitId` is never set.
  package static let all: [HabitSuggestion] =
    [health, wellness, productivity, social, learning, creativity].enumerated().flatMap { place, suggestions in
      suggestions.map {
        var suggestion = $0
        suggestion.categoryId = PredefinedCategories.id(place)
        return suggestion
      }
    } + examples

  /// - Parameter source: The name of the day measure that logs it; the habit has none where no domain offers it.
  static func row(
    _ id: String, _ icon: String, _ colour: Colour, _ name: String, _ target: Int64 = 1, _ unit: String? = nil,
    _ schedule: HabitSchedule = .daily, isBad: Bool = false, from source: String? = nil, doc: String
  ) -> HabitSuggestion {
    HabitSuggestion(
      id: id, name: name, icon: icon, colour: colour.rawValue, kind: isBad ? .bad : .good,
      measure: unit == nil ? .binary : .numeric, unit: unit, target: Decimal(target), schedule: schedule,
      source: DayMeasureName.known.first { $0.rawValue == source }, doc: doc)
  }

  enum Colour: String {
    case blue = "#007AFF"
    case orange = "#FF9500"
    case green = "#34C759"
    case pink = "#FF2D55"
    case mint = "#00C7BE"
    case purple = "#AF52DE"
    case yellow = "#FFCC00"
    case red = "#FF3B30"
    case teal = "#30B0C7"
    case indigo = "#5856D6"
    case brown = "#A2845E"
    case gray = "#8E8E93"
    case cyan = "#32ADE6"
  }
}

extension HabitSchedule {
  fileprivate static let daily = HabitSchedule(kind: .daily)
  static let workdays = HabitSchedule(kind: .weekdays, weekdays: [.monday, .tuesday, .wednesday, .thursday, .friday])
  static let sundays = HabitSchedule(kind: .weekdays, weekdays: [.sunday])

  static func perWeek(_ times: Int) -> HabitSchedule { HabitSchedule(kind: .perWeek, times: times) }

  static func perMonth(_ times: Int) -> HabitSchedule { HabitSchedule(kind: .perMonth, times: times) }

  static func every(_ days: Int) -> HabitSchedule { HabitSchedule(kind: .everyDays, days: days) }
}
