import Foundation
import Testing

@testable import CivilTime

struct TimeZoneFileTests {
  /// The offset a file gives at a second.
  private func offset(_ builder: TimeZoneFileBuilder, at second: Int64) throws -> Int {
    let name = try #require(TimeZoneName("Test/Zone"))
    return try TimeZoneRules(name: name, tzif: builder.bytes).offset(at: Instant(second: second))
  }

  @Test("Every version is read, a later one as the newest known", arguments: ["\0", "2", "3", "4", "5"])
  func versions(_ version: String) throws {
    let builder = TimeZoneFileBuilder(version: try #require(version.utf8.first))
    #expect(try offset(builder, at: -1) == 3600)
    #expect(try offset(builder, at: 0) == 7200)
    #expect(try offset(builder, at: 10_000_000) == 3600)
    // July 2199: version 1 has no footer, so its last offset holds.
    #expect(try offset(builder, at: 7_242_393_600) == (version == "\0" ? 3600 : 7200))
  }

  @Test("Without transitions the footer holds for all time, and without a footer the first type does")
  func noTransitions() throws {
    var builder = TimeZoneFileBuilder(transitions: [])
    #expect(try offset(builder, at: -2_208_988_800) == 3600)
    #expect(try offset(builder, at: 1_782_864_000) == 7200)
    builder.footer = "\n\n"
    builder.types[0].offset = -12_345
    #expect(try offset(builder, at: 1_782_864_000) == -12_345)
  }

  @Test("Leap seconds are subtracted from the transitions")
  func leapSeconds() throws {
    var builder = TimeZoneFileBuilder(version: UInt8(ascii: "4"))
    builder.leapSeconds = [(5_000_000, 1), (10_000_010, 2)]
    builder.transitions = [(0, 1), (10_000_000, 0), (20_000_000, 1)]
    #expect(try offset(builder, at: 9_999_998) == 7200)
    #expect(try offset(builder, at: 9_999_999) == 3600)
    builder.footer = "\n\n"
    #expect(try offset(builder, at: 19_999_997) == 3600)
    #expect(try offset(builder, at: 19_999_998) == 7200)
  }

  @Test(
    "A zone file that counts leap seconds gives the same offsets as its twin without",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/right/Europe/Berlin")))
  func rightZones() throws {
    let plain = try ZoneSamples.rules("Europe/Berlin")
    let right = try ZoneSamples.rules("right/Europe/Berlin")
    // Such files have no footer and stop early.
    let last = try #require(right.table?.times.last)
    for change in try #require(plain.table).times where change <= last {
      for second in [change - 1, change] { #expect(right.span(at: second).offset == plain.span(at: second).offset) }
    }
  }

  /// Changes that each invalidate a valid file.
  static let defects: [(String, @Sendable (inout TimeZoneFileBuilder) -> Void)] = [
    ("a version that is none", { $0.version = UInt8(ascii: "1") }),
    ("a transition to no type", { $0.transitions[1].type = 2 }),
    ("transitions out of order", { $0.transitions[1].time = -1 }),
    ("a transition twice", { $0.transitions[1].time = 0 }),
    ("no type", { $0.types = [] }),
    ("no designations", { $0.designations = [] }),
    ("too many types", { $0.types = Array(repeating: $0.types[0], count: 257) }),
    ("an offset of four days", { $0.types[0].offset = 345_600 }),
    ("the least offset", { $0.types[0].offset = .min }),
    ("a flag of 2", { $0.types[0].flag = 2 }),
    ("a designation past the end", { $0.types[1].designation = 9 }),
    ("a designation without an end", { $0.designations.removeLast() }),
    ("one standard flag for two types", { $0.standardFlags = [0] }),
    ("three universal flags for two types", { $0.utcFlags = [0, 0, 0] }),
    ("a standard flag of 2", { $0.standardFlags = [0, 2] }),
    ("leap seconds out of order", { $0.leapSeconds = [(5, 1), (5, 2)] }),
    (
      "a leap second that moves a transition out of time",
      {
        $0.transitions.insert((.min, 0), at: 0)
        $0.leapSeconds = [(.min, 1)]
      }
    ),
    ("no footer", { $0.footer = "" }),
    ("a footer without its first newline", { $0.footer = "CET-1\n" }),
    ("a footer without its last newline", { $0.footer = "\nCET-1" }),
    ("a footer that is no TZ string", { $0.footer = "\nCET\n" }),
    ("a footer with a NUL", { $0.footer = "\nCET-1\0\n" }),
  ]

  @Test("A defect is refused with its place and the zone's name", arguments: defects.indices)
  func refused(_ index: Int) throws {
    let (title, change) = TimeZoneFileTests.defects[index]
    var builder = TimeZoneFileBuilder()
    _ = try offset(builder, at: 0)
    change(&builder)
    let error = #expect(throws: TimeZoneError.self, "\(title)") { try offset(builder, at: 0) }
    #expect(error?.zone == "Test/Zone", "\(title)")
    #expect(error?.byteOffset != nil, "\(title)")
  }

  @Test("A file cut off anywhere is refused", arguments: [0, UInt8(ascii: "2")])
  func cutOff(_ version: UInt8) throws {
    let bytes = TimeZoneFileBuilder(version: version).bytes
    _ = try TimeZoneFile(bytes)
    for length in 0..<bytes.count {
      #expect(throws: TimeZoneError.self, "\(length) bytes") { try TimeZoneFile(Array(bytes.prefix(length))) }
    }
    // Later versions may append data.
    #expect(try TimeZoneFile(bytes + [1, 2, 3]) == TimeZoneFile(bytes))
  }

  @Test("Ten thousand damaged files are refused or answer within the allowed offsets", arguments: [1, 2, 3, 4])
  func fuzz(_ seed: UInt64) throws {
    let name = try #require(TimeZoneName("Test/Zone"))
    var sources = [TimeZoneFileBuilder().bytes, TimeZoneFileBuilder(version: 0).bytes]
    sources.append(
      TimeZoneFileBuilder(leapSeconds: [(5, 1), (99_999, 2)], standardFlags: [0, 1], utcFlags: [0, 1]).bytes)
    sources.append(Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Dublin"))))
    var generator = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<2500 {
      var bytes = sources[Int.random(in: 0..<sources.count, using: &generator)]
      damage(&bytes, using: &generator)
      guard let rules = try? TimeZoneRules(name: name, tzif: bytes) else { continue }
      accepted += 1
      for milliseconds in [Int64.min, -2_208_988_800_000, 0, 1_767_614_400_000, 7_258_118_400_000, .max] {
        let instant = Instant(milliseconds: milliseconds)
        try #require(OffsetSpan.allowedOffsets.contains(Int32(rules.offset(at: instant))))
        _ = rules.startOfDay(rules.day(at: instant))
      }
    }
    // If none were valid, only the reader's first checks would have run.
    #expect(accepted > 100)
  }

  /// One to four random changes.
  private func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !bytes.isEmpty else { return }
      // Half of the changes hit the headers of a small file, where the counts are.
      let reach = Bool.random(using: &generator) ? min(bytes.count, 120) : bytes.count
      let at = Int.random(in: 0..<reach, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: bytes[at] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      case 3: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &generator)))
      case 4: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: at)
      default: bytes.removeLast(Int.random(in: 0...min(20, bytes.count), using: &generator))
      }
    }
  }
}
