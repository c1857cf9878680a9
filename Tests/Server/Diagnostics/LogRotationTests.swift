import DaybookProtocol
import FileStore
import FileStoreTesting
import Foundation
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Rotation of the log")
struct LogRotationTests {
  private let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.data + "/x", withIntermediateDirectories: true)
  }

  private static func line(_ process: Int, _ number: Int) -> [UInt8] {
    let start = #"{"at":"2026-01-05T12:00:00.000Z","level":"info","category":"sync","message":""#
    return Array("\(start)\(number)\",\"pid\":\(process)}\n".utf8)
  }

  @Test("Each file stays within its limit, four are kept, and they hold the newest lines without a gap")
  func limits() throws {
    let limit = 1000
    var file = LogFile(dataFolder: folder.data, limit: limit)
    for number in 0..<200 { #expect(file.append(LogRotationTests.line(1, number)) == .written) }
    let names = ["daybook.1.log", "daybook.2.log", "daybook.3.log", "daybook.log"]
    let logs = folder.data + "/logs"
    #expect(try FileManager.default.contentsOfDirectory(atPath: logs).sorted() == names + ["lock"])
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: logs + "/" + name)
      #expect((attributes[.size] as? Int ?? .max) <= limit)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(try FileManager.default.attributesOfItem(atPath: logs)[.posixPermissions] as? Int == 0o700)
    let found = try LogTail(dataFolder: folder.data).last(1000)
    let numbers = found.lines.compactMap { Int($0.message) }
    #expect(numbers.count > 3 * limit / LogRotationTests.line(1, 199).count - 3)
    #expect(numbers == Array((200 - numbers.count)..<200) && found.damagedLines == 0)
  }

  @Test("A line longer than the limit gets a file of its own")
  func longLine() {
    var file = LogFile(dataFolder: folder.data, limit: 10)
    for number in 0..<3 { #expect(file.append(LogRotationTests.line(1, number)) == .written) }
    #expect((try? LogTail(dataFolder: folder.data).last(10))?.lines.map(\.message) == ["0", "1", "2"])
  }

  @Test(
    "Several writers that rotate at once lose and tear no line, and keep the order of each", arguments: [2, 4])
  func together(_ writers: Int) async throws {
    // Two rotations at most, so that no line is dropped for its age.
    let each = 800 / writers
    let limit = 800 * LogRotationTests.line(1, 100).count / 3 + 500
    let data = folder.data
    await withTaskGroup(of: Int.self) { group in
      for process in 1...writers {
        group.addTask {
          await onThread {
            var file = LogFile(dataFolder: data, limit: limit)
            return (0..<each).filter { file.append(LogRotationTests.line(process, $0)) != .written }.count
          }
        }
      }
      for await failures in group { #expect(failures == 0) }
    }
    let found = try LogTail(dataFolder: data).last(1000)
    #expect(found.damagedLines == 0 && found.lines.count == writers * each)
    for process in 1...writers {
      #expect(found.lines.filter { $0.pid == process }.compactMap { Int($0.message) } == Array(0..<each))
    }
    #expect(FileManager.default.fileExists(atPath: data + "/logs/daybook.1.log"))
  }

  @Test("Two processes that find the file full at once rotate it once, in any interleaving", arguments: 0..<20)
  func raced(_ calls: Int) throws {
    let disk = SimulatedDisk()
    disk.isTracing = false
    try disk.makeDirectory(path: "/data")
    try disk.makeDirectory(path: "/data/logs")
    // There is room for one rotation only.
    for number in 0..<3 {
      let lines = LogRotationTests.line(1, 4 - 2 * number) + LogRotationTests.line(1, 5 - 2 * number)
      disk.setContents("/data/logs/" + LogFolder.name(number), lines)
    }
    // A file has room for two lines, so that both writers' lines fit into the new one.
    let limit = 2 * LogRotationTests.line(1, 0).count
    let (slower, faster) = (disk.process(7), disk.process(8))
    disk.interrupt(slower, afterCalls: calls) {
      var file = LogFile(dataFolder: "/data", fileSystem: faster, limit: limit)
      #expect(file.append(LogRotationTests.line(8, 6)) == .written)
    }
    var file = LogFile(dataFolder: "/data", fileSystem: slower, limit: limit)
    #expect(file.append(LogRotationTests.line(7, 6)) == .written)
    let isInterrupted = !disk.endInterruption()
    let lines = try LogTail(dataFolder: "/data", fileSystem: disk).last(9).lines
    #expect(lines.filter { $0.pid == 1 }.map(\.message) == (0..<6).map(String.init))
    #expect(lines.count == (isInterrupted ? 8 : 7))
  }

  @Test("A rotation that is killed anywhere loses the oldest file only")
  func killed() throws {
    for calls in 0..<40 {
      let disk = SimulatedDisk()
      disk.isTracing = false
      try disk.makeDirectory(path: "/data")
      try disk.makeDirectory(path: "/data/logs")
      for number in 0..<4 {
        disk.setContents("/data/logs/" + LogFolder.name(number), LogRotationTests.line(1, 3 - number))
      }
      let process = disk.process(7)
      disk.kill(process, afterCalls: calls)
      var killed = LogFile(dataFolder: "/data", fileSystem: process, limit: 150)
      _ = killed.append(LogRotationTests.line(1, 4))
      var file = LogFile(dataFolder: "/data", fileSystem: disk, limit: 150)
      #expect(file.append(LogRotationTests.line(1, 5)) == .written)
      let numbers = try LogTail(dataFolder: "/data", fileSystem: disk).last(9).lines.compactMap { Int($0.message) }
      // Before the rotation the oldest file is still there; two rotations remove two.
      #expect([[1, 2, 3, 5], [2, 3, 4, 5], [1, 2, 3, 4, 5]].contains(numbers), "\(calls) calls: \(numbers)")
    }
  }

  @Test("While another process rotates, or none can, lines are appended to the file, up to a limit")
  func stuck() throws {
    let disk = SimulatedDisk()
    disk.isTracing = false
    try disk.makeDirectory(path: "/data")
    disk.setContents("/data/store.json", [])
    var file = LogFile(dataFolder: "/data", fileSystem: disk, limit: 1000)
    #expect(file.append(LogRotationTests.line(1, 0)) == .written)
    disk.setContents("/data/logs/lock", [])
    let other = disk.process(7)
    let logs = try other.openDirectory(path: "/data/logs", followingLinks: false)
    #expect(try other.lock(other.openFile("lock", in: logs, for: .updating), .exclusive))
    let outcomes = (1..<100).map { file.append(LogRotationTests.line(1, $0)) }
    let size = try #require(disk.contents("/data/logs/daybook.log")).count
    #expect(outcomes.first == .written && outcomes.last == .failed && (1500...2200).contains(size))
  }
}
