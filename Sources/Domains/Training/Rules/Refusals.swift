import DaybookProtocol

// Refusals shared by several rules.

extension Refusal {
  /// Refuses a name without visible characters.
  package static func name(_ name: String) -> Refusal? {
    name.isVisible ? nil : Refusal("/name", .missing, "the name has no visible characters", allowed: "a name")
  }

  /// Refuses more than `most` things.
  static func tooMany(_ count: Int?, _ things: String = "", most: Int, _ pointer: String = "") -> Refusal? {
    guard let count, count > most else { return nil }
    return Refusal(
      pointer, .length, "there are \(count)" + (things.isEmpty ? "" : " " + things), allowed: "at most \(most)")
  }

  /// Refuses the first repeated key; nil keys are ignored.
  ///
  /// - Parameter member: The pointer of the key within its element.
  static func repeated<Key: Hashable>(
    _ keys: [Key?], _ member: String = "", in pointer: String = "", _ message: String = "it occurs twice"
  ) -> Refusal? {
    var seen: Set<Key> = []
    let place = keys.firstIndex { key in key.map { !seen.insert($0).inserted } ?? false }
    return place.map { Refusal("\(pointer)/\($0)\(member)", .repeated, message, allowed: "each once") }
  }

  /// Refuses a repeated id.
  static func repeatedID(_ ids: [EntityID?]) -> Refusal? { repeated(ids, "/id", "the id occurs twice") }

  /// The first problem that did not exist before; nil for none. A problem whose index has shifted, as elements were
  /// inserted or removed before it, is not new.
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

  /// Throws a refusal unless it is nil.
  static func check(_ refusal: Refusal?) throws(Refusal) {
    if let refusal { throw refusal }
  }

  /// Throws a refusal unless a condition holds.
  static func check(
    _ isMet: Bool, _ pointer: String, _ rule: Refusal.Rule, _ message: @autoclosure () -> String,
    allowed: @autoclosure () -> String
  ) throws(Refusal) {
    guard isMet else { throw Refusal(pointer, rule, message(), allowed: allowed()) }
  }

  /// The result of `body`; `place` is added to the pointers of its refusals.
  static func inside<Value>(_ place: String, _ body: () throws(Refusal) -> Value) throws(Refusal) -> Value {
    do throws(Refusal) { return try body() } catch { throw error.inside(place) }
  }
}

extension Array {
  /// Maps the elements; `place` and the index are added to the pointers of refusals.
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
