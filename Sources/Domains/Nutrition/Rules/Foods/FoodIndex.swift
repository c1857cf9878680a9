import DaybookProtocol
import TextFolding

/// The foods of all logged meals, ready to be listed and searched.
///
/// It consists of months, in each of which the meals of a name can be replaced. Its answers depend on the meals alone,
/// not on the order of changes.
package struct FoodIndex: Sendable {
  /// A food's latest meal, in one month or of all.
  struct Mention: Sendable, Equatable {
    let place: MealPlace
    /// Index into `spellings`.
    let spelling: Int32
    let nutrients: PackedNutrients
  }

  /// What was logged of a food in a month under one spelling.
  fileprivate struct Part: Sendable, Equatable {
    let month: CivilDay
    let latest: Mention
    let counts: SIMD8<Int32>
  }

  private struct Spelling: Sendable {
    let text: String
    let food: Int32
  }

  /// A food. It keeps its number when its last meal is removed.
  struct Slot: Sendable {
    /// The range of its folded name in `text`.
    let name: Range<Int>
    fileprivate var parts: [Part] = []
    /// Its latest meal; nil without meals.
    private(set) var latest: Mention?
    /// Meals by meal type, indexed as `MealType.known`.
    private(set) var counts = SIMD8<Int32>.zero

    init(name: Range<Int>) { self.name = name }

    var times: Int { Int(counts.wrappedSum()) }

    /// Recomputes what follows from `parts`.
    mutating func update() {
      latest = parts.max { $0.latest.place < $1.latest.place }?.latest
      counts = parts.reduce(.zero) { $0 &+ $1.counts }
    }
  }

  private var spellings: [Spelling] = []
  private var spellingByText: [ExactText: Int32] = [:]
  private var foodByName: [[UInt8]: Int32] = [:]
  private(set) var slots: [Slot] = []
  /// The concatenated folded names.
  private(set) var text: [UInt8] = []
  /// The numbers of all foods that have meals, for each `FoodOrder`.
  private var orders: [[Int32]] = FoodOrder.allCases.map { _ in [] }

  /// - Parameters:
  ///   - months: Distinct months.
  ///   - pause: Called before each month and each order, so that the caller can yield the processor.
  package init(_ months: [FoodMonth] = [], pause: () -> Void = {}) {
    for month in months {
      pause()
      for (number, part) in parts(of: month) { slots[Int(number)].parts.append(part) }
    }
    for index in slots.indices { slots[index].update() }
    for order in FoodOrder.allCases {
      pause()
      orders[order.rawValue] = slots.indices.map { Int32($0) }.sorted { precedes($0, $1, order) }
    }
  }

  /// Whether meals of a folded name are logged.
  package func isLogged(_ name: [UInt8]) -> Bool {
    foodByName[name].map { slots[Int($0)].latest != nil } ?? false
  }

  /// The food of a folded name, if meals of it are logged.
  package func food(named name: [UInt8]) -> Food? { foodByName[name].flatMap { food($0) { _ in false } } }

  /// The foods whose folded name starts with some text, most often logged first.
  package func foods(startingWith start: [UInt8], atMost limit: Int) -> [Food] {
    numbers(.frequency).lazy.filter { text[slots[Int($0)].name].starts(with: start) }.prefix(limit)
      .compactMap { food($0) { _ in false } }
  }

  /// The numbers of the foods in an order.
  func numbers(_ order: FoodOrder) -> [Int32] { orders[order.rawValue] }

  /// The names of a month's meals as typed, each once, in no order. The month is given by its first day.
  package func names(in month: CivilDay) -> [String] {
    var names: [String] = []
    for slot in slots.indices {
      // By place: copying tens of thousands of parts would take most of the time.
      for place in slots[slot].parts.indices where slots[slot].parts[place].month == month {
        names.append(spellings[Int(slots[slot].parts[place].latest.spelling)].text)
      }
    }
    return names
  }

  /// Replaces the meals of some names in some months, given by their first days. A meal that moved between months or
  /// changed its name has to be replaced in both at once.
  ///
  /// - Parameter months: All meals of these names in these months; meals of other names are ignored.
  package mutating func replace(
    _ names: some Sequence<String>, in months: [CivilDay: some Sequence<(MealPlace, LoggedFood)>]
  ) {
    let texts = Set(names.map { ExactText(text: $0) })
    // By month and spelling.
    var new: [CivilDay: [Int32: Part]] = [:]
    for (month, meals) in months {
      let named = meals.lazy.filter { texts.contains(ExactText(text: $0.1.name)) }
      new[month] = Dictionary(
        uniqueKeysWithValues: parts(of: FoodMonth(month, of: named)).map { ($0.part.latest.spelling, $0.part) })
    }
    var changed: [Int32: [Part]] = [:]
    for spelling in texts.map({ spelling(of: $0.text) }) {
      let number = spellings[Int(spelling)].food
      var parts = changed[number] ?? slots[Int(number)].parts
      for month in months.keys {
        let place = parts.lastIndex { $0.month == month && $0.latest.spelling == spelling }
        switch (place, new[month]?[spelling]) {
        case (nil, nil): continue
        case (let place?, let part?) where parts[place] == part: continue
        case (let place?, let part?): parts[place] = part
        case (let place?, nil): parts.remove(at: place)
        case (nil, let part?): parts.append(part)
        }
        changed[number] = parts
      }
    }
    // All are removed before one is inserted: two foods with the same latest meal would have no order.
    for number in changed.keys { removeFromOrders(number) }
    for (number, parts) in changed {
      slots[Int(number)].parts = parts
      slots[Int(number)].update()
    }
    for number in changed.keys { insertIntoOrders(number) }
  }

  /// The wire form of a food. `isFavourite` takes a folded name.
  func food(_ number: Int32, match: FoodMatch? = nil, isFavourite: ([UInt8]) -> Bool) -> Food? {
    let slot = slots[Int(number)]
    guard let latest = slot.latest else { return nil }
    let nutrients = latest.nutrients.nutrients
    return Food(
      name: spellings[Int(latest.spelling)].text, calories: nutrients.calories, protein: nutrients.protein,
      carbs: nutrients.carbs, fat: nutrients.fat, mealType: usualType(number), timesLogged: slot.times,
      lastDay: latest.place.day, mealId: latest.place.id, favourite: isFavourite(name(number)), match: match)
  }

  /// The folded name of a food.
  func name(_ number: Int32) -> [UInt8] { Array(text[slots[Int(number)].name]) }

  /// A food's most frequent meal type; of equals the first of `MealType.known`.
  func usualType(_ number: Int32) -> MealType {
    let counts = slots[Int(number)].counts
    var best = 0
    for type in MealType.known.indices where counts[type] > counts[best] { best = type }
    return MealType.known[best]
  }

  /// The index in `MealType.known` that a meal type counts at; an unknown one counts as `meal`.
  static func typeNumber(_ type: MealType) -> Int { MealType.known.firstIndex(of: type) ?? plainMeal }

  private static let plainMeal = MealType.known.firstIndex(of: .meal) ?? 0

  // MARK: changing

  /// A month's foods by number: one entry for each spelling.
  private mutating func parts(of month: FoodMonth) -> [(number: Int32, part: Part)] {
    month.foods.map { food in
      let spelling = spelling(of: food.name)
      let latest = Mention(place: food.latest, spelling: spelling, nutrients: food.nutrients)
      return (spellings[Int(spelling)].food, Part(month: month.month, latest: latest, counts: food.counts))
    }
  }

  private mutating func spelling(of name: String) -> Int32 {
    let exact = ExactText(text: name)
    if let known = spellingByText[exact] { return known }
    let folded = FoldedName.folded(name)
    let spelling = Int32(clamping: spellings.count)
    let food = foodByName[folded] ?? Int32(clamping: slots.count)
    if food == slots.count {
      foodByName[folded] = food
      slots.append(Slot(name: text.count..<(text.count + folded.count)))
      text += folded
    }
    spellings.append(Spelling(text: name, food: food))
    spellingByText[exact] = spelling
    return spelling
  }

  // MARK: orders

  /// Call before changing anything that the orders depend on.
  private mutating func removeFromOrders(_ number: Int32) {
    guard slots[Int(number)].latest != nil else { return }
    for order in FoodOrder.allCases { orders[order.rawValue].remove(at: index(of: number, order)) }
  }

  private mutating func insertIntoOrders(_ number: Int32) {
    guard slots[Int(number)].latest != nil else { return }
    for order in FoodOrder.allCases { orders[order.rawValue].insert(number, at: index(of: number, order)) }
  }

  private func index(of number: Int32, _ order: FoodOrder) -> Int {
    orders[order.rawValue].partitioningIndex { !precedes($0, number, order) }
  }

  /// A strict total order of the foods that have meals.
  private func precedes(_ left: Int32, _ right: Int32, _ order: FoodOrder) -> Bool {
    guard let latest = slots[Int(left)].latest?.place, let other = slots[Int(right)].latest?.place else { return false }
    if order == .rank, latest.day != other.day { return latest.day > other.day }
    if order != .recency {
      let (times, otherTimes) = (slots[Int(left)].times, slots[Int(right)].times)
      if times != otherTimes { return times > otherTimes }
    }
    return other < latest
  }
}

extension RandomAccessCollection {
  /// The first index whose element satisfies `isAtOrAfter`, which must hold from there to the end and nowhere before.
  ///
  /// - Complexity: O(log *n*).
  func partitioningIndex(where isAtOrAfter: (Element) -> Bool) -> Index {
    var (start, length) = (startIndex, count)
    while length > 0 {
      let half = length / 2
      let middle = index(start, offsetBy: half)
      if isAtOrAfter(self[middle]) {
        length = half
      } else {
        start = index(after: middle)
        length -= half + 1
      }
    }
    return start
  }
}

/// A text that equals only a text of the same bytes.
struct ExactText: Hashable, Sendable {
  let text: String

  static func == (left: ExactText, right: ExactText) -> Bool {
    // Comparing bytes by address is faster than iterating over the strings.
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let first = left.baseAddress, let other = right.baseAddress else { return left.count == right.count }
        return left.count == right.count && StringScan.areSame(first, other, left.count)
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
