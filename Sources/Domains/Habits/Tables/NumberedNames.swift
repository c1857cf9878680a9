import DaybookProtocol
import Habits

/// The names of a table's habits, where equal ones are told apart by numbers, such as “Run” and “Run (2)”.
///
/// A habit that says the same as a known one of its name has that one's number; then those go together that differ least;
/// and only among what is left the order of the table decides. So a habit keeps its number when the table lists the
/// habits in another order, or no longer lists one of them.
struct NumberedNames {
  /// How much a habit of the table says otherwise than a known one, and how much the same.
  struct Difference {
    let differing: Int
    let agreeing: Int
  }

  /// The numbered names of the keys, by the order of the table.
  private(set) var all: [String: String] = [:]
  /// The keys of each name whose numbers the content can change, with the names they can have: first their own.
  private var groups: [(keys: [String], names: [String])] = []
  private let finder: HabitFinder

  /// Beyond this many comparisons of one name the order of the table decides.
  private static let most = 10_000

  /// - Parameter entries: The habits of the table in order: what identifies them in it, and their names.
  init(_ entries: [(key: String, name: String)], _ finder: HabitFinder) {
    self.finder = finder
    var distinct = DistinctNames()
    var places: [String: Int] = [:]
    for (key, name) in entries {
      let numbered = distinct.distinct(name)
      all[key] = numbered
      let place = places[HabitNames.fold(name)] ?? groups.count
      if place == groups.count {
        places[HabitNames.fold(name)] = place
        groups.append(([], []))
      }
      groups[place].keys.append(key)
      groups[place].names.append(numbered)
    }
    for (place, group) in groups.enumerated() {
      guard let name = group.names.first else { continue }
      groups[place].names += NumberedNames.others(name, distinct, finder)
    }
    groups.removeAll { $0.names.count < 2 || $0.keys.count > NumberedNames.most / $0.names.count }
  }

  /// The further numbers of a name that earlier imports gave to habits and this table does not.
  private static func others(_ name: String, _ used: DistinctNames, _ finder: HabitFinder) -> [String] {
    var others: [String] = []
    for number in 2...most {
      let numbered = DistinctNames.numbered(name, number)
      if used.contains(numbered) { continue }
      guard finder.imported(numbered).habit != nil else { break }
      others.append(numbered)
    }
    return others
  }

  /// The keys whose numbers the content can change.
  var doubtful: Set<String> { Set(groups.lazy.flatMap(\.keys)) }

  /// The known habits that these can be.
  var habits: Set<EntityID> { Set(groups.lazy.flatMap(\.names).compactMap { known($0)?.id }) }

  private func known(_ name: String) -> Habit? { finder.imported(name).habit ?? finder.called(name) }

  /// Gives equal names the numbers of the known habits that say the same.
  ///
  /// - Parameter difference: How the habit of a key differs from a known one; nil where nothing can be compared.
  mutating func match(_ difference: (String, Habit) -> Difference?) {
    for (keys, names) in groups {
      var pairs: [(key: Int, name: Int, cost: [Int])] = []
      for (place, name) in names.enumerated() {
        guard let habit = known(name) else { continue }
        for (index, key) in keys.enumerated() {
          guard let found = difference(key, habit) else { continue }
          // A number that the table does not give needs the same content.
          if place >= keys.count, found.differing > 0 || found.agreeing == 0 { continue }
          let cost = [found.differing, -found.agreeing, index == place ? 0 : 1, place, index]
          pairs.append((index, place, cost))
        }
      }
      pairs.sort { $0.cost.lexicographicallyPrecedes($1.cost) }
      var (free, left) = (Set(names.indices), Set(keys.indices))
      for pair in pairs where free.contains(pair.name) && left.contains(pair.key) {
        all[keys[pair.key]] = names[pair.name]
        free.remove(pair.name)
        left.remove(pair.key)
      }
      for (key, name) in zip(left.sorted(), free.sorted()) { all[keys[key]] = names[name] }
    }
  }
}

/// Makes equal names distinct by appending numbers.
struct DistinctNames {
  private var used: Set<String> = []

  /// - Parameter used: Names already in use.
  init(_ used: [String] = []) { self.used = Set(used.map(HabitNames.fold)) }

  func contains(_ name: String) -> Bool { used.contains(HabitNames.fold(name)) }

  /// The name, with a number appended when it is in use.
  mutating func distinct(_ name: String) -> String {
    var (candidate, number) = (name, 1)
    while !used.insert(HabitNames.fold(candidate)).inserted {
      number += 1
      candidate = DistinctNames.numbered(name, number)
    }
    return candidate
  }

  static func numbered(_ name: String, _ number: Int) -> String { "\(name) (\(number))" }
}
