import DaybookProtocol

/// Evidence for and against traits, and the resulting scores.
///
/// The evidence for a trait has a weighted mean of −1 to 1. It is mapped to 0 to 1 and pulled towards the middle in
/// proportion to the weight that it lacks against the best-supported trait. A score is thus 0.5 plus the amounts of its
/// reasons.
struct PersonalityEvidence {
  /// A piece of evidence for or against a trait.
  struct Item {
    let categoryId: EntityID?
    var value: Double
    var weight: Double
    /// The sentence for it, given whether it supports the trait.
    let text: (_ isFor: Bool) -> String
  }

  private var items: [PersonalityTrait: [Item]] = [:]

  init(habits: [RatedHabit], categories: [HabitCategory], rate: HabitRate) {
    for category in categories {
      let own = habits.filter { $0.habit.categoryId == category.id && $0.completion != nil }
      if !own.isEmpty { add(own, of: category) }
    }
    addCompletion(rate, habits.count)
    addDiversity(habits, categories)
    addCompany(habits, categories)
  }

  /// Adds the habits of a category, equally weighted. Predefined categories have trait weights; habits of others are
  /// classified by their names, at half the weight.
  private mutating func add(_ habits: [RatedHabit], of category: HabitCategory) {
    let isKnown = category.weights != nil
    let part = (isKnown ? 1 : 0.5) / Double(habits.count)
    let rate = habits.reduce(HabitRate(done: 0, expected: 0)) { $0 + $1.rate }
    for trait in PersonalityTrait.known {
      var (value, weight) = (0.0, 0.0)
      for habit in habits {
        let completion = habit.completion ?? 0
        let says =
          category.weights.map { $0[trait] }
          ?? PersonalityWords.weight(of: trait, "\(category.name) \(habit.habit.name)", completion: completion)
        guard says != 0 else { continue }
        value += says * min(max(completion, 0.1), 1) * part
        weight += part
      }
      guard weight > 0 else { continue }
      let text = PersonalityWords.reason(category.name, habits.count, rate.percent ?? 0, trait)
      items[trait, default: []].append(Item(categoryId: category.id, value: value, weight: weight, text: text))
    }
  }

  /// Meeting more than half of what was due indicates conscientiousness, less than 30 % neuroticism.
  private mutating func addCompletion(_ rate: HabitRate, _ habitCount: Int) {
    guard rate.expected > 0 else { return }
    let share = Double(rate.done) / Double(rate.expected)
    let percent = rate.percent ?? 0
    items[.conscientiousness, default: []].append(
      Item(categoryId: nil, value: (share - 0.5) * 0.5, weight: 0.5) { isFor in
        "\(percent) % of all that was due was met, which is \(isFor ? "more" : "less") than half."
      })
    guard share < 0.3 else { return }
    let severity = (0.3 - share) / 0.3
    let many = min(Double(habitCount) / 5, 2)
    items[.neuroticism, default: []].append(
      Item(categoryId: nil, value: (0.5 + 0.5 * severity) * many, weight: 0.7 * many) { _ in
        "\(percent) % of all that was due was met, which is less than 30 %."
      })
  }

  /// Habits of many categories indicate openness.
  private mutating func addDiversity(_ habits: [RatedHabit], _ categories: [HabitCategory]) {
    let count = Set(habits.compactMap(\.habit.categoryId)).intersection(categories.map(\.id)).count
    guard count > 1 else { return }
    let share = min(Double(count) / 6, 1)
    items[.openness, default: []].append(
      Item(categoryId: nil, value: 0.075 * share, weight: 0.15) { _ in "The habits are of \(count) categories." })
  }

  /// Social habits of custom categories indicate extraversion.
  private mutating func addCompany(_ habits: [RatedHabit], _ categories: [HabitCategory]) {
    var names: [EntityID: String] = [:]
    for category in categories where category.weights == nil { names[category.id] = category.name }
    let own = habits.compactMap { habit in
      habit.habit.categoryId.flatMap { names[$0] }.map { "\($0) \(habit.habit.name)" }
    }
    let social = own.count { PersonalityWords.matches($0, .extraversion) }
    guard social > 0 else { return }
    items[.extraversion, default: []].append(
      Item(categoryId: nil, value: Double(social) / Double(own.count) * 0.25, weight: 0.25) { _ in
        "\(social) of \(own.count) habits of categories of one's own \(social == 1 ? "has" : "have") to do with others."
      })
  }

  /// The traits, in order.
  func traits() -> [TraitScore] {
    let most = PersonalityTrait.known.map { weight($0) }.max() ?? 0
    return PersonalityTrait.known.map { trait in
      let items = items[trait] ?? []
      let (value, weight) = (items.reduce(0) { $0 + $1.value }, weight(trait))
      guard weight > 0, most > 0 else { return TraitScore(trait: trait, score: .half, reasons: []) }
      // An amount beyond the total weight is removed from all items in proportion.
      let scale = (abs(value) > weight ? weight / abs(value) : 1) / (2 * most)
      let amounts = PersonalityEvidence.hundredths(items.map { $0.value * scale })
      let reasons = zip(items, amounts).filter { $0.1 != 0 }.map { item, amount in
        (amount, TraitReason(categoryId: item.categoryId, amount: .hundredths(amount), text: item.text(amount > 0)))
      }
      return TraitScore(
        trait: trait, score: .hundredths(50 + amounts.reduce(0, +)),
        reasons: reasons.sorted { abs($0.0) > abs($1.0) }.map(\.1))
    }
  }

  private func weight(_ trait: PersonalityTrait) -> Double { (items[trait] ?? []).reduce(0) { $0 + $1.weight } }

  /// Rounds parts to hundredths so that they add up to the rounded total, by largest remainder.
  static func hundredths(_ parts: [Double]) -> [Int] {
    let exact = parts.map { min(max($0, -1), 1) * 100 }
    var amounts = exact.map { Int($0.rounded(.down)) }
    let missing = Int(exact.reduce(0, +).rounded()) - amounts.reduce(0, +)
    let order = exact.indices.sorted { exact[$0] - Double(amounts[$0]) > exact[$1] - Double(amounts[$1]) }
    for index in order.prefix(max(0, missing)) { amounts[index] += 1 }
    return amounts
  }
}

extension TraitWeights {
  fileprivate subscript(trait: PersonalityTrait) -> Double {
    let weight: Decimal? =
      switch trait {
      case .openness: openness
      case .conscientiousness: conscientiousness
      case .extraversion: extraversion
      case .agreeableness: agreeableness
      case .neuroticism: neuroticism
      case .unknown: nil
      }
    return weight?.double ?? 0
  }
}

extension Decimal {
  fileprivate static let half = hundredths(50)

  fileprivate static func hundredths(_ count: Int) -> Decimal {
    (Decimal(significand: Int64(count), scale: 2) ?? .zero).normalized
  }
}
