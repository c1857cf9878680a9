import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Habits

@Suite("A personality profile derived from habits")
struct PersonalityTests {
  private static let today = day("2026-01-30")
  private static let first = day("2026-01-01")
  private static let categories = PredefinedCategories.all(at: Instant(milliseconds: 0))
  private static let full = String(repeating: "x", count: 30)

  private static func category(_ number: UInt64, _ name: String) -> HabitCategory {
    let instant = Instant(milliseconds: 0)
    return HabitCategory(
      id: EntityID(high: 7, low: number), name: name, order: 9, createdAt: instant, updatedAt: instant)
  }

  private struct Entry {
    var category: EntityID?
    var drawing = PersonalityTests.full
    var name = "Habit"
    var archivedDay: CivilDay?
  }

  private func facts(
    _ entries: [Entry], custom: [HabitCategory] = [], logCount: Int = 100, loggedDays: Int = 30, gap: Int = 0
  ) -> Personality {
    let habits = entries.enumerated().map { number, entry in
      (
        Habit(number: number, name: entry.name, category: entry.category, archivedDay: entry.archivedDay),
        HabitTimeline(
          entry.drawing, start: Self.first, archivedDay: entry.archivedDay, today: Self.today)
      )
    }
    return Personality(
      habits: habits, categories: Self.categories + custom, logCount: logCount,
      loggedDays: Set((0..<loggedDays).map { Self.today.advanced(by: -$0 - gap) }), today: Self.today)
  }

  private func result(_ facts: Personality) -> PersonalityGetResult { facts.result(revision: 3) }

  /// Three health habits, one learning and one creativity habit, all met.
  private var entries: [Entry] {
    [0, 0, 0, 4, 5].map { Entry(category: PredefinedCategories.id($0)) }
  }

