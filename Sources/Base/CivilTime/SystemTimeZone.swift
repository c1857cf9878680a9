/// The time zone the machine is set to, and how that was found out.
package struct SystemTimeZone: Sendable {
  /// Where the answer came from.
  package enum Source: String, Sendable {
    /// The environment variable `TZ`.
    case environment
    /// The file `/etc/localtime`, or the name in `/etc/timezone`.
    case configuration
    /// Nowhere: the rules are UTC for want of anything better.
    case none
  }

  /// The rules; UTC when there was no answer.
  package let rules: TimeZoneRules
  /// Where they came from.
  package let source: Source
  /// Why there was no answer; nil when there was one. Belongs in a health report.
  package let problem: TimeZoneError?

  /// Whether the rules are UTC only because nothing told otherwise.
  package var isFallback: Bool { source == .none }

  /// The files that a look-up reads, other in tests.
  package struct Files: Sendable {
    /// A TZif file, usually a link into a zoneinfo folder.
    package var localtime = "/etc/localtime"
    /// A text file with the zone's name (Debian and its children).
    package var timezone = "/etc/timezone"

    package init() {}
  }

  /// The zone of this process: `TZ` if set, else the machine's configuration, else UTC. Reads one or two small files.
  package static func current() -> SystemTimeZone {
    find(
      environment: ZoneinfoSystem.environment("TZ"), database: SystemTimeZoneDatabase.fromEnvironment(), files: Files())
  }

  /// The same out of a given value of `TZ` (nil when not set), database and files.
  ///
  /// A `TZ` that says nothing usable gives UTC, as the C library does, with the problem; it is not passed over in silence
  /// for the machine's configuration.
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

  /// What a value of `TZ` means: nothing at all is UTC; else a path, a name or a TZ string, with a colon before it or not.
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

  /// What the files of the machine say: the bytes of `localtime`, else the zone that `timezone` names.
  private static func configured(
    database: some TimeZoneDatabase, files: Files
  ) throws(TimeZoneError) -> TimeZoneRules {
    var failure = TimeZoneError(.unknownZone, "this machine names no time zone")
    do {
      if let rules = try rules(atPath: files.localtime, name: files.timezone) { return rules }
    } catch {
      failure = error
    }
    // A link into a folder that is not there still names the zone.
    guard let name = name(ofFile: files.localtime) ?? name(inFile: files.timezone) else { throw failure }
    return try database.rules(for: name)
  }

  /// The rules of the TZif file at `path`, nil when there is none, named after the zoneinfo file the link points to, else by
  /// the text in the file at `name`, else by the TZ string in its footer.
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

  /// The name in the path of a zoneinfo file, following links as long as the path itself has none.
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

  /// What follows the last folder called `zoneinfo` (or a dated one, as `zoneinfo.default`), less `posix/` and `right/`.
  static func name(inPath path: String) -> TimeZoneName? {
    // Bytes, not characters: the tables of Unicode would cost more than reading the file.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    let isZoneinfo = { (part: Substring.UTF8View) in
      part.elementsEqual("zoneinfo".utf8) || part.starts(with: "zoneinfo.".utf8)
    }
    guard var start = parts.lastIndex(where: isZoneinfo).map({ $0 + 1 }), start < parts.count else { return nil }
    if parts[start].elementsEqual("posix".utf8) || parts[start].elementsEqual("right".utf8) { start += 1 }
    guard start < parts.count, let last = parts.last else { return nil }
    return TimeZoneName(String(path[parts[start].startIndex..<last.endIndex]))
  }

  /// The name that is the first word of a small text file.
  private static func name(inFile path: String) -> TimeZoneName? {
    guard case .bytes(let bytes) = ZoneinfoSystem.contents(ofFile: path) else { return nil }
    let word = bytes.prefix { $0 > UInt8(ascii: " ") }
    return TimeZoneName(String(decoding: word, as: UTF8.self))
  }
}
