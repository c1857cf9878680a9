/// Why a time zone is not available.
package struct TimeZoneError: Error, Hashable, Sendable {
  /// The kind of failure, extensible.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The code in structured data.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Not the form of an IANA time zone name.
    package static let invalidName = Code(rawValue: "invalidTimeZoneName")
    /// A well-formed name that the database lacks.
    package static let unknownZone = Code(rawValue: "unknownTimeZone")
    /// Not a TZif file (RFC 9636).
    package static let malformedFile = Code(rawValue: "malformedTimeZoneFile")
    /// Not a POSIX TZ string.
    package static let malformedRule = Code(rawValue: "malformedTimeZoneRule")
    /// A file that exists but cannot be read.
    package static let unreadable = Code(rawValue: "unreadableTimeZone")
  }

  /// The kind of failure.
  package let code: Code
  /// One sentence for people.
  package let message: String
  /// The name, TZ string or path concerned, when known.
  package let zone: String?
  /// The byte offset at which a reader stopped.
  package let byteOffset: Int?

  package init(_ code: Code, _ message: String, zone: String? = nil, byteOffset: Int? = nil) {
    self.code = code
    self.message = message
    self.zone = zone
    self.byteOffset = byteOffset
  }

  /// The same failure, attributed to `zone`.
  func about(_ zone: String) -> TimeZoneError {
    TimeZoneError(code, message, zone: zone, byteOffset: byteOffset)
  }
}

extension TimeZoneError: CustomStringConvertible {
  /// The message with the zone and the offset.
  package var description: String {
    var text = message
    if let zone { text += " (\(zone))" }
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text
  }
}
