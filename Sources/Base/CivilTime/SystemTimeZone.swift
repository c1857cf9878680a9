/// The machine's time zone, and how it was determined.
package struct SystemTimeZone: Sendable {
  /// Where the zone was found.
  package enum Source: String, Sendable {
    /// The environment variable `TZ`.
    case environment
    /// The file `/etc/localtime`, or the name in `/etc/timezone`.
    case configuration
    /// Nowhere; the rules fall back to UTC.
    case none
  }

  /// The rules; UTC as a fallback.
  package let rules: TimeZoneRules
  /// Where the zone was found.
  package let source: Source
  /// Why no zone was found, for health reports; nil when one was.
  package let problem: TimeZoneError?

  /// The files that a look-up reads; tests substitute others.
  package struct Files: Sendable {
    /// A TZif file, usually a link into a zoneinfo folder.
    package var localtime = "/etc/localtime"
    /// A text file with the zone's name (Debian and its derivatives).
    package var timezone = "/etc/timezone"

    package init() {}
  }

  /// The zone of this process: `TZ` if set, else the machine's configuration, else UTC. Reads one or two small files.
  package static func current() -> SystemTimeZone {
    find(
      environment: ZoneinfoSystem.environment("TZ"), database: SystemTimeZoneDatabase.fromEnvironment(), files: Files())
  }

  /// Determines the zone from a value of `TZ` (nil when not set), a database and files.
  ///
  /// An unusable `TZ` gives UTC, as in the C library, and reports the problem; it does not fall back to the machine's
  /// configuration.
  package static func find(
    environment: String?, database: some TimeZoneDatabase, files: Files
  ) -> SystemTimeZone {
    do {
      if let environment {
        let rules = try rules(environment: environment, database: database, files: files)
        return SystemTimeZone(rules: rules, source: .environment, problem: nil)
      }
      let rules = try configured(database: database, files: files)
      return SystemTimeZone(rules: rules, source: .configuration, problem: nil)
    } catch {
      return SystemTimeZone(rules: .utc, source: .none, problem: error)
    }
  }

  /// Interprets a value of `TZ`: empty is UTC; else a path, a name or a TZ string, optionally after a colon.
  private static func rules(
    environment: String, database: some TimeZoneDatabase, files: Files
  ) throws(TimeZoneError) -> TimeZoneRules {
    let value =
      environment.utf8.first == UInt8(ascii: ":")
      ? String(decoding: environment.utf8.dropFirst(), as: UTF8.self) : environment
    guard !value.isEmpty else { return .utc }
    if value == files.localtime { return try configured(database: database, files: files) }
    if value.utf8.first == UInt8(ascii: "/") {
      guard let rules = try rules(atPath: value, name: nil) else {
        throw TimeZoneError(.unknownZone, "TZ names a file that is not there", zone: value)
      }
      return rules
    }
    var failure = TimeZoneError(.unknownZone, "TZ is neither a zone of this machine nor a TZ string", zone: value)
    if let name = TimeZoneName(value) {
      do {
        return try database.rules(for: name)
      } catch {
        if error.code != .unknownZone { failure = error }
      }
    }
    do {
      return try TimeZoneRules(posix: value)
    } catch {
      throw failure
    }
  }

  /// The machine's configuration: the contents of `localtime`, else the zone named in `timezone`.
  private static func configured(
    database: some TimeZoneDatabase, files: Files
  ) throws(TimeZoneError) -> TimeZoneRules {
    var failure = TimeZoneError(.unknownZone, "this machine names no time zone")
    do {
      if let rules = try rules(atPath: files.localtime, name: files.timezone) { return rules }
    } catch {
      failure = error
    }
    // A dangling link into a zoneinfo folder still names the zone.
    guard let name = name(ofFile: files.localtime) ?? name(inFile: files.timezone) else { throw failure }
    return try database.rules(for: name)
  }

  /// The rules of the TZif file at `path`; nil when there is no file. Named after the zoneinfo path of its link, else
  /// by the text in the file at `name`, else by the TZ string in its footer.
  private static func rules(atPath path: String, name: String?) throws(TimeZoneError) -> TimeZoneRules? {
    switch ZoneinfoSystem.contents(ofFile: path) {
    case .absent: return nil
    case .unreadable(let reason): throw TimeZoneError(.unreadable, reason, zone: path)
    case .bytes(let bytes):
      let file: TimeZoneFile
      do {
        file = try TimeZoneFile(bytes)
      } catch {
        throw error.about(path)
      }
      if let found = self.name(ofFile: path) ?? name.flatMap({ self.name(inFile: $0) }) {
        return TimeZoneRules(label: found.text, file: file)
      }
      return TimeZoneRules(label: file.footerText.isEmpty ? "localtime" : file.footerText, file: file)
    }
  }

  /// The zone name in a zoneinfo path; follows links until a path has one.
  private static func name(ofFile path: String) -> TimeZoneName? {
    var path = path
    for _ in 0..<8 {
      if let name = name(inPath: path) { return name }
      guard let target = ZoneinfoSystem.target(ofLink: path) else { return nil }
      if target.utf8.first == UInt8(ascii: "/") {
        path = target
      } else {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
        path = folder + target
      }
    }
    return nil
  }

  /// The part of a path after its last folder named `zoneinfo` (or `zoneinfo.*`), without `posix/` and `right/`.
  static func name(inPath path: String) -> TimeZoneName? {
    // Compares bytes: Unicode tables for characters would cost more than reading the file.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    let isZoneinfo = { (part: Substring.UTF8View) in
      part.elementsEqual("zoneinfo".utf8) || part.starts(with: "zoneinfo.".utf8)
    }
    guard var start = parts.lastIndex(where: isZoneinfo).map({ $0 + 1 }), start < parts.count else { return nil }
    if parts[start].elementsEqual("posix".utf8) || parts[start].elementsEqual("right".utf8) { start += 1 }
    guard start < parts.count, let last = parts.last else { return nil }
    return TimeZoneName(String(path[parts[start].startIndex..<last.endIndex]))
  }

  /// The zone name in the first word of a small text file.
  private static func name(inFile path: String) -> TimeZoneName? {
    guard case .bytes(let bytes) = ZoneinfoSystem.contents(ofFile: path) else { return nil }
    let word = bytes.prefix { $0 > UInt8(ascii: " ") }
    return TimeZoneName(String(decoding: word, as: UTF8.self))
  }
}
