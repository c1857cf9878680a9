import CivilTime
import FileStore
import FileStoreTesting
import Foundation
import JSON
import ProcessTesting
import Spawning
import Testing

@testable import DaybookServer

@Suite("Archives")
struct TarTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/a.tar" }
  private static let moment = Instant(milliseconds: 1_767_614_400_999)

  init() throws { folder = try TemporaryFolder() }

  private func write(_ entries: [(name: String, content: [UInt8])]) throws -> Int {
    let fileSystem = PosixFileSystem()
    let directory = try fileSystem.openDirectory(path: folder.path, followingLinks: true)
    defer { fileSystem.close(directory) }
    let file = try fileSystem.createFile("a.tar", in: directory)
    defer { fileSystem.close(file) }
    var archive = TarWriter(file, fileSystem)
    for entry in entries { try archive.add(entry.name, entry.content, modifiedAt: TarTests.moment) }
    try archive.finish()
    return archive.length
  }

  /// Contents with lengths around a block, and names with lengths around the limits.
  private static let samples: [(name: String, content: [UInt8])] = {
    let contents = [0, 1, 511, 512, 513, 1024, 70_000].map { count in
      (name: "length/\(count).txt", content: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }
    let long = [
      String(repeating: "n", count: 100), String(repeating: "p", count: 90) + "/" + String(repeating: "n", count: 100),
      String(repeating: "p", count: 155) + "/" + String(repeating: "n", count: 100), "ä/ö ü.txt",
      (0..<25).map { "folder\($0 % 10)" }.joined(separator: "/"),
    ]
    return contents + long.map { ($0, Array("content of \($0)".utf8)) }
  }()

  @Test("tar lists every entry with its mode, length and time")
  func tar() async throws {
    let length = try write(TarTests.samples)
    #expect(length % 512 == 0)
    let listed = try await Program.command(["/usr/bin/env", "tar", "--utc", "--full-time", "-tvf", path])
    #expect(listed.status == .exited(0) && listed.error.isEmpty)
    let lines = listed.output.split(separator: "\n")
    #expect(lines.count == TarTests.samples.count)
    for (line, sample) in zip(lines, TarTests.samples) where sample.name.utf8.allSatisfy({ $0 < 128 }) {
      #expect(line.hasPrefix("-rw------- 0/0 ") && line.hasSuffix(" 2026-01-05 12:00:00 \(sample.name)"))
      #expect(line.contains(" \(sample.content.count) "))
    }
  }

  @Test("Python's tarfile reads every byte back, and accepts every checksum")
  func python() async throws {
    _ = try write(TarTests.samples)
    let script = """
      import hashlib, json, sys, tarfile
      with tarfile.open(sys.argv[1], "r:", errorlevel=2) as archive:
          print(json.dumps([[m.name, m.size, m.mode, m.mtime, m.isreg(), m.uname + m.gname,
                             archive.extractfile(m).read().hex()] for m in archive]))
      """
    let done = try await Program.command(["/usr/bin/env", "python3", "-c", script, path])
    #expect(done.status == .exited(0), "\(done.error)")
    guard case .array(let members) = try JSONValue(json: Array(done.output.utf8)) else { throw HarnessError("no list") }
    #expect(members.count == TarTests.samples.count)
    for (member, sample) in zip(members, TarTests.samples) {
      let hex = sample.content.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let expected: [JSONValue] = [
        .string(sample.name), .number(JSONNumber(sample.content.count)), .number(JSONNumber(0o600)),
        .number(JSONNumber(1_767_614_400)), .bool(true), .string(""), .string(hex),
      ]
      #expect(member == .array(expected))
    }
  }

  @Test(
    "A name that is too long or leaves the folder is refused",
    arguments: [
      "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\0b", String(repeating: "a", count: 101),
      String(repeating: "a", count: 156) + "/" + String(repeating: "b", count: 100),
      "a/" + String(repeating: "b", count: 101),
    ])
  func names(_ name: String) {
    #expect(TarHeader(name: name, size: 0, modifiedAt: TarTests.moment) == nil)
  }

  @Test("A length has at most eleven octal digits, and times are clamped to them", arguments: [Int64.min, -1, .max])
  func numbers(_ milliseconds: Int64) throws {
    let moment = Instant(milliseconds: milliseconds)
    #expect(TarHeader(name: "a", size: -1, modifiedAt: moment) == nil)
    #expect(TarHeader(name: "a", size: 1 << 33, modifiedAt: moment) == nil)
    let header = try #require(TarHeader(name: "a", size: 1 << 33 - 1, modifiedAt: moment))
    let time = String(decoding: header.bytes[136..<147], as: UTF8.self)
    #expect(time == (milliseconds < 0 ? "00000000000" : "77777777777"))
  }

  @Test("A disk that accepts few bytes at a time gets everything, and a full one is reported")
  func disks() throws {
    let disk = SimulatedDisk()
    try disk.makeDirectory(path: "/a")
    let folder = try disk.openDirectory(path: "/a", followingLinks: false)
    let file = try disk.createFile("x", in: folder)
    disk.setFaults { $0.longestAppend = 100 }
    var archive = TarWriter(file, disk)
    try archive.add("n", [1, 2, 3], modifiedAt: TarTests.moment)
    #expect(disk.contents("/a/x")?.count == 1024 && archive.length == 1024)
    disk.setFaults { $0.freeBytes = 700 }
    #expect { try archive.add("n", [1], modifiedAt: TarTests.moment) } throws: {
      ($0 as? DiagnosticsError)?.code == .diskFull
    }
  }
}
