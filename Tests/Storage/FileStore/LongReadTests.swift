import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

@Suite("Long files are read in pieces", .simulated)
struct LongReadTests {
  private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 251) }

  private func file(_ disk: SimulatedDisk) throws -> Descriptor {
    let folder = try disk.openDirectory(path: "/", followingLinks: true)
    let file = try disk.createFile("long", in: folder)
    #expect(disk.appendAll(bytes, to: file).failure == nil)
    disk.close(file)
    return try disk.openFile("long", in: folder, for: .reading)
  }

  @Test("All of it, or a range", arguments: [0, 1, 262_144, 262_145, 699_999])
  func whole(from start: Int) throws {
    let disk = SimulatedDisk()
    let file = try file(disk)
    let (read, failure) = disk.contents(of: file, from: start, size: bytes.count - start)
    #expect(failure == nil && read == Array(bytes[start...]))
    #expect(disk.contents(of: file, from: start, size: bytes.count).bytes.count == bytes.count - start)
  }

  @Test("Up to a failing read, and after short reads")
  func refused() throws {
    let disk = SimulatedDisk()
    let file = try file(disk)
    disk.setFaults { $0.rules = [DiskFault(.fails(.inputOutput), calls: [.read], after: 1)] }
    let (read, failure) = disk.contents(of: file, size: bytes.count)
    #expect(failure?.reason == .inputOutput && read == Array(bytes.prefix(262_144)))
    disk.setFaults { $0.rules = [DiskFault(.isShort(1000), calls: [.read])] }
    #expect(disk.contents(of: file, size: bytes.count).bytes == bytes)
    disk.setFaults { $0.rules = [] }
    #expect(throws: Never.self) { try disk.verify(bytes, in: file) }
    var other = bytes
    other[600_000] ^= 1
    #expect(throws: FileSystemError.self) { try disk.verify(other, in: file) }
  }
}
