/// Members of an object, each a name and its value in one go: what encoders call, out of line so that each of them stays short.
///
/// The comma of the first member becomes the brace of its object when that ends.
extension JSONWriter {
  /// Ends the object whose members have been written since `start`.
  package mutating func endObject(from start: Int) {
    reserve(2)
    if count == start { count &+= 1 }
    base[start] = UInt8(ascii: "{")
    base[count] = UInt8(ascii: "}")
    count &+= 1
  }

  /// Ends the array whose elements have been written since `start`, a comma before each.
  package mutating func endArray(from start: Int) {
    reserve(2)
    if count == start { count &+= 1 }
    base[start] = UInt8(ascii: "[")
    base[count] = UInt8(ascii: "]")
    count &+= 1
  }

  /// A name alone; its value follows.
  package mutating func pair(_ name: MemberName) { count = put(name, room: 0) &- base }

  /// A member that is true or false.
  package mutating func pair(_ name: MemberName, _ value: Bool) {
    let target = put(name, room: 8)
    // Either is stored as one word, of which what follows overwrites the rest.
    let text: UInt64 = value ? 0x65_7572_74 : 0x65_736C_6166
    UnsafeMutableRawPointer(target).storeBytes(of: text.littleEndian, as: UInt64.self)
    count = target &- base &+ (value ? 4 : 5)
  }

  /// A member that is an integer.
  package mutating func pair(_ name: MemberName, _ value: Int) {
    let target = put(name, room: JSONWriter.longestInteger)
    count = JSONWriter.put(value, at: target) &- base
  }

  /// A member that is a string, with only what must be escaped escaped.
  package mutating func pair(_ name: MemberName, _ value: String) {
    var value = value
    value.withUTF8 { text in
      let target = put(name, room: text.count &+ 2)
      count = target &- base
      write(utf8: text)
    }
  }

  /// A member whose value is a text of at most `room` bytes that needs no escape: `body` writes it and says how long it is.
  @inlinable
  @inline(__always)
  package mutating func pair(_ name: MemberName, room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    let target = put(name, room: room &+ 2)
    target[0] = UInt8(ascii: "\"")
    let length = body(target + 1)
    target[length &+ 1] = UInt8(ascii: "\"")
    count = target &- base &+ length &+ 2
  }

  /// Copies a name, and gives the place behind it, where `room` bytes fit.
  @inlinable
  @inline(__always)
  mutating func put(_ name: MemberName, room: Int) -> UnsafeMutablePointer<UInt8> {
    reserve(name.count &+ room)
    let target = base + count
    JSONWriter.copyName(name.start, to: target, name.count)
    return target + name.count
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Bytes from another place in the same memory to this one.
  @inlinable
  @inline(__always)
  static func &- (end: Self, start: Self) -> Int { Int(bitPattern: end) &- Int(bitPattern: start) }
}
