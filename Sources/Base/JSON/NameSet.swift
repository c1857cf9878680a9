/// Names of members, told apart by their code points: to JSON “é” and “e” with an accent after it are two names.
struct NameSet {
  /// A name that equals only the same bytes.
  private struct Exact: Hashable {
    let text: String

    static func == (left: Exact, right: Exact) -> Bool { NameSet.areSame(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// The first few, which are quicker to compare than to hash.
  private var few: [String] = []
  private var many: Set<Exact> = []

  /// Takes a name in; false when it is there already.
  mutating func insert(_ name: String) -> Bool {
    if many.isEmpty {
      if few.contains(where: { NameSet.areSame($0, name) }) { return false }
      few.append(name)
      if few.count > 16 { many = Set(few.map { Exact(text: $0) }) }
      return true
    }
    return many.insert(Exact(text: name)).inserted
  }

  /// Whether two names have the same code points. Most differ to Swift's own, quicker comparison already.
  static func areSame(_ left: String, _ right: String) -> Bool {
    left == right && left.utf8.elementsEqual(right.utf8)
  }
}
