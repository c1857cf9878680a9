import Foundation
import Testing

@testable import CivilTime

/// A simulated machine in a temporary folder: `zoneinfo` with a few zones, and a test's files under `etc`.
final class SystemTimeZoneTests {
  private let root: String
  private let database: SystemTimeZoneDatabase
  private var files = SystemTimeZone.Files()

  init() throws {
    root = NSTemporaryDirectory() + "daybook-zones-\(UUID().uuidString)"
    database = SystemTimeZoneDatabase(folders: ["\(root)/empty", "\(root)/zoneinfo"])
    files.localtime = "\(root)/etc/localtime"
    files.timezone = "\(root)/etc/timezone"
    for folder in ["empty", "zoneinfo/Europe", "zoneinfo/posix/Europe", "etc"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    try write(TimeZoneFileBuilder().bytes, "zoneinfo/Europe/Berlin")
    try write(TimeZoneFileBuilder(footer: "\nEET-2\n").bytes, "zoneinfo/posix/Europe/Kyiv")
    try write(Array("not a zone".utf8), "zoneinfo/Europe/Broken")
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
  }

  private func find(_ environment: String?) -> SystemTimeZone {
    SystemTimeZone.find(environment: environment, database: database, files: files)
  }

  @Test("The database searches its folders in order and says what is wrong")
  func lookUp() throws {
    #expect(try database.rules(named: "Europe/Berlin").name == "Europe/Berlin")
    #expect(try database.rules(named: "Etc/UTC").name == "Etc/UTC")
    #expect(throws: TimeZoneError.self) { try database.rules(named: "Europe/Broken") }
    let failures: [(String, TimeZoneError.Code)] = [
      ("Europe/Nowhere", .unknownZone), ("Europe/Berlin/Mitte", .unknownZone), ("Europe", .unreadable),
      ("Europe/Broken", .malformedFile),
    ]
    for (name, code) in failures {
      let error = #expect(throws: TimeZoneError.self) { try database.rules(named: name) }
      #expect(error?.code == code)
      #expect(error?.zone == name)
    }
  }

  @Test("A file too large for a zone, and a pipe, are refused without waiting")
  func strangeFiles() throws {
    try write([UInt8](repeating: 0, count: ZoneinfoSystem.maximumLength + 1), "zoneinfo/Large")
    try #require(mkfifo("\(root)/zoneinfo/Pipe", 0o600) == 0)
    for name in ["Large", "Pipe"] {
      let error = #expect(throws: TimeZoneError.self) { try database.rules(named: name) }
      #expect(error?.code == .unreadable)
    }
  }

  @Test(
    "TZ names a zone, a path or a rule, with a colon or without",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", 7200), (":Europe/Berlin", "Europe/Berlin", 7200),
      ("ROOT/zoneinfo/Europe/Berlin", "Europe/Berlin", 7200), (":ROOT/zoneinfo/posix/Europe/Kyiv", "Europe/Kyiv", 7200),
      ("JST-9", "JST-9", 32_400), ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0", -14_400), ("", "UTC", 0),
      (":", "UTC", 0), ("UTC", "UTC", 0),
    ])
  func environment(_ value: String, _ name: String, _ offset: Int) throws {
    let zone = find(value.replacingOccurrences(of: "ROOT", with: root))
    #expect(zone.rules.name == name)
    #expect(zone.rules.offset(at: try #require(Instant("2026-07-01T00:00:00Z"))) == offset)
    #expect(zone.source == .environment)
    #expect(zone.source != .none)
    #expect(zone.problem == nil)
  }

  @Test(
    "An unusable TZ gives UTC and the problem, even if the machine has another zone",
    arguments: [
      ("Europe/Nowhere", .unknownZone), ("Europe/Broken", .malformedFile), ("/nowhere/at/all", .unknownZone),
      ("../../etc/passwd", .unknownZone), ("Ä", .unknownZone),
    ] as [(String, TimeZoneError.Code)])
  func badEnvironment(_ value: String, _ code: TimeZoneError.Code) throws {
    try link("etc/localtime", to: "../zoneinfo/Europe/Berlin")
    let zone = find(value)
    #expect(zone.rules == .utc)
    #expect(zone.source == .none)
    #expect(zone.problem?.code == code)
    #expect(zone.problem?.zone == value)
  }

  @Test("Without TZ the link's target names the zone, also through another link", arguments: [false, true])
  func linked(_ isChained: Bool) throws {
    if isChained {
      try link("etc/static", to: "../zoneinfo/Europe/Berlin")
      try link("etc/localtime", to: "static")
    } else {
      try link("etc/localtime", to: "\(root)/zoneinfo/Europe/Berlin")
    }
    let zone = find(nil)
    #expect(zone.rules.name == "Europe/Berlin")
    #expect(zone.source == .configuration)
    #expect(find(files.localtime).rules.name == "Europe/Berlin")
  }

  @Test("A copied localtime is named by the timezone file, else by its footer")
  func copied() throws {
    try write(TimeZoneFileBuilder().bytes, "etc/localtime")
    #expect(find(nil).rules.name == "CET-1CEST,M3.5.0,M10.5.0/3")
    try write(Array("Europe/Paris\n".utf8), "etc/timezone")
    #expect(find(nil).rules.name == "Europe/Paris")
    #expect(find(nil).source != .none)
  }

  @Test("A missing or damaged localtime leaves the timezone file, else UTC with the problem")
  func damaged() throws {
    #expect(find(nil).source == .none)
    #expect(find(nil).problem?.code == .unknownZone)
    try write([1, 2, 3], "etc/localtime")
    #expect(find(nil).rules == .utc)
    #expect(find(nil).source == .none)
    #expect(find(nil).problem?.code == .malformedFile)
    try write(Array("Europe/Berlin".utf8), "etc/timezone")
    #expect(find(nil).rules.name == "Europe/Berlin")
    #expect(find(nil).source != .none)
  }

  @Test("A link to a missing zone is reported with the zone's name")
  func dangling() throws {
    try link("etc/localtime", to: "/usr/share/zoneinfo/Europe/Nowhere")
    #expect(find(nil).source == .none)
    #expect(find(nil).problem?.zone == "Europe/Nowhere")
  }

  @Test("A cycle of links ends")
  func circle() throws {
    try link("etc/localtime", to: "other")
    try link("etc/other", to: "localtime")
    #expect(find(nil).source == .none)
  }

  @Test("This process finds a zone")
  func current() {
    #expect(SystemTimeZone.current().rules.name.isEmpty == false)
  }
}
