/// The machine's zoneinfo folders. Each look-up reads one small file; nothing is cached.
package struct SystemTimeZoneDatabase: TimeZoneDatabase {
  /// The folders, in the order they are searched.
  package let folders: [String]

  /// The usual zoneinfo folders, the most common first.
  package static let usualFolders = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  package init(folders: [String]) {
    self.folders = folders
  }

  /// Searches the folder in `TZDIR`, then the usual ones.
  package static func fromEnvironment() -> SystemTimeZoneDatabase {
    guard let folder = ZoneinfoSystem.environment("TZDIR"), folder.utf8.first == UInt8(ascii: "/") else {
      return SystemTimeZoneDatabase(folders: usualFolders)
    }
    return SystemTimeZoneDatabase(folders: [folder] + usualFolders)
  }

  /// The rules from the first folder that has the zone; `UTC` and `Etc/UTC` need no folder.
  package func rules(for name: TimeZoneName) throws(TimeZoneError) -> TimeZoneRules {
    if name.text == "UTC" { return .utc }
    if name.text == "Etc/UTC" { return TimeZoneRules(name: name.text, fixed: .utc) }
    var failure = TimeZoneError(.unknownZone, "no zoneinfo folder has this time zone", zone: name.text)
    for folder in folders {
      switch ZoneinfoSystem.contents(ofFile: "\(folder)/\(name.text)") {
      case .bytes(let bytes): return try TimeZoneRules(name: name, tzif: bytes)
      case .absent: continue
      case .unreadable(let reason): failure = TimeZoneError(.unreadable, reason, zone: name.text)
      }
    }
    throw failure
  }
}
