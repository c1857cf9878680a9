import DaybookProtocol
import Testing

@testable import Habits

@Suite("Suggestions of habits")
struct HabitSuggestionsTests {
  private let all = HabitSuggestions.all

  @Test("There are over seventy distinct suggestions in six categories, then nine examples without one")
  func complete() {
    #expect(all.count == 84)
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(all.allSatisfy { $0.habitId == nil })
    #expect(all.suffix(9).allSatisfy { $0.categoryId == nil && $0.id.hasPrefix("example.") })
    let categories = all.dropLast(9).map(\.categoryId)
    let order = PredefinedCategories.all(at: Instant(milliseconds: 0)).map(\.id)
    #expect(order.allSatisfy { id in categories.filter { $0 == id }.count >= 10 })
    let places = categories.map { id in order.firstIndex { $0 == id } ?? -1 }
    #expect(places == places.sorted() && places.first == 0)
  }

  @Test("Each gives a valid habit, and no two share a name")
  func allowed() {
    let habits = all.enumerated().map { number, suggestion in
      let instant = Instant(milliseconds: 0)
      return Habit(
        id: EntityID(high: 1, low: UInt64(number)), name: suggestion.name, icon: suggestion.icon,
        colour: suggestion.colour, kind: suggestion.kind, measure: suggestion.measure, unit: suggestion.unit,
        target: suggestion.target, schedule: suggestion.schedule, startDay: monday, categoryId: suggestion.categoryId,
        order: 0, source: suggestion.source, suggestionId: suggestion.id, createdAt: instant, updatedAt: instant)
    }
    for habit in habits { #expect(HabitRules.refusal(of: habit) == nil, "\(habit.suggestionId ?? "")") }
    #expect(Set(habits.map(HabitRules.nameKey)).count == habits.count)
    #expect(all.allSatisfy { $0.doc.hasSuffix(".") && $0.id.utf8.count <= 100 && !$0.icon.isEmpty })
  }

  @Test("Some are filled by day measures")
  func sources() {
    #expect(all.compactMap(\.source) == [.water, .weighed, .withinEatingTarget, .protein, .meals, .charges])
  }

  @Test("The nine examples are those of the source")
  func examples() {
    let expected = [
      "example.hydration Hydration 3 bottle #007AFF good", "example.smoking Smoking 3 cigarette #FF9500 bad",
      "example.meditation Meditation 3 session #34C759 good", "example.reading Reading 4 page #FF2D55 good",
      "example.stretching Stretching 10 session #30B0C7 good", "example.chores Chores 6 task #FF3B30 good",
      "example.vocabulary Vocabulary 5 word #5856D6 good",
      "example.stretchingMinutes Stretching 10 minute #A2845E good",
      "example.journaling Journaling 1 entry #32ADE6 good",
    ]
    let found = all.suffix(9).map {
      "\($0.id) \($0.name) \($0.target) \($0.unit ?? "") \($0.colour) \($0.kind.rawValue)"
    }
    #expect(found == expected)
  }
}

@Suite("Predefined categories")
struct PredefinedCategoriesTests {
  private let all = PredefinedCategories.all(at: Instant(milliseconds: 5))

  @Test("They have fixed ids, an order, icons, and weights")
  func fixed() {
    #expect(all.map { "\($0.id)" } == (1...6).map { "a0000000-0000-4000-8000-00000000000\($0)" })
    #expect(all.map(\.name) == ["Health", "Wellness", "Productivity", "Social", "Learning", "Creativity"])
    #expect(all.map(\.icon) == ["💪", "🧘", "⚡", "👥", "📚", "🎨"])
    #expect(all.map(\.order) == [0, 1, 2, 3, 4, 5])
    #expect(
      all.allSatisfy {
        $0.predefined == true && $0.createdAt == Instant(milliseconds: 5) && $0.updatedAt == $0.createdAt
      })
    let weights = all.map { category -> [String] in
      let weights = category.weights
      return [
        weights?.openness, weights?.conscientiousness, weights?.extraversion, weights?.agreeableness,
        weights?.neuroticism,
      ].map { $0.map { "\($0)" } ?? "" }
    }
    #expect(
      weights == [
        ["", "0.6", "", "0.2", "-0.3"], ["0.3", "0.4", "", "0.2", "-0.5"], ["0.1", "0.8", "", "", "-0.2"],
        ["", "0.3", "0.7", "0.6", "-0.3"], ["0.8", "0.5", "0.2", "", "-0.2"], ["0.9", "0.1", "0.3", "", "-0.3"],
      ])
  }
}
