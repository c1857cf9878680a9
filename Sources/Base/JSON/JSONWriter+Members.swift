/// Writes members, a name and its value at once; out of line, so that encoders stay short.
///
/// Each name has a leading comma; `endObject(from:)` turns the first comma into the opening brace.
extension JSONWriter {
  /// Ends the object whose members have been written since `start`.
  package mutating func endObject(from start: Int) {
    reserve(2)
    if count == start { count &+= 1 }
    base[start] = UInt8(ascii: "{")
    base[count] = UInt8(ascii: "}")
    count &+= 1
  }

  /// Ends the array whose elements, each with a leading comma, have been written since `start`.
  package mutating func endArray(from start: Int) {
    reserve(2)
    if count == start { count &+= 1 }
    base[start] = UInt8(ascii: "[")
    base[count] = UInt8(ascii: "]")
    count &+= 1
  }

  /// Writes a name; its value follows.
  package mutating func pair(_ name: MemberName) { count = put(name, room: 0) &- base }

  /// A member that is true or false.
  package mutating func pair(_ name: MemberName, _ value: Bool) {
    let target = put(name, room: 8)
    // Either is stored as one word; later output overwrites its unused bytes.
    let text: UInt64 = value ? 0x65_7572_74 : 0x65_736C_6166
    UnsafeMutableRawPointer(target).storeBytes(of: text.littleEndian, as: UInt64.self)
    count = target &- base &+ (value ? 4 : 5)
  }

  /// A member that is an integer.
  package mutating func pair(_ name: MemberName, _ value: Int) {
    let target = put(name, room: JSONWriter.longestInteger)
    count = JSONWriter.put(value, at: target) &- base
  }

  /// Writes a string member, with minimal escaping.
  package mutating func pair(_ name: MemberName, _ value: String) {
    var value = value
    value.withUTF8 { text in
      let target = put(name, room: text.count &+ 2)
      count = target &- base
      write(utf8: text)
    }
  }

  /// Writes a member whose text needs no escapes: `body` writes at most `room` bytes and returns their count.
  @inlinable
  @inline(__always)
  package mutating func pair(_ name: MemberName, room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    let target = put(name, room: room &+ 2)
    target[0] = UInt8(ascii: "\"")
    let length = body(target + 1)
    target[length &+ 1] = UInt8(ascii: "\"")
    count = target &- base &+ length &+ 2
  }

  /// Copies a name and reserves `room` bytes after it; returns the address after the name.
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
  /// The distance between two addresses, in bytes.
  @inlinable
  @inline(__always)
  static func &- (end: Self, start: Self) -> Int { Int(bitPattern: end) &- Int(bitPattern: start) }
}
