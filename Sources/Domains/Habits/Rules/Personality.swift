import DaybookProtocol

/// The personality profile derived from habits: gates, traits with reasons, confidence.
package struct Personality {
  /// The days it is derived from, including today.
  package static let dayCount = 30

  /// All habits; archived ones are ignored.
  package var habits: [(habit: Habit, timeline: HabitTimeline)]
  package var categories: [HabitCategory]
  /// The number of logs in the last 30 days.
  package var logCount: Int
  /// The days with a log.
  package var loggedDays: Set<CivilDay>
  package var today: CivilDay

  package init(
    habits: [(habit: Habit, timeline: HabitTimeline)], categories: [HabitCategory], logCount: Int,
    loggedDays: Set<CivilDay>, today: CivilDay
  ) {
    self.habits = habits
    self.categories = categories
    self.logCount = logCount
    self.loggedDays = loggedDays
    self.today = today
  }

  /// The answer to `personality/get` when the profile is enabled.
  package func result(revision: Int) -> PersonalityGetResult {
    let days = today.advanced(by: 1 - Personality.dayCount)...today
    let active = habits.filter { $0.habit.archivedDay == nil }.map {
      RatedHabit(habit: $0.habit, rate: $0.timeline.rate(days))
    }
    let rate = active.reduce(HabitRate(done: 0, expected: 0)) { $0 + $1.rate }
    let requirements = requirements(active, rate)
    var result = PersonalityGetResult(
      enabled: true, requirements: requirements, from: days.lowerBound, to: days.upperBound, revision: revision)
    guard requirements.allSatisfy(\.met) else {
      result.daysToGo = requirements.lazy.filter { !$0.met }.map { daysToGo($0, rate) }.max()
      return result
    }
    let evidence = PersonalityEvidence(habits: active, categories: categories, rate: rate)
    let traits = evidence.traits()
    result.traits = traits
    result.dominant = PersonalityWords.ranked(traits).first?.trait
    let dataPoints = logCount + active.count + categories.count { $0.predefined != true }
    result.dataPoints = dataPoints
    result.confidence = PersonalityConfidence(dataPoints: dataPoints)
    result.insights = PersonalityWords.insights(traits)
    return result
  }

  /// The gates, in order.
  private func requirements(_ active: [RatedHabit], _ rate: HabitRate) -> [PersonalityRequirement] {
    func gate(_ gate: PersonalityGate, _ needed: Int, _ present: Int) -> PersonalityRequirement {
      PersonalityRequirement(gate: gate, needed: needed, present: present, met: present >= needed)
    }
    let known = Set(categories.map(\.id))
    return [
      gate(.activeHabits, 5, active.count), gate(.trackedDays, 7, trackedDays),
      gate(.completion, 10, rate.percent ?? 0),
      gate(.categories, 2, Set(active.compactMap(\.habit.categoryId)).intersection(known).count),
    ]
  }

  /// The number of consecutive days with a log up to today, or up to yesterday while today has none.
  private var trackedDays: Int {
    var day = loggedDays.contains(today) ? today : today.advanced(by: -1)
    var count = 0
    while loggedDays.contains(day) {
      count += 1
      day = day.advanced(by: -1)
    }
    return count
  }

  /// The least number of days until a gate can be met.
  private func daysToGo(_ requirement: PersonalityRequirement, _ rate: HabitRate) -> Int {
    switch requirement.gate {
    case .trackedDays:
      // Today can still get its log.
      return requirement.needed - requirement.present - (loggedDays.contains(today) ? 0 : 1)
    case .categories: return 3
    case .completion:
      // The days until a tenth of the 30 days' total is met, if everything due from now on is met.
      guard rate.expected > 0 else { return 1 }
      return max(1, ((rate.expected - rate.done * 10) * 3 + rate.expected - 1) / rate.expected)
    case .activeHabits, .unknown: return 1
    }
  }
}

/// A habit and its completion rate in the last 30 days.
struct RatedHabit {
  let habit: Habit
  let rate: HabitRate

  /// The share of due days that were met; nil when none were due.
  var completion: Double? { rate.expected > 0 ? Double(rate.done) / Double(rate.expected) : nil }
}

extension PersonalityConfidence {
  package init(dataPoints: Int) {
    self = dataPoints < 30 ? .low : dataPoints < 75 ? .medium : dataPoints < 150 ? .high : .veryHigh
  }
}
