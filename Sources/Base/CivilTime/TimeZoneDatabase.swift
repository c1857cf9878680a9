/// Where the rules of a named time zone come from.
package protocol TimeZoneDatabase: Sendable {
  /// The rules of that zone. Throws `unknownZone`, `unreadable`, `malformedFile` or `malformedRule`.
  func rules(for name: TimeZoneName) throws(TimeZoneError) -> TimeZoneRules
}

extension TimeZoneDatabase {
  /// The rules of the zone with that name. Throws `invalidName` besides.
  package func rules(named text: String) throws(TimeZoneError) -> TimeZoneRules {
    guard let name = TimeZoneName(text) else {
      throw TimeZoneError(.invalidName, "not the form of a time zone name", zone: text)
    }
    return try rules(for: name)
  }
}
