import DaybookProtocol
import FileStore
import FileStoreTesting
import Platform
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("The queue of lines for the log file")
struct LogWriterTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func writer(_ limit: Int = LogFile.usualLimit) -> LogWriter {
    LogWriter(LogFile(dataFolder: folder.data, limit: limit), level: .info) { Instant(milliseconds: 0) }
  }

  private func messages() throws -> [String] { try LogTail(dataFolder: folder.data).last(1000).lines.map(\.message) }

  @Test("The log creates no data folder, nor puts anything into an empty one; its lines wait for the first file")
  func waiting() throws {
    let writer = writer()
    writer.add(.error, "store", "1")
    writer.finish(within: 60_000)
    #expect(Files.look(at: folder.data) == .missing)
    #expect(Files.make(folder: folder.data + "/x", marker: "y"))
    writer.add(.error, "store", "2")
    writer.finish(within: 60_000)
    #expect(folder.dataEntries == ["logs", "logs/daybook.log", "x", "x/y"])
    #expect(try messages() == ["1", "2"] && writer.droppedLines == 0)
  }

  @Test("An empty data folder stays empty")
  func emptyFolder() throws {
    let disk = SimulatedDisk()
    try disk.makeDirectory(path: "/data")
    let writer = LogWriter(LogFile(dataFolder: "/data/", fileSystem: disk), level: .info) { Instant(milliseconds: 0) }
    writer.add(.error, "store", "1")
    writer.finish(within: 60_000)
    #expect(disk.walk("/data").isEmpty)
  }

  @Test("The newest queued lines are dropped first, and counted")
  func holding() throws {
    let writer = writer()
    for number in 0..<(LogWriter.heldCapacity + 5) {
      writer.add(.error, "store", "\(number)")
      writer.finish(within: 60_000)
    }
    #expect(writer.droppedLines == 5)
    #expect(Files.make(folder: folder.data, marker: "y"))
    writer.finish(within: 60_000)
    #expect(try messages() == (0..<LogWriter.heldCapacity).map(String.init))
  }

  @Test(
    "A disk that hangs delays nobody: lines beyond the capacity are counted, and the end waits for its limit only")
  func hanging() async throws {
    let disk = SimulatedDisk()
    disk.isTracing = false
    try disk.makeDirectory(path: "/data")
    disk.setContents("/data/store.json", [])
    let (hangs, mayGoOn) = (Parker(), Parker())
    disk.interrupt(disk.process(42), afterCalls: 3) {
      hangs.unpark()
      mayGoOn.park()
    }
    let writer = LogWriter(LogFile(dataFolder: "/data", fileSystem: disk), level: .info) { Instant(milliseconds: 0) }
    writer.add(.error, "store", "first")
    await onThread { hangs.park() }
    for number in 0..<(LogWriter.capacity + 7) { writer.add(.error, "store", "\(number)") }
    writer.finish(within: 5)
    #expect(writer.droppedLines == 7 && !writer.isIdle)
    mayGoOn.unpark()
    writer.finish(within: 60_000)
    let kept = try LogTail(dataFolder: "/data", fileSystem: disk).last(1000).lines
    #expect(kept.last?.message == "\(LogWriter.capacity - 1)" && writer.droppedLines == 7)
  }

  @Test("Files that are not ours are not written to", arguments: ["file", "link", "file for folder"])
  func untrusted(_ kind: String) throws {
    let disk = SimulatedDisk()
    try disk.makeDirectory(path: "/data")
    switch kind {
    case "file":
      try disk.makeDirectory(path: "/data/logs")
      disk.setContents("/data/logs/daybook.log", [])
      disk.setOwner("/data/logs/daybook.log", 7)
    case "link":
      try disk.makeDirectory(path: "/data/logs")
      disk.replace("/data/logs", with: .symbolicLink)
    default: disk.setContents("/data/logs", [])
    }
    let before = disk.changes
    var file = LogFile(dataFolder: "/data", fileSystem: disk)
    #expect(file.append([10]) == .failed)
    #expect(disk.changes == before)
  }
}
