import CivilTime
import DaybookProtocol
import Values

/// All foods there are, by what was logged of them, ready to be listed and searched. It says the same as computing it from all
/// meals would, in any order of changes; dropping it changes no answer.
package struct FoodIndex: Sendable {
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
    /// Its meals, oldest first.
    var meals: [EntityID] = []
    /// Where the last of them stands.
    var latest: MealPlace
    /// How often it was which meal of the day, by place in `MealType.known`.
    var counts = SIMD8<Int32>(repeating: 0)
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

  package init() {}

  /// The same out of meals, each once.
  ///
  /// - Complexity: Some tenths of a microsecond a meal if they come newest or oldest first.
  package init(_ meals: some Sequence<(MealPlace, LoggedFood)>) {
    entries.reserveCapacity(meals.underestimatedCount)
    var places: [[MealPlace]] = []
    for (place, food) in meals {
      let number = Int(enter(place, food))
      if number == places.count { places.append([]) }
      places[number].append(place)
    }
    for (number, unsorted) in places.enumerated() {
      // They mostly come newest first.
      var places = Array(unsorted.reversed())
      if zip(places, places.dropFirst()).contains(where: { $1 < $0 }) { places.sort() }
      slots[number].meals = places.map(\.id)
      if let last = places.last { slots[number].latest = last }
    }
    for order in FoodOrder.allCases {
      orders[order.rawValue] = slots.indices.map { Int32($0) }.sorted { precedes($0, $1, order) }
    }
  }

  /// Whether meals of a folded name are known.
  package func isLogged(_ name: [UInt8]) -> Bool {
    foodByName[name].map { !slots[Int($0)].meals.isEmpty } ?? false
  }

  /// How many foods there are.
  package var count: Int { orders[0].count }

  /// The numbers of the foods in an order.
  func numbers(_ order: FoodOrder) -> [Int32] { orders[order.rawValue] }

  /// Takes a meal in, in the place of what was known under its id.
  package mutating func put(_ place: MealPlace, _ food: LoggedFood) {
    remove(place.id)
    let number = enter(place, food)
    withdraw(number)
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

  /// What is told of a food. `isFavourite` says whether there is a favourite of a folded name.
  func food(_ number: Int32, match: FoodMatch? = nil, isFavourite: ([UInt8]) -> Bool) -> Food? {
    let slot = slots[Int(number)]
    guard let entry = entries[slot.latest.id] else { return nil }
    let nutrients = entry.nutrients.nutrients
    return Food(
      name: spellings[Int(entry.spelling)].text, calories: nutrients.calories, protein: nutrients.protein,
      carbs: nutrients.carbs, fat: nutrients.fat, mealType: usualType(number), timesLogged: slot.meals.count,
      lastDay: slot.latest.day, mealId: slot.latest.id, favourite: isFavourite(Array(text[slot.name])), match: match)
  }

  /// Which meal of the day it mostly was; of equals the first.
  func usualType(_ number: Int32) -> MealType {
    let counts = slots[Int(number)].counts
    var best = 0
    for type in MealType.known.indices where counts[type] > counts[best] { best = type }
    return MealType.known[best]
  }

  // MARK: changing

  /// Notes everything of a meal but its place among those of its food, whose number is returned.
  private mutating func enter(_ place: MealPlace, _ food: LoggedFood) -> Int32 {
    let spelling = spelling(of: food.name, place)
    let number = spellings[Int(spelling)].food
    let type = MealType.known.firstIndex(of: food.mealType) ?? FoodIndex.notSaid
    entries[place.id] = Entry(
      spelling: spelling, type: UInt8(type), day: place.day, createdAt: place.createdAt,
      nutrients: PackedNutrients(food.nutrients))
    slots[Int(number)].counts[type] &+= 1
    return number
  }

  /// What a meal counts as that is of a kind not known here.
  private static let notSaid = MealType.known.firstIndex(of: .meal) ?? 0

  private mutating func spelling(of name: String, _ place: MealPlace) -> Int32 {
    let exact = ExactText(text: name)
    if let known = spellingByText[exact] { return known }
    let folded = FoodName.folded(name)
    let spelling = Int32(clamping: spellings.count)
    let food = foodByName[folded] ?? Int32(clamping: slots.count)
    if food == slots.count {
      foodByName[folded] = food
      slots.append(Slot(name: text.count..<(text.count + folded.count), latest: place))
      text += folded
    }
    spellings.append(Spelling(text: name, food: food))
    spellingByText[exact] = spelling
    return spelling
  }

  private func place(of id: EntityID) -> MealPlace {
    let entry = entries[id]
    return MealPlace(
      day: entry?.day ?? CivilDay.allowed.lowerBound, createdAt: entry?.createdAt ?? Instant(milliseconds: 0), id: id)
  }

  /// Where a meal stands, or has to be inserted, among others.
  private func rank(of place: MealPlace, among meals: [EntityID]) -> Int {
    FoodIndex.lowerBound(meals) { self.place(of: $0) < place }
  }

  // MARK: orders

  /// Takes a food out of all orders, before anything of it changes that they go by.
  private mutating func withdraw(_ number: Int32) {
    guard !slots[Int(number)].meals.isEmpty else { return }
    for order in FoodOrder.allCases {
      let index = FoodIndex.lowerBound(orders[order.rawValue]) { precedes($0, number, order) }
      orders[order.rawValue].remove(at: index)
    }
  }

  /// Puts a food that has meals where it belongs.
  private mutating func arrange(_ number: Int32) {
    guard let last = slots[Int(number)].meals.last else { return }
    slots[Int(number)].latest = place(of: last)
    for order in FoodOrder.allCases {
      let index = FoodIndex.lowerBound(orders[order.rawValue]) { precedes($0, number, order) }
      orders[order.rawValue].insert(number, at: index)
    }
  }

  /// Whether one food comes before another; of two different ones, one does.
  private func precedes(_ left: Int32, _ right: Int32, _ order: FoodOrder) -> Bool {
    let (latest, other) = (slots[Int(left)].latest, slots[Int(right)].latest)
    if order == .rank, latest.day != other.day { return latest.day > other.day }
    if order != .recency {
      let (times, otherTimes) = (slots[Int(left)].meals.count, slots[Int(right)].meals.count)
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
private struct ExactText: Hashable, Sendable {
  let text: String

  static func == (left: ExactText, right: ExactText) -> Bool {
    // By address, for the iterators of strings are slow.
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in right.withUTF8 { left.count == $0.count && left.elementsEqual($0) } }
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
