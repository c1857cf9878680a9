/// A text that looks like an IANA time zone name, such as `Europe/Berlin` or `Etc/GMT+5`: safe to append to a folder.
///
/// Looking like one says nothing about a database having it; that is for `TimeZoneDatabase` to say.
package struct TimeZoneName: Hashable, Sendable {
  /// The name as given: 1…255 bytes of ASCII.
  package let text: String

  /// The longest name, in bytes.
  package static let maximumLength = 255

  /// `UTC`.
  package static let utc = TimeZoneName(checked: "UTC")

  /// A name that is known to be one.
  private init(checked text: String) { self.text = text }

  /// The name for that text; nil unless it is made of letters, digits, `.`, `_`, `+` and `-` in parts separated by single
  /// slashes, begins with a letter, and has no part that is empty, begins with `-` or `.`, or contains `..`.
  package init?(_ text: String) {
    guard (1...TimeZoneName.maximumLength).contains(text.utf8.count) else { return nil }
    var previous = UInt8(ascii: "/")
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): break
      case _ where index == 0: return nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"): break
      case UInt8(ascii: "-"), UInt8(ascii: "/"):
        guard previous != UInt8(ascii: "/") else { return nil }
      case UInt8(ascii: "."):
        guard previous != UInt8(ascii: "/"), previous != UInt8(ascii: ".") else { return nil }
      default: return nil
      }
      previous = byte
    }
    guard previous != UInt8(ascii: "/") else { return nil }
    self.text = text
  }
}

extension TimeZoneName: CustomStringConvertible {
  /// The name as given.
  package var description: String { text }
}
