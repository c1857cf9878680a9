/// A syntactically valid IANA time zone name, such as `Europe/Berlin` or `Etc/GMT+5`; safe to append to a folder path.
///
/// Whether the zone exists is for a `TimeZoneDatabase` to say.
package struct TimeZoneName: Hashable, Sendable {
  /// The name as given: 1…255 bytes of ASCII.
  package let text: String

  /// The longest name, in bytes.
  package static let maximumLength = 255

  /// `UTC`.
  package static let utc = TimeZoneName(checked: "UTC")

  /// Takes a name without checking it.
  private init(checked text: String) { self.text = text }

  /// Nil unless the text consists of letters, digits, `.`, `_`, `+` and `-` in parts separated by single slashes,
  /// begins with a letter, and has no part that is empty, begins with `-` or `.`, or contains `..`.
  package init?(_ text: String) {
    var copy = text
    guard copy.withUTF8({ TimeZoneName.isName($0) }) else { return nil }
    self.text = text
  }

  /// The same, from bytes.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard TimeZoneName.isName(text) else { return nil }
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// Whether the bytes are a valid name.
  private static func isName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (1...maximumLength).contains(text.count) else { return false }
    var previous = UInt8(ascii: "/")
    for index in 0..<text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): break
      case _ where index == 0: return false
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"): break
      case UInt8(ascii: "-"), UInt8(ascii: "/"):
        guard previous != UInt8(ascii: "/") else { return false }
      case UInt8(ascii: "."):
        guard previous != UInt8(ascii: "/"), previous != UInt8(ascii: ".") else { return false }
      default: return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }
}

extension TimeZoneName: CustomStringConvertible {
  /// The name as given.
  package var description: String { text }
}