  @Test("Traits follow from the weights of the categories, and reasons add up to them")
  func traits() throws {
    let result = result(facts(entries))
    #expect((result.from, result.to) == (Self.first, Self.today))
    #expect(result.daysToGo == nil && result.revision == 3 && result.enabled)
    let traits = try #require(result.traits)
    #expect(traits.map(\.trait) == PersonalityTrait.known)
    #expect(traits.map(\.score) == ["0.75", "0.71", "0.57", "0.53", "0.39"].map { Decimal($0) })
    #expect(traits[0].reasons.map(\.amount) == ["0.13", "0.11", "0.01"].map { Decimal($0) })
    #expect(traits[0].reasons.map(\.categoryId) == [PredefinedCategories.id(5), PredefinedCategories.id(4), nil])
    #expect(traits[0].reasons[0].text == "1 habit of “Creativity”, met 100 %, speaks for openness.")
    #expect(traits[4].reasons[0].text == "3 habits of “Health”, met 100 %, speak against neuroticism.")
    #expect(result.dominant == .openness)
    #expect(
      result.insights?.count == 3 && result.insights?[0].hasPrefix("Openness") == true
        && result.insights?[1].hasPrefix("Conscientiousness") == true
        && result.insights?[2].hasPrefix("Most traits") == true)
  }

  @Test("The stored weights are used")
  func stored() {
    var facts = facts(entries)
    facts.categories[0].weights = TraitWeights(extraversion: Decimal(1))
    let traits = result(facts).traits ?? []
    #expect(traits[2].reasons.first?.categoryId == PredefinedCategories.id(0))
    #expect(traits[4].reasons.allSatisfy { $0.categoryId != PredefinedCategories.id(0) })
  }

  @Test("Lower completion weakens traits, and very low completion indicates neuroticism")
  func completion() throws {
    let half = entries.map { Entry(category: $0.category, drawing: String(repeating: "x.", count: 15)) }
    let traits = try #require(result(facts(half)).traits)
    #expect(traits[0].score < Decimal("0.7")! && traits[0].score > Decimal("0.5")!)
    let rare = entries.map { Entry(category: $0.category, drawing: String(repeating: "x....", count: 6)) }
    let weak = try #require(result(facts(rare)).traits)
    #expect(weak[4].score > Decimal("0.5")!)
    #expect(weak[4].reasons.first?.text.hasSuffix("which is less than 30 %.") == true)
    #expect(weak[1].reasons.contains { $0.amount.isNegative && $0.text.hasSuffix("less than half.") })
  }

  @Test("Each gate reports what is needed and what is present")
  func gates() {
    let requirements = result(facts(Array(entries.prefix(4)), loggedDays: 3)).requirements ?? []
    #expect(requirements.map(\.gate) == [.activeHabits, .trackedDays, .completion, .categories])
    #expect(requirements.map(\.needed) == [5, 7, 10, 2])
    #expect(requirements.map(\.present) == [4, 3, 100, 2])
    #expect(requirements.map(\.met) == [false, false, true, true])
    let result = result(facts(Array(entries.prefix(4)), loggedDays: 3))
    #expect(result.traits == nil && result.dominant == nil && result.confidence == nil && result.insights == nil)
    #expect(result.daysToGo == 4)
  }

  @Test("Archived habits, uncategorized habits and deleted categories count for no gate")
  func counted() {
    var entries = entries
    entries[3].archivedDay = Self.today
    entries[4].category = EntityID(high: 99, low: 99)
    #expect(result(facts(entries + [Entry()])).requirements?.map(\.present) == [5, 30, 100, 1])
  }

  @Test(
    "Tracked days are consecutive up to today or yesterday",
    arguments: [(7, 0, 7, nil), (7, 1, 7, nil), (6, 0, 6, 1), (6, 1, 6, 0), (9, 2, 0, 6), (0, 0, 0, 6)]
      as [(Int, Int, Int, Int?)])
  func trackedDays(count: Int, gap: Int, present: Int, daysToGo: Int?) {
    let result = result(facts(entries, loggedDays: count, gap: gap))
    #expect(result.requirements?[1].present == present)
    #expect(result.daysToGo == daysToGo)
  }

  @Test(
    "The days to go for completion are days, not percentage points",
    arguments: [(0, 3), (1, 2), (2, 1), (3, nil)] as [(Int, Int?)])
  func completionToGo(met: Int, daysToGo: Int?) {
    let drawing = String(repeating: "x", count: met) + String(repeating: ".", count: 31 - met)
    let entries = entries.map { Entry(category: $0.category, drawing: drawing) }
    #expect(result(facts(entries)).daysToGo == daysToGo)
  }

  @Test("It is derived from 30 days, including today")
  func window() {
    let habits = facts(entries).habits.map { habit, _ in
      (habit, HabitTimeline("xx" + String(repeating: ".", count: 29), start: Self.first.advanced(by: -1)))
    }
    var facts = facts(entries)
    facts.habits = habits
    // With 31 days, two would be met.
    #expect(result(facts).requirements?[2].present == 3)
  }

  @Test(
    "Confidence follows from the data",
    arguments: [
      (0, "low"), (24, "low"), (25, "medium"), (69, "medium"), (70, "high"), (144, "high"), (145, "veryHigh"),
    ])
  func confidence(logs: Int, expected: String) {
    let result = result(facts(entries, logCount: logs))
    #expect(result.dataPoints == logs + 5)
    #expect(result.confidence?.rawValue == expected)
  }

  @Test("Custom categories count as data, and are classified by their words at half the weight")
  func custom() throws {
    let (band, other) = (Self.category(1, "Friends"), Self.category(2, "Stuff"))
    let entries = [
      Entry(category: band.id, name: "Call somebody"), Entry(category: band.id, name: "Team sports"),
      Entry(category: other.id, name: "Xyz"), Entry(category: other.id, name: "Against stress"),
      Entry(category: other.id, name: "Calm"),
    ]
    let result = result(facts(entries, custom: [band, other], logCount: 0))
    #expect(result.dataPoints == 7)
    let traits = try #require(result.traits)
    #expect(result.dominant == .conscientiousness || result.dominant == .extraversion)
    #expect(traits[2].reasons.first?.categoryId == band.id)
    #expect(
      traits[2].reasons.contains { $0.text == "2 of 5 habits of categories of one's own have to do with others." })
  }

  @Test(
    "Words",
    arguments: [
      ("Read a book", PersonalityTrait.openness, 0.5), ("Xyz", .openness, 0.05), ("Clean up", .conscientiousness, 0.8),
      ("Xyz", .conscientiousness, 0.35), ("Less stress", .neuroticism, 0.5), ("Yoga", .neuroticism, -0.3),
      ("Yoga against stress", .neuroticism, 0.1), ("Xyz", .neuroticism, 0.05),
      ("Help a neighbour", .agreeableness, 0.5),
    ])
  func words(name: String, trait: PersonalityTrait, expected: Double) {
    #expect(abs(PersonalityWords.weight(of: trait, name, completion: 0.9) - expected) < 1e-9)
  }

  @Test("A custom category has half the weight of a predefined one")
  func half() throws {
    let friends = Self.category(1, "Friends")
    let entries =
      [0, 0, 0].map { Entry(category: PredefinedCategories.id($0)) } + [
        Entry(category: friends.id), Entry(category: friends.id),
      ]
    let traits = try #require(result(facts(entries, custom: [friends])).traits)
    // 0.6 of weight 1, (0.05 + 0.3) of weight 0.5 and 0.25 of weight 0.5, over twice the whole weight of 2.
    #expect(traits[1].score == Decimal("0.76"))
    #expect(traits[1].reasons.map(\.amount) == ["0.15", "0.06", "0.05"].map { Decimal($0) })
    #expect(traits[1].reasons.map(\.categoryId) == [PredefinedCategories.id(0), nil, friends.id])
  }

  @Test("No evidence moves a score beyond its bounds")
  func most() throws {
    var facts = facts(entries.map { Entry(category: $0.category, drawing: "xxx" + String(repeating: ".", count: 27)) })
    for index in facts.categories.indices { facts.categories[index].weights = TraitWeights() }
    let traits = try #require(result(facts).traits)
    #expect(traits[4].score == Decimal(1))
    #expect(traits[4].reasons.map(\.amount) == [Decimal("0.5")])
    #expect(result(facts).dominant == .neuroticism)
    #expect(result(facts).insights?.contains("The habits show strain more than anything else.") == true)
  }

  @Test("A rarely met habit alone indicates neuroticism")
  func rarely() {
    #expect(PersonalityWords.weight(of: .neuroticism, "Xyz", completion: 0.2) > 0.3)
    #expect(PersonalityWords.weight(of: .conscientiousness, "Xyz", completion: 0.5) == 0.05)
  }

  @Test("The first of equal traits is dominant; without evidence each score is in the middle")
  func equal() {
    let entries = (0..<5).map { number in Entry(category: PredefinedCategories.id(number % 2)) }
    var facts = facts(entries)
    facts.habits = facts.habits.map { ($0.habit, HabitTimeline(Self.full, start: Self.first)) }
    for index in facts.categories.indices { facts.categories[index].weights = TraitWeights() }
    let traits = result(facts).traits ?? []
    #expect(traits[2].score == Decimal("0.5") && traits[2].reasons.isEmpty)
    #expect(PersonalityWords.ranked(traits).dropFirst(2).map(\.trait) == [.extraversion, .agreeableness, .neuroticism])
  }

  @Test("Parts rounded to hundredths add up to their sum")
  func hundredths() {
    #expect(PersonalityEvidence.hundredths([0.004, 0.004, 0.004]) == [1, 0, 0])
    #expect(PersonalityEvidence.hundredths([-0.004, 0.106]) == [0, 10])
    #expect(PersonalityEvidence.hundredths([]) == [])
  }

  @Test("Random scores are within 0 to 1 and add up from their reasons, the largest first", arguments: 0..<60)
  func byChance(seed: Int) {
    var source = SeededGenerator(seed: 31, number: seed)
    let custom = [Self.category(1, "Friends"), Self.category(2, "Stress and worry"), Self.category(3, "Music")]
    let ids = Self.categories.map(\.id) + custom.map(\.id)
    let names = ["Xyz", "Call", "Read", "Calm", "Plan"]
    let entries = (0..<source.among(5...14)).map { number in
      let density = source.among(2...10)
      return Entry(
        category: number < 2 ? ids[number] : ids[source.below(ids.count)],
        drawing: String((0..<30).map { _ in source.below(10) < density ? "x" : "." }), name: names[source.below(5)])
    }
    let traits = result(facts(entries, custom: custom)).traits ?? []
    #expect(traits.count == 5)
    for trait in traits {
      #expect(trait.score >= .zero && trait.score <= Decimal(1))
      let sum = trait.reasons.reduce(Decimal(significand: 50, scale: 2)!) { $0.adding($1.amount)! }
      #expect(sum == trait.score)
      let amounts = trait.reasons.map { abs($0.amount.double) }
      #expect(amounts == amounts.sorted(by: >) && !amounts.contains(0))
    }
  }
}
