extension WallTime: CustomStringConvertible {
  /// Parses exactly `HH:MM`; nil for anything else.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 5, text[2] == UInt8(ascii: ":") else { return nil }
    func number(at index: Int) -> Int? {
      let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
      return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
    guard let hour = number(at: 0), let minute = number(at: 3) else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// The same, from a string.
  package init?(_ text: String) {
    var text = text
    guard let time = text.withUTF8({ WallTime(utf8: $0) }) else { return nil }
    self = time
  }

  /// Writes the five bytes of `HH:MM` to `target`.
  package func write(to target: UnsafeMutablePointer<UInt8>) {
    let zero = UInt8(ascii: "0")
    target[0] = zero &+ UInt8(truncatingIfNeeded: hour / 10)
    target[1] = zero &+ UInt8(truncatingIfNeeded: hour % 10)
    target[2] = UInt8(ascii: ":")
    target[3] = zero &+ UInt8(truncatingIfNeeded: minute / 10)
    target[4] = zero &+ UInt8(truncatingIfNeeded: minute % 10)
  }

  /// The time as `HH:MM`.
  package var description: String {
    String(unsafeUninitializedCapacity: 5) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(to: base)
      return 5
    }
  }
}
