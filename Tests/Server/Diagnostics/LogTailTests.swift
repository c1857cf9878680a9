import DaybookProtocol
import FileStore
import FileStoreTesting
import Testing

@testable import DaybookServer

@Suite("The tail of the log")
struct LogTailTests {
  private let disk = SimulatedDisk()
  private var tail: LogTail { LogTail(dataFolder: "/data", fileSystem: disk) }

  init() throws {
    disk.isTracing = false
    try disk.makeDirectory(path: "/data")
    try disk.makeDirectory(path: "/data/logs")
  }

  private static func line(_ number: Int, _ level: Log.Level = .info, _ category: LogCategory = .sync) -> LogLine {
    LogLine(
      at: Instant(milliseconds: Int64(number)), level: level, category: category.rawValue, message: "\(number)",
      process: 1)
  }

  private static func text(_ lines: [LogLine]) -> [UInt8] {
    var writer = JSONWriter()
    for line in lines {
      line.encode(to: &writer)
      writer.append(UInt8(ascii: "\n"))
    }
    return writer.bytes
  }

  private func put(_ number: Int, _ bytes: [UInt8]) { disk.setContents("/data/logs/" + LogFolder.name(number), bytes) }

  @Test("Without a log or a data folder there are no lines", arguments: ["/data", "/nowhere", "/data/logs/"])
  func nothing(_ folder: String) throws {
    #expect(try LogTail(dataFolder: folder, fileSystem: disk).last(10) == LogTail.Found())
  }

  @Test("A count outside 1 to 1000 is refused", arguments: [Int.min, -1, 0, 1001, .max])
  func counts(_ count: Int) {
    #expect { try tail.last(count) } throws: { ($0 as? DiagnosticsError)?.code == .outOfRange }
  }

  @Test("Matching lines are found across all files, newest last, for random logs and queries", arguments: 0..<60)
  func histories(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var files: [[LogLine]] = [[]]
    for number in 0..<Int.random(in: 0...300, using: &random) {
      if Int.random(in: 0..<60, using: &random) == 0, files.count < LogFolder.fileCount { files.append([]) }
      let level = Log.Level.allCases.randomElement(using: &random) ?? .info
      files[files.count - 1].append(
        LogTailTests.line(number, level, [.sync, .store, .lock].randomElement(using: &random) ?? .sync))
    }
    for (index, lines) in files.reversed().enumerated() { put(index, LogTailTests.text(lines)) }
    for _ in 0..<20 {
      let count = Int.random(in: 1...400, using: &random)
      let level = Log.Level.allCases.randomElement(using: &random) ?? .info
      let category = [nil, LogCategory.sync, .store, .backup].randomElement(using: &random) ?? nil
      let matching = files.joined().filter {
        ($0.weight ?? .error) <= level && (category == nil || $0.category == category?.rawValue)
      }
      let found = try tail.last(count, level: level, category: category)
      #expect(found == LogTail.Found(lines: Array(matching.suffix(count)), damagedLines: 0))
    }
    #expect(disk.openDescriptors(of: disk.process(42)).isEmpty)
  }

  @Test(
    "Damaged lines are skipped and counted, and the lines around them are found",
    arguments: [
      Array("not JSON\n".utf8), Array("{\"at\":\"2026-01-05T12:00:00.000Z\"}\n".utf8), [0xFF, 0, 10],
      Array("{}\n".utf8), [UInt8](repeating: 97, count: LogLine.longest) + [98, 10],
      [UInt8](repeating: 97, count: 300_000) + [10],
      Array("{\"at\":\"x\",\"level\":\"info\",\"category\":\"a\",\"message\":\"\",\"pid\":1}\n".utf8),
      Array(
        "{\"at\":\"2026-01-05T12:00:00.000Z\",\"level\":\"loud\",\"category\":\"a\",\"message\":\"\",\"pid\":1}\n".utf8),
    ])
  func damage(_ bytes: [UInt8]) throws {
    let (one, two) = (LogTailTests.line(1), LogTailTests.line(2))
    let expected = LogTail.Found(lines: [one, two], damagedLines: 1)
    put(0, LogTailTests.text([one]) + bytes + LogTailTests.text([two]))
    #expect(try tail.last(10) == expected)
    put(0, bytes + LogTailTests.text([one, two]))
    #expect(try tail.last(10) == expected)
    put(0, LogTailTests.text([one, two]) + bytes.dropLast())
    #expect(try tail.last(10) == expected)
    // No further back than necessary.
    put(0, bytes + LogTailTests.text([one, two]))
    #expect(try tail.last(2) == LogTail.Found(lines: [one, two], damagedLines: 0))
  }

  @Test(
    "Empty lines, which follow a truncated line, are ignored, and unknown members and categories are accepted"
  )
  func leniency() throws {
    let newer = #"{"v":2,"at":"1970-01-01T00:00:00.003Z","level":"info","category":"radio","message":"3","pid":1}"#
    put(0, [10, 10] + LogTailTests.text([LogTailTests.line(1)]) + [10] + Array((newer + "\n\n").utf8))
    let found = try tail.last(10)
    #expect(found.lines.map(\.category) == ["sync", "radio"] && found.damagedLines == 0)
  }

  @Test("Lines are found with any block length", arguments: [1, 2, 3, 7, 64, 1000])
  func blocks(_ block: Int) throws {
    let text = "one\n\ntwo, which is too long\nthree\nfour"
    disk.setContents("/data/file", Array(text.utf8))
    let folder = try disk.openDirectory(path: "/data", followingLinks: false)
    let file = try disk.openFile("file", in: folder, for: .reading)
    var lines = try BackwardLines(file, disk, block: block, longest: 10)
    var found: [String] = []
    while let line = try lines.next() {
      if case .whole(let bytes) = line {
        found.append(String(decoding: bytes, as: UTF8.self))
      } else {
        found.append("-")
      }
    }
    #expect(found == ["four", "three", "-", "one"])
  }

  @Test("A file that is renamed while the tail is read is neither missed nor read twice", arguments: 0..<14)
  func rotation(_ calls: Int) throws {
    put(0, LogTailTests.text([LogTailTests.line(2)]))
    put(1, LogTailTests.text([LogTailTests.line(1)]))
    let reader = disk.process(7)
    disk.interrupt(reader, afterCalls: calls) { [disk] in
      disk.move("/data/logs/daybook.1.log", to: "/data/logs/daybook.2.log")
      disk.move("/data/logs/daybook.log", to: "/data/logs/daybook.1.log")
    }
    let found = try LogTail(dataFolder: "/data", fileSystem: reader).last(9)
    #expect(found.lines.map(\.message) == ["1", "2"])
    _ = disk.endInterruption()
  }

  @Test("A medium that cannot be read is reported")
  func unreadable() {
    put(0, LogTailTests.text([LogTailTests.line(1)]))
    disk.setFaults { $0.unreadableFrom = 0 }
    #expect { try tail.last(1) } throws: { ($0 as? DiagnosticsError)?.code == .unreadable }
  }
}
