/// Why a time zone is not available.
package struct TimeZoneError: Error, Hashable, Sendable {
  /// What kind of failure it was; more kinds may come.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as it appears in structured data.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A text that cannot be an IANA time zone name.
    package static let invalidName = Code(rawValue: "invalidTimeZoneName")
    /// A well-formed name the database does not have.
    package static let unknownZone = Code(rawValue: "unknownTimeZone")
    /// Bytes that are not a TZif file (RFC 9636).
    package static let malformedFile = Code(rawValue: "malformedTimeZoneFile")
    /// A text that is not a POSIX TZ string.
    package static let malformedRule = Code(rawValue: "malformedTimeZoneRule")
    /// A file that is there and could not be read.
    package static let unreadable = Code(rawValue: "unreadableTimeZone")
  }

  /// What kind of failure it was.
  package let code: Code
  /// One sentence for people.
  package let message: String
  /// The name, TZ string or path it is about, when known.
  package let zone: String?
  /// Where in the bytes the reader stopped, when bytes were being read.
  package let byteOffset: Int?

  package init(_ code: Code, _ message: String, zone: String? = nil, byteOffset: Int? = nil) {
    self.code = code
    self.message = message
    self.zone = zone
    self.byteOffset = byteOffset
  }

  /// The same failure, said to be about `zone`.
  func about(_ zone: String) -> TimeZoneError {
    TimeZoneError(code, message, zone: zone, byteOffset: byteOffset)
  }
}

extension TimeZoneError: CustomStringConvertible {
  /// The message with what it is about.
  package var description: String {
    var text = message
    if let zone { text += " (\(zone))" }
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text
  }
}
