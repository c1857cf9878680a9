/// A fast iterator over the members of an object that was checked when it was written, for picking a few members out of
/// tens of thousands of texts.
///
/// No input can trap. On text that our writers do not produce (white space, escapes in names, a missing end), `next`
/// returns nil with `isWhole` false; then use a `JSONReader`.
package struct PlainMembers {
  /// A member: its name without quotes, and the text of its value, with the quotes of a string.
  package struct Member {
    package let name: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer

    /// Whether the member is named `other`.
    @inline(__always)
    package func isNamed(_ other: StaticString) -> Bool {
      guard name.count == other.utf8CodeUnitCount, let base = name.baseAddress else { return false }
      let bytes = base.assumingMemoryBound(to: UInt8.self)
      for index in 0..<name.count where bytes[index] != other.utf8Start[index] { return false }
      return true
    }
  }

  private let bytes: UnsafePointer<UInt8>
  private let end: Int
  private var position: Int
  /// Whether the end of the object was reached, with nothing after it.
  package private(set) var isWhole = false

  /// Iterates over the object `text`; borrows the text and must not outlive it.
  package init(_ text: UnsafeRawBufferPointer) {
    if let base = text.bindMemory(to: UInt8.self).baseAddress, base[0] == UInt8(ascii: "{") {
      bytes = base
      end = text.count
      position = 1
    } else {
      bytes = ("" as StaticString).utf8Start
      end = 0
      position = 0
    }
  }

  /// The next member, in the order of the text.
  @inline(__always)
  package mutating func next() -> Member? {
    guard position < end, !isWhole else { return nil }
    if bytes[position] == UInt8(ascii: "}") {
      isWhole = position == end &- 1
      return nil
    }
    guard bytes[position] == UInt8(ascii: "\""), let nameEnd = closingQuote(from: position &+ 1, allowsEscapes: false),
      nameEnd &+ 1 < end, bytes[nameEnd &+ 1] == UInt8(ascii: ":")
    else { return nil }
    let name = part(position &+ 1, nameEnd)
    let start = nameEnd &+ 2
    guard let valueEnd = endOfValue(from: start), valueEnd > start, valueEnd < end else { return nil }
    position = valueEnd
    if bytes[valueEnd] == UInt8(ascii: ",") {
      position = valueEnd &+ 1
      // A comma requires another member.
      guard position < end, bytes[position] == UInt8(ascii: "\"") else { return nil }
    } else if bytes[valueEnd] != UInt8(ascii: "}") {
      return nil
    }
    return Member(name: name, value: part(start, valueEnd))
  }

  @inline(__always)
  private func part(_ from: Int, _ to: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + from, count: to &- from)
  }

  /// The offset of the quote that ends the string whose contents begin at `start`; nil when there is none, or at an
  /// escape that is not allowed.
  @inline(__always)
  private func closingQuote(from start: Int, allowsEscapes: Bool) -> Int? {
    var at = start
    while true {
      at = StringScan.firstSpecial(bytes, from: at, to: end)
      guard at < end else { return nil }
      switch bytes[at] {
      case UInt8(ascii: "\""): return at
      case UInt8(ascii: "\\"):
        guard allowsEscapes else { return nil }
        at &+= 2
      case 0..<0x20: return nil
      default: at &+= 1
      }
    }
  }

  /// The end of the value that begins at `start`.
  @inline(__always)
  private func endOfValue(from start: Int) -> Int? {
    guard start < end else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""): return closingQuote(from: start &+ 1, allowsEscapes: true).map { $0 &+ 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): return endOfNested(from: start)
    default:
      var at = start
      while at < end, PlainMembers.isOfScalar(bytes[at]) { at &+= 1 }
      return at
    }
  }

  /// The end of the array or object that begins at `start`, by counting brackets.
  private func endOfNested(from start: Int) -> Int? {
    var depth = 0
    var at = start
    while at < end {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        guard let quote = closingQuote(from: at &+ 1, allowsEscapes: true) else { return nil }
        at = quote
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth == 0 { return at &+ 1 }
      default: break
      }
      at &+= 1
    }
    return nil
  }

  /// Whether a byte can be part of a number, `true`, `false` or `null`.
  @inline(__always)
  private static func isOfScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension PlainMembers.Member {
  /// The value, if it is an integer of at most 18 digits.
  package var integer: Int? {
    var at = 0
    let isNegative = value.first == UInt8(ascii: "-")
    if isNegative { at = 1 }
    guard at < value.count, value.count &- at <= 18 else { return nil }
    // JSON numbers have no leading zeros.
    if value[at] == UInt8(ascii: "0"), value.count > at &+ 1 { return nil }
    var number = 0
    while at < value.count {
      let digit = value[at] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number &* 10 &+ Int(digit)
      at &+= 1
    }
    return isNegative ? -number : number
  }

  /// The bytes between the quotes, if the value is a string without escapes.
  package var plainString: UnsafeRawBufferPointer? {
    guard value.count >= 2, value[0] == UInt8(ascii: "\"") else { return nil }
    let text = UnsafeRawBufferPointer(rebasing: value[1..<(value.count &- 1)])
    return text.contains(UInt8(ascii: "\\")) ? nil : text
  }
}
