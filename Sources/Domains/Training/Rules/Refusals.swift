import DaybookProtocol
import Values

// What several rules of training refuse in the same words.

extension Refusal {
  /// A name that cannot be seen; nil for one that can.
  package static func name(_ name: String) -> Refusal? {
    name.isVisible ? nil : Refusal("/name", .missing, "the name cannot be seen", allowed: "a name")
  }

  /// More things than so many; nil for fewer.
  static func tooMany(_ count: Int?, _ things: String = "", most: Int, _ pointer: String = "") -> Refusal? {
    guard let count, count > most else { return nil }
    return Refusal(
      pointer, .length, "there are \(count)" + (things.isEmpty ? "" : " " + things), allowed: "at most \(most)")
  }

  /// The first that is there twice; nil for none. What is nil is passed over.
  ///
  /// - Parameter member: The member of an element that it is, if it is none itself.
  static func repeated<Key: Hashable>(
    _ keys: [Key?], _ member: String = "", in pointer: String = "", _ message: String = "it is there twice"
  ) -> Refusal? {
    var seen: Set<Key> = []
    let place = keys.firstIndex { key in key.map { !seen.insert($0).inserted } ?? false }
    return place.map { Refusal("\(pointer)/\($0)\(member)", .repeated, message, allowed: "each once") }
  }

  /// An identity that is there twice; nil for none.
  static func repeatedID(_ ids: [EntityID?]) -> Refusal? { repeated(ids, "/id", "the id is there twice") }

  /// The first problem that there was not before; nil for none. Behind what was added or taken away a problem has another index than
  /// before, and is the same.
  package static func firstNew(_ problems: [Refusal], since before: [Refusal]) -> Refusal? {
    func place(_ problem: Refusal) -> [Substring] { problem.pointer.split(separator: "/").filter { Int($0) == nil } }
    let (now, old) = (Set(problems.map(\.pointer)), Set(before.map(\.pointer)))
    var moved = Dictionary(grouping: before.filter { !now.contains($0.pointer) }, by: place).mapValues(\.count)
    return problems.first { problem in
      guard !old.contains(problem.pointer) else { return false }
      moved[place(problem), default: 0] -= 1
      return moved[place(problem), default: 0] < 0
    }
  }

  /// Throws a refusal, if there is one.
  static func check(_ refusal: Refusal?) throws(Refusal) {
    if let refusal { throw refusal }
  }

  /// The result of `body`, which works on the value at a place.
  static func inside<Value>(_ place: String, _ body: () throws(Refusal) -> Value) throws(Refusal) -> Value {
    do throws(Refusal) { return try body() } catch { throw error.inside(place) }
  }
}

extension Array {
  /// What `body` makes of each element; the array is at a place.
  func mapped<Value>(
    inside place: String, _ body: (Element) throws(Refusal) -> Value
  ) throws(Refusal) -> [Value] {
    var values: [Value] = []
    for (index, element) in enumerated() {
      values.append(try Refusal.inside("\(place)/\(index)") { () throws(Refusal) in try body(element) })
    }
    return values
  }
}
