/// Member names recorded while their objects are read, to detect duplicates.
final class KeptNames {
  /// The unknown members of the objects being read, by the object's offset. An array, because there are few, and
  /// instantiating a dictionary type costs more at start than all it reads.
  private var unknown: [(start: Int, names: NameSet)] = []
  /// Names seen in the objects being skipped.
  var skipped: [SkippedName] = []
  /// The nested arrays and objects being skipped.
  var levels: [SkippedLevel] = []

  /// Records an unknown name of an object; false for a duplicate.
  func insert(_ name: String, of object: Int) -> Bool {
    guard let place = unknown.lastIndex(where: { $0.start == object }) else {
      var names = NameSet()
      let isNew = names.insert(name)
      unknown.append((object, names))
      return isNew
    }
    return unknown[place].names.insert(name)
  }

  /// Drops the names of an object that has been read.
  func forget(_ object: Int) { unknown.removeAll { $0.start == object } }
}

/// The name of a skipped member: its range, and a hash of its bytes.
struct SkippedName {
  let start: Int
  let end: Int
  let hasEscapes: Bool
  let hash: UInt64
}

/// An array or object being skipped.
struct SkippedLevel {
  let isObject: Bool
  /// The index of its first name in `skipped`.
  let base: Int
  /// Its names as a set, once there are many.
  var many: NameSet?
}

extension JSONReader {
  /// Skips the next value with all checks of a decoder: grammar, UTF-8, depth, duplicate members.
  package mutating func skipValue() throws(JSONError) {
    skipWhitespace()
    guard position < end else { throw JSONError(.unexpectedEnd, at: position, expected: "a value") }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "{"):
      let start = position
      if try skipPlainMembers() { return }
      position = start
      try skipContainer()
    case UInt8(ascii: "["): try skipContainer()
    default: try skipScalar(byte)
    }
  }

  /// Fast path: skips an object of one to sixteen scalar members with unescaped names and no white space, as most are.
  /// Returns false with an undefined position for other objects, and when a name may be a duplicate.
  private mutating func skipPlainMembers() throws(JSONError) -> Bool {
    guard depth < JSONReader.maximumDepth else { return false }
    // A Bloom filter with two bits a name.
    var (seen, also): (UInt64, UInt64) = (0, 0)
    for _ in 0..<16 {
      let start = position &+ 2
      guard start < end, bytes[start &- 1] == UInt8(ascii: "\"") else { return false }
      let stop = StringScan.firstSpecial(bytes, from: start, to: end)
      guard stop &+ 2 < end, bytes[stop] == UInt8(ascii: "\""), bytes[stop &+ 1] == UInt8(ascii: ":") else {
        return false
      }
      let middle = (start &+ stop) / 2
      let ends = UInt64(bytes[start]) | UInt64(bytes[middle]) &<< 8 | UInt64(bytes[stop &- 1]) &<< 16
      let hash = (ends | UInt64(truncatingIfNeeded: stop &- start) &<< 24) &* 0xD6E8_FEB8_6659_FD93
      let (bit, other): (UInt64, UInt64) = (1 &<< (hash &>> 58), 1 &<< (hash &>> 52 & 63))
      if seen & bit != 0, also & other != 0 { return false }
      (seen, also) = (seen | bit, also | other)
      position = stop &+ 2
      let byte = bytes[position]
      guard byte > 0x20, byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") else { return false }
      try skipScalar(byte)
      guard position < end, bytes[position] == UInt8(ascii: ",") else { break }
    }
    guard position < end, bytes[position] == UInt8(ascii: "}") else { return false }
    position &+= 1
    return true
  }

  /// Skips a scalar that begins with `byte`.
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

  /// Skips an array or object iteratively: texts nest deeply and some threads have small stacks.
  private mutating func skipContainer() throws(JSONError) {
    let kept = self.kept
    let bottom = kept.levels.count
    try open(kept)
    var isFirst = true
    while kept.levels.count > bottom {
      let last = kept.levels.count &- 1
      guard try kept.levels[last].isObject ? nextName(isFirst: isFirst) : nextElement(isFirst: isFirst) else {
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

  /// Enters the next array or object.
  private mutating func open(_ kept: KeptNames) throws(JSONError) {
    let isObject = bytes[position] == UInt8(ascii: "{")
    try enter()
    position &+= 1
    kept.levels.append(SkippedLevel(isObject: isObject, base: kept.skipped.count, many: nil))
  }

  /// Reads the next member's name and colon; returns false and leaves the object at its end.
  private mutating func nextName(isFirst: Bool) throws(JSONError) -> Bool {
    var object = JSONObjectCursor(start: position)
    object.isFirst = isFirst
    return try nextMember(&object)
  }

  /// Records the name just read in the object at that level; throws on a duplicate.
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

  /// Whether two names have the same code points.
  private func isSame(_ left: SkippedName, _ right: SkippedName) -> Bool {
    guard left.hasEscapes || right.hasEscapes else {
      let count = left.end &- left.start
      return count == right.end &- right.start && StringScan.areSame(bytes + left.start, bytes + right.start, count)
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
