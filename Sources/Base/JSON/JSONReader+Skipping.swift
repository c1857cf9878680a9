/// Names of members that are kept while their objects are read.
final class KeptNames {
  /// Names of the unknown members of the objects being read, by the offset of the object, one inside the other. No dictionary:
  /// there are few, and making its type costs a start more than all it reads.
  private var unknown: [(start: Int, names: NameSet)] = []
  /// Names seen in the objects being skipped.
  var skipped: [SkippedName] = []
  /// The arrays and objects being skipped, one inside the other.
  var levels: [SkippedLevel] = []

  /// Notes an unknown name of an object; false when it is there already.
  func insert(_ name: String, of object: Int) -> Bool {
    guard let place = unknown.lastIndex(where: { $0.start == object }) else {
      var names = NameSet()
      let isNew = names.insert(name)
      unknown.append((object, names))
      return isNew
    }
    return unknown[place].names.insert(name)
  }

  /// Forgets the names of an object that was read.
  func forget(_ object: Int) { unknown.removeAll { $0.start == object } }
}

/// The name of a member passed over: where it stands, and a hash of its bytes.
struct SkippedName {
  let start: Int
  let end: Int
  let hasEscapes: Bool
  let hash: UInt64
}

/// The names of an object's first members, without memory of their own.
struct FirstNames {
  /// Up to eight.
  var count = 0
  var starts = SIMD8<Int>.zero
  var ends = SIMD8<Int>.zero
  var hashes = SIMD8<UInt64>.zero

  /// In the order in which they stand.
  var all: some Collection<SkippedName> {
    (0..<count).lazy.map { SkippedName(start: starts[$0], end: ends[$0], hasEscapes: false, hash: hashes[$0]) }
  }
}

/// An array or object that is being passed over.
struct SkippedLevel {
  let isObject: Bool
  /// Where its names begin among all that are kept.
  let base: Int
  /// Its names, once they are many.
  var many: NameSet?
}

extension JSONReader {
  /// Passes over the next value, checking everything that a decoder would: grammar, UTF-8, depth, duplicate members.
  package mutating func skipValue() throws(JSONError) {
    skipWhitespace()
    guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "a value") }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "{"):
      var names = FirstNames()
      if try !skipPlainMembers(&names) { try skipContainer(after: names) }
    case UInt8(ascii: "["): try skipContainer(after: nil)
    default: try skipScalar(byte)
    }
  }

  /// Passes over an object of at most eight members, none of which is an array or an object: most params are such. True at its end; false
  /// behind the name of the first member that has to be handled with the names before it at hand.
  private mutating func skipPlainMembers(_ names: inout FirstNames) throws(JSONError) -> Bool {
    try enter()
    position &+= 1
    while try nextName(isFirst: names.count == 0) {
      guard names.count < 8, !nameHasEscapes, position < end else { return false }
      let byte = bytes[position]
      guard byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") else { return false }
      let hash = hash(nameStart, nameEnd, false)
      guard !any(names.hashes .== hash) else { return false }
      (names.starts[names.count], names.ends[names.count], names.hashes[names.count]) = (nameStart, nameEnd, hash)
      names.count &+= 1
      try skipScalar(byte)
    }
    return true
  }

  /// A value that is neither array nor object, and begins with `byte`.
  @inline(__always)
  private mutating func skipScalar(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
    default: throw JSONError(.syntax, at: position, expected: "a value")
    }
  }

  /// An array or object with all inside it; without recursion, as texts nest deep and some threads have small stacks. With `names`, the
  /// rest of an object: the name of a member has just been read, and these stand before it.
  private mutating func skipContainer(after names: FirstNames?) throws(JSONError) {
    let kept = self.kept
    let bottom = kept.levels.count
    if let names {
      kept.levels.append(SkippedLevel(isObject: true, base: kept.skipped.count, many: nil))
      kept.skipped.append(contentsOf: names.all)
    } else {
      try open(kept)
    }
    var isFirst = true
    var hasName = names != nil
    while kept.levels.count > bottom {
      let last = kept.levels.count &- 1
      var isNext = true
      if !hasName {
        isNext = try kept.levels[last].isObject ? nextName(isFirst: isFirst) : nextElement(isFirst: isFirst)
      }
      hasName = false
      guard isNext else {
        let level = kept.levels.removeLast()
        kept.skipped.removeLast(kept.skipped.count &- level.base)
        isFirst = false
        continue
      }
      if kept.levels[last].isObject, !allowsDuplicates { try noteName(last, kept) }
      skipWhitespace()
      guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "a value") }
      let byte = bytes[position]
      isFirst = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
      if isFirst { try open(kept) } else { try skipScalar(byte) }
    }
  }

  /// Enters the array or object that is next.
  private mutating func open(_ kept: KeptNames) throws(JSONError) {
    let isObject = bytes[position] == UInt8(ascii: "{")
    try enter()
    position &+= 1
    kept.levels.append(SkippedLevel(isObject: isObject, base: kept.skipped.count, many: nil))
  }

  /// Whether there is a further member, whose name and colon are then read; leaves the object at its end.
  private mutating func nextName(isFirst: Bool) throws(JSONError) -> Bool {
    var object = JSONObjectCursor(start: position)
    object.isFirst = isFirst
    return try nextMember(&object)
  }

  /// Takes down the name just read as one of the object at that level; throws when the object has it already.
  private mutating func noteName(_ level: Int, _ kept: KeptNames) throws(JSONError) {
    if kept.levels[level].many != nil {
      let name = memberName
      if kept.levels[level].many?.insert(name) == false { throw duplicate() }
      return
    }
    let base = kept.levels[level].base
    let name = SkippedName(
      start: nameStart, end: nameEnd, hasEscapes: nameHasEscapes, hash: hash(nameStart, nameEnd, nameHasEscapes))
    for other in kept.skipped[base...] where other.hash == name.hash {
      if isSame(name, other) { throw duplicate() }
    }
    kept.skipped.append(name)
    if kept.skipped.count &- base > 64 {
      var names = NameSet()
      for other in kept.skipped[base...] {
        _ = names.insert(decode(other.start, other.end, hasEscapes: other.hasEscapes))
      }
      kept.levels[level].many = names
    }
  }

  /// Whether two names are the same code points.
  private func isSame(_ left: SkippedName, _ right: SkippedName) -> Bool {
    guard left.hasEscapes || right.hasEscapes else {
      return left.end &- left.start == right.end &- right.start
        && UnsafeRawBufferPointer(rebasing: text[left.start..<left.end])
          .elementsEqual(UnsafeRawBufferPointer(rebasing: text[right.start..<right.end]))
    }
    return NameSet.areSame(
      decode(left.start, left.end, hasEscapes: left.hasEscapes),
      decode(right.start, right.end, hasEscapes: right.hasEscapes))
  }

  /// FNV-1a over the decoded bytes of a name.
  private func hash(_ start: Int, _ stop: Int, _ hasEscapes: Bool) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    if hasEscapes {
      for byte in decode(start, stop, hasEscapes: true).utf8 { mix(byte) }
    } else {
      for index in start..<stop { mix(bytes[index]) }
    }
    return hash
  }
}
