import DaybookProtocol
import FileStore
import FileStoreTesting
import Platform
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("The log")
struct LogTests {
  private let disk = SimulatedDisk()
  private let printed = Notes<String>()
  private static let start = Instant(milliseconds: 1_767_614_400_000)

  init() throws {
    disk.isTracing = false
    try disk.makeDirectory(path: "/data")
    disk.setContents("/data/store.json", [])
  }

  private func writer(_ level: Log.Level) -> LogWriter {
    LogWriter(LogFile(dataFolder: "/data", fileSystem: disk), level: level) { LogTests.start }
  }

  private func log(_ level: Log.Level, _ kept: Log.Level) -> Log {
    let printed = printed
    return Log(level: level, file: writer(kept)) { line in
      printed.add(line)
      return true
    }
  }

  private func kept() throws -> [LogLine] { try LogTail(dataFolder: "/data", fileSystem: disk).last(1000).lines }

  @Test(
    "Each destination receives the lines of its level and more severe ones", arguments: Log.Level.allCases,
    Log.Level.allCases)
  func levels(_ level: Log.Level, _ keptLevel: Log.Level) throws {
    let log = log(level, keptLevel)
    log.error(.store, "1")
    log.warning(.backup, "2")
    log.info(.sync, "3")
    log.debug(.protocol, "4")
    log.trace(.lock, "5")
    log.finish(within: 60_000)
    let all = ["error: [store] 1", "warning: [backup] 2", "info: [sync] 3", "debug: [protocol] 4", "trace: [lock] 5"]
    #expect(printed.all == all.prefix(level.rawValue + 1).map { "daybook: " + $0 })
    #expect(try kept().map(\.message) == (1...(keptLevel.rawValue + 1)).map(String.init))
    #expect(log.droppedFileLines == 0)
  }

  @Test("A message that no destination keeps is never built")
  func laziness() {
    let made = Count()
    func message() -> LogMessage {
      made.add()
      return ""
    }
    let log = log(.error, .warning)
    log.info(.store, message())
    #expect(made.value == 0)
    log.warning(.store, message())
    #expect(made.value == 1)
  }

  @Test("Private values are printed at trace only, and never kept", arguments: Log.Level.allCases)
  func privacy(_ level: Log.Level) throws {
    let log = log(level, .trace)
    log.error(.session, "a \(private: "secret")")
    log.params("{\"name\":\"secret\"}")
    log.params("{\"pin\":\"secret\"}", isSensitive: true)
    log.finish(within: 60_000)
    let isTrace = level == .trace
    let params = ["daybook: trace: [protocol] params {\"name\":\"secret\"}", "daybook: trace: [protocol] params …"]
    #expect(printed.all == ["daybook: error: [session] a \(isTrace ? "secret" : "…")"] + (isTrace ? params : []))
    #expect(try kept().map(\.message) == ["a …", "params …", "params …"])
  }

  @Test("A line has its time, level, category, message and process, and only the user can read it")
  func form() throws {
    let log = log(.error, .info)
    log.warning(.premiumCache, "two\nlines, \(public: "\"\u{1}é")")
    log.finish(within: 60_000)
    let text = String(decoding: try #require(disk.contents("/data/logs/daybook.log")), as: UTF8.self)
    let expected =
      #"{"at":"2026-01-05T12:00:00.000Z","level":"warning","category":"premiumCache","#
      + #""message":"two\nlines, \"\u0001é","pid":\#(Processes.current)}"# + "\n"
    #expect(text == expected)
    #expect(disk.isPrivate("/data/logs"))
  }

  @Test("A message is truncated between characters")
  func cutting() throws {
    let log = log(.error, .info)
    log.error(.store, "\(public: String(repeating: "é", count: 5000))")
    log.error(.store, "\(public: String(repeating: "\u{1}", count: 5000))")
    log.finish(within: 60_000)
    #expect(try kept().map(\.message.unicodeScalars.count) == [2000, 4000])
  }

  @Test("The reason for the end is printed at every level")
  func end() {
    let log = log(.error, .error)
    log.last("ended by SIGTERM")
    #expect(printed.all == ["daybook: ended by SIGTERM"])
  }

  @Test("Lines that cannot be printed for lack of room are counted")
  func dropping() {
    let log = Log(level: .error) { _ in false }
    log.error(.store, "1")
    log.warning(.store, "2")
    log.last("3")
    #expect(log.droppedLines == 2 && log.droppedFileLines == 0)
  }

  @Test("A full or failing disk costs lines and nothing else; later lines are whole again")
  func fullDisk() throws {
    for fault: @Sendable (inout SimulatedDisk.Faults) -> Void in [
      { $0.freeBytes = 0 }, { $0.isReadOnly = true },
      { $0.rules = [DiskFault(.fails(.inputOutput), isForEver: true)] },
      { $0.rules = [DiskFault(.isShort(10), calls: [.append])] },
    ] {
      let log = log(.error, .warning)
      disk.setFaults(fault)
      log.warning(.store, "lost")
      log.finish(within: 60_000)
      #expect(log.droppedFileLines == 1)
      disk.setFaults { $0 = SimulatedDisk.Faults() }
      log.warning(.store, "kept")
      log.finish(within: 60_000)
      #expect(log.droppedFileLines == 1)
      #expect(try kept().last?.message == "kept")
    }
    #expect(try kept().count == 4)
    #expect(disk.openDescriptors(of: disk.process(42)).isEmpty)
  }
}
