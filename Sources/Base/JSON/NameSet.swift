/// Member names compared by code points: to JSON, composed and decomposed “é” are two names.
struct NameSet {
  /// A name with bytewise equality.
  private struct Exact: Hashable {
    let text: String

    static func == (left: Exact, right: Exact) -> Bool { NameSet.areSame(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// The first names; comparing a few is faster than hashing.
  private var few: [String] = []
  private var many: Set<Exact> = []

  /// Inserts a name; false for a duplicate.
  mutating func insert(_ name: String) -> Bool {
    if many.isEmpty {
      if few.contains(where: { NameSet.areSame($0, name) }) { return false }
      few.append(name)
      if few.count > 16 { many = Set(few.map { Exact(text: $0) }) }
      return true
    }
    return many.insert(Exact(text: name)).inserted
  }

  /// Whether two names have the same code points. Swift's faster canonical comparison tells most apart.
  static func areSame(_ left: String, _ right: String) -> Bool {
    left == right && left.utf8.elementsEqual(right.utf8)
  }
}
