/// A source of time zone rules.
package protocol TimeZoneDatabase: Sendable {
  /// The rules of a zone. Throws `unknownZone`, `unreadable`, `malformedFile` or `malformedRule`.
  func rules(for name: TimeZoneName) throws(TimeZoneError) -> TimeZoneRules
}

extension TimeZoneDatabase {
  /// The rules of the zone named `text`. Also throws `invalidName`.
  package func rules(named text: String) throws(TimeZoneError) -> TimeZoneRules {
    guard let name = TimeZoneName(text) else {
      throw TimeZoneError(.invalidName, "not the form of a time zone name", zone: text)
    }
    return try rules(for: name)
  }
}
