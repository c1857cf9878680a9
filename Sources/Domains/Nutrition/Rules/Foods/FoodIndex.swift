import CivilTime
import DaybookProtocol
import JSON
import Values

/// All foods there are, by what was logged of them, ready to be listed and searched. It says the same as computing it from all
/// meals would, in any order of changes; dropping it changes no answer. Months may be known as a whole, and are opened when one of
/// their meals changes.
package struct FoodIndex: Sendable {
  /// What is told of a food: its last meal, or that of a month.
  struct Mention: Sendable {
    var place: MealPlace
    var spelling: Int32
    var nutrients: PackedNutrients
  }

  /// What is kept of a month that is known as a whole, for one name.
  fileprivate struct Part: Sendable {
    let month: CivilDay
    let latest: Mention
    let counts: SIMD8<Int32>
  }

  /// What is kept of a meal.
  private struct Entry: Sendable {
    let spelling: Int32
    let type: UInt8
    let day: CivilDay
    let createdAt: Instant
    let nutrients: PackedNutrients
  }

  /// A name as it was written, and the number of its food.
  private struct Spelling: Sendable {
    let text: String
    let food: Int32
  }

  /// What is kept of a food. One that has no meals any more keeps its number.
  struct Slot: Sendable {
    /// Where its folded name stands in `text`.
    let name: Range<Int>
    /// Its meals in the months that are known meal by meal, oldest first.
    var meals: [EntityID] = []
    /// What it comes to in the others.
    fileprivate var parts: [Part] = []
    /// The last of all its meals.
    var latest: Mention
    /// How often it was which meal of the day, by place in `MealType.known`.
    var counts = SIMD8<Int32>(repeating: 0)

    /// How often it was logged.
    var times: Int { Int(counts.wrappedSum()) }
  }

  private var entries: [EntityID: Entry] = [:]
  private var spellings: [Spelling] = []
  private var spellingByText: [ExactText: Int32] = [:]
  private var foodByName: [[UInt8]: Int32] = [:]
  private(set) var slots: [Slot] = []
  /// The folded names, one behind the other.
  private(set) var text: [UInt8] = []
  /// The numbers of all foods that have meals, for each `FoodOrder`.
  private var orders: [[Int32]] = FoodOrder.allCases.map { _ in [] }
  /// The months that are known as a whole, by their first days, with the foods of each.
  private var closed: [CivilDay: [Int32]] = [:]

  package init() {}

  /// The same out of meals, each once, and of months that have none of these.
  ///
  /// - Parameter pause: Called before each month, each 256th meal, each 64th food and each of the orders, so that the caller can yield
  ///   the processor.
  /// - Complexity: Some tenths of a microsecond a meal if they come newest or oldest first, and a name in a month.
  package init(
    _ meals: some Sequence<(MealPlace, LoggedFood)>, _ months: [FoodMonth] = [], pause: () -> Void = {}
  ) {
    entries.reserveCapacity(meals.underestimatedCount)
    for month in months {
      pause()
      close(month)
    }
    var places: [[MealPlace]] = slots.map { _ in [] }
    for (place, food) in meals {
      if entries.count & 255 == 0 { pause() }
      let number = Int(enter(place, food, spelling(of: food.name)))
      if number == places.count { places.append([]) }
      places[number].append(place)
    }
    for (number, unsorted) in places.enumerated() {
      if number & 63 == 0 { pause() }
      // They mostly come newest first.
      var places = Array(unsorted.reversed())
      if zip(places, places.dropFirst()).contains(where: { $1 < $0 }) { places.sort() }
      slots[number].meals = places.map(\.id)
      slots[number].latest = latest(Int32(number))
    }
    for order in FoodOrder.allCases {
      pause()
      orders[order.rawValue] = slots.indices.map { Int32($0) }.sorted { precedes($0, $1, order) }
    }
  }

  /// Whether meals of a folded name are known.
  package func isLogged(_ name: [UInt8]) -> Bool {
    foodByName[name].map { slots[Int($0)].times > 0 } ?? false
  }

  /// How many foods there are.
  package var count: Int { orders[0].count }

  /// The numbers of the foods in an order.
  func numbers(_ order: FoodOrder) -> [Int32] { orders[order.rawValue] }

  /// Takes a meal in, instead of what was known under its id.
  package mutating func put(_ place: MealPlace, _ food: LoggedFood) {
    remove(place.id)
    let spelling = spelling(of: food.name)
    withdraw(spellings[Int(spelling)].food)
    let number = enter(place, food, spelling)
    let index = rank(of: place, among: slots[Int(number)].meals)
    slots[Int(number)].meals.insert(place.id, at: index)
    arrange(number)
  }

  /// Takes a meal out, if it is known.
  package mutating func remove(_ id: EntityID) {
    guard let entry = entries[id] else { return }
    let number = spellings[Int(entry.spelling)].food
    withdraw(number)
    let index = rank(of: place(of: id), among: slots[Int(number)].meals)
    slots[Int(number)].meals.remove(at: index)
    slots[Int(number)].counts[Int(entry.type)] &-= 1
    entries[id] = nil
    arrange(number)
  }

  /// Whether a month is known as a whole, so that it has to be opened before one of its meals changes.
  package func isClosed(_ month: CivilDay) -> Bool { closed[month] != nil }

  /// Takes in a month meal by meal that was known as a whole.
  package mutating func open(_ month: CivilDay, _ meals: [(MealPlace, LoggedFood)]) {
    guard let before = closed.removeValue(forKey: month) else { return }
    // Those that were known in another month have moved here since.
    for (place, _) in meals { remove(place.id) }
    let spelled = meals.map { spelling(of: $0.1.name) }
    let touched = Set(before).union(spelled.map { spellings[Int($0)].food })
    for number in touched {
      withdraw(number)
      for part in slots[Int(number)].parts where part.month == month { slots[Int(number)].counts &-= part.counts }
      slots[Int(number)].parts.removeAll { $0.month == month }
    }
    for ((place, food), spelling) in zip(meals, spelled) {
      let number = enter(place, food, spelling)
      slots[Int(number)].meals.append(place.id)
    }
    for number in touched {
      slots[Int(number)].meals = slots[Int(number)].meals.sorted { place(of: $0) < place(of: $1) }
      arrange(number)
    }
  }

  /// Takes in a month as a whole, before the orders are made.
  private mutating func close(_ month: FoodMonth) {
    var numbers: [Int32] = []
    numbers.reserveCapacity(month.foods.count)
    for food in month.foods {
      let spelling = spelling(of: food.name)
      let number = spellings[Int(spelling)].food
      // A food that was written in several ways has a part for each.
      if slots[Int(number)].parts.last?.month != month.month { numbers.append(number) }
      let latest = Mention(place: food.latest, spelling: spelling, nutrients: food.nutrients)
      slots[Int(number)].parts.append(Part(month: month.month, latest: latest, counts: food.counts))
      slots[Int(number)].counts &+= food.counts
    }
    closed[month.month] = numbers
  }

  /// What is told of a food. `isFavourite` says whether there is a favourite of a folded name.
  func food(_ number: Int32, match: FoodMatch? = nil, isFavourite: ([UInt8]) -> Bool) -> Food? {
    let slot = slots[Int(number)]
    guard slot.times > 0 else { return nil }
    let (latest, nutrients) = (slot.latest.place, slot.latest.nutrients.nutrients)
    return Food(
      name: spellings[Int(slot.latest.spelling)].text, calories: nutrients.calories, protein: nutrients.protein,
      carbs: nutrients.carbs, fat: nutrients.fat, mealType: usualType(number), timesLogged: slot.times,
      lastDay: latest.day, mealId: latest.id, favourite: isFavourite(Array(text[slot.name])), match: match)
  }

  /// The folded name of a food.
  func name(_ number: Int32) -> [UInt8] { Array(text[slots[Int(number)].name]) }

  /// Which meal of the day it mostly was; of equals the first.
  func usualType(_ number: Int32) -> MealType {
    let counts = slots[Int(number)].counts
    var best = 0
    for type in MealType.known.indices where counts[type] > counts[best] { best = type }
    return MealType.known[best]
  }

  // MARK: changing

  /// Notes everything of a meal but its place among those of its food, whose number is returned.
  private mutating func enter(_ place: MealPlace, _ food: LoggedFood, _ spelling: Int32) -> Int32 {
    let number = spellings[Int(spelling)].food
    let type = FoodIndex.typeNumber(food.mealType)
    entries[place.id] = Entry(
      spelling: spelling, type: UInt8(type), day: place.day, createdAt: place.createdAt,
      nutrients: PackedNutrients(food.nutrients))
    slots[Int(number)].counts[type] &+= 1
    return number
  }

  /// The place in `MealType.known` that a meal counts at; one of a kind not known here counts as one of which none was said.
  static func typeNumber(_ type: MealType) -> Int { MealType.known.firstIndex(of: type) ?? notSaid }

  private static let notSaid = MealType.known.firstIndex(of: .meal) ?? 0

  private mutating func spelling(of name: String) -> Int32 {
    let exact = ExactText(text: name)
    if let known = spellingByText[exact] { return known }
    let folded = FoodName.folded(name)
    let spelling = Int32(clamping: spellings.count)
    let food = foodByName[folded] ?? Int32(clamping: slots.count)
    if food == slots.count {
      foodByName[folded] = food
      slots.append(Slot(name: text.count..<(text.count + folded.count), latest: FoodIndex.nothing))
      text += folded
    }
    spellings.append(Spelling(text: name, food: food))
    spellingByText[exact] = spelling
    return spelling
  }

  /// What stands for the last meal of a food that has none.
  private static let nothing = Mention(
    place: MealPlace(
      day: CivilDay.allowed.lowerBound, createdAt: Instant(milliseconds: 0), id: EntityID(high: 0, low: 0)),
    spelling: 0,
    nutrients: PackedNutrients(Nutrients(calories: 0)))

  private func place(of id: EntityID) -> MealPlace {
    let entry = entries[id]
    return MealPlace(
      day: entry?.day ?? CivilDay.allowed.lowerBound, createdAt: entry?.createdAt ?? Instant(milliseconds: 0), id: id)
  }

  /// The last meal of a food that has any.
  private func latest(_ number: Int32) -> Mention {
    let slot = slots[Int(number)]
    var latest = slot.meals.last.flatMap { id in
      entries[id].map { Mention(place: place(of: id), spelling: $0.spelling, nutrients: $0.nutrients) }
    }
    for part in slot.parts where latest.map({ $0.place < part.latest.place }) ?? true { latest = part.latest }
    return latest ?? FoodIndex.nothing
  }

  /// Where a meal stands, or has to be inserted, among others.
  private func rank(of place: MealPlace, among meals: [EntityID]) -> Int {
    FoodIndex.lowerBound(meals) { self.place(of: $0) < place }
  }

  // MARK: orders

  /// Takes a food out of all orders, before anything of it changes that they go by.
  private mutating func withdraw(_ number: Int32) {
    guard slots[Int(number)].times > 0 else { return }
    for order in FoodOrder.allCases {
      let index = FoodIndex.lowerBound(orders[order.rawValue]) { precedes($0, number, order) }
      orders[order.rawValue].remove(at: index)
    }
  }

  /// Puts a food that has meals where it belongs.
  private mutating func arrange(_ number: Int32) {
    guard slots[Int(number)].times > 0 else { return }
    slots[Int(number)].latest = latest(number)
    for order in FoodOrder.allCases {
      let index = FoodIndex.lowerBound(orders[order.rawValue]) { precedes($0, number, order) }
      orders[order.rawValue].insert(number, at: index)
    }
  }

  /// Whether one food comes before another; of two different ones, one does.
  private func precedes(_ left: Int32, _ right: Int32, _ order: FoodOrder) -> Bool {
    let (latest, other) = (slots[Int(left)].latest.place, slots[Int(right)].latest.place)
    if order == .rank, latest.day != other.day { return latest.day > other.day }
    if order != .recency {
      let (times, otherTimes) = (slots[Int(left)].times, slots[Int(right)].times)
      if times != otherTimes { return times > otherTimes }
    }
    return other < latest
  }

  /// The first place at which `isBefore` does not hold; it holds up to there and nowhere behind.
  private static func lowerBound<Element>(_ elements: [Element], _ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A text that is equal only to one of the same bytes.
struct ExactText: Hashable, Sendable {
  let text: String

  static func == (left: ExactText, right: ExactText) -> Bool {
    // By address, for the iterators of strings are slow.
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
