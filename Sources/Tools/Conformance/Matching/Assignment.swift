import JSON

/// Messages that arrive in any order, each to be matched by a pattern of its own.
struct Assignment {
  /// Compares one with another.
  let matcher: Matcher
  /// How often a comparison may be tried before the patterns are called too vague.
  private var budget = 100_000

  /// An assignment with its whole budget.
  init(matcher: Matcher) {
    self.matcher = matcher
  }

  /// What is remembered once every pattern has its message; throws when there is no way.
  mutating func match(
    _ messages: [JSONValue], _ patterns: [Pattern], _ bindings: Bindings
  ) throws(Mismatch) -> Bindings {
    var used = [Bool](repeating: false, count: messages.count)
    if let after = assign(patterns[...], messages, &used, bindings) { return after }
    // The pattern that nothing matches tells more than the whole list.
    for (index, pattern) in patterns.enumerated() {
      let differences = messages.compactMap { message -> Mismatch? in
        do throws(Mismatch) { _ = try matcher.match(message, pattern, bindings) } catch { return error }
        return nil
      }
      guard differences.count == messages.count else { continue }
      // The difference that is deepest in is the nearest miss.
      let nearest = differences.max { $0.pointer.utf8.count < $1.pointer.utf8.count }
      throw Mismatch(
        nearest?.pointer ?? "", expected: "\(nearest?.expected ?? "a match") (pattern \(index + 1), the nearest miss)",
        found: nearest?.found ?? "none")
    }
    throw Mismatch("", expected: "each pattern to match a message of its own", found: "no such assignment")
  }

  /// Finds messages for the patterns left, going back where the first choice was wrong.
  private mutating func assign(
    _ patterns: ArraySlice<Pattern>, _ messages: [JSONValue], _ used: inout [Bool], _ bindings: Bindings
  ) -> Bindings? {
    guard let pattern = patterns.first else { return bindings }
    for (index, message) in messages.enumerated() where !used[index] && budget > 0 {
      budget -= 1
      guard let after = try? matcher.match(message, pattern, bindings) else { continue }
      used[index] = true
      if let done = assign(patterns.dropFirst(), messages, &used, after) { return done }
      used[index] = false
    }
    return nil
  }
}
