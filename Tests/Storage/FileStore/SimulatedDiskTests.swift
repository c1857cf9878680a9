import FileStore
import FileStoreTesting
import Testing

/// Compares the simulated disk with the documented and measured behaviour of real ones.
struct SimulatedDiskTests {
  private let disk = SimulatedDisk()

  private func root(_ fileSystem: any FileSystem) throws -> Descriptor {
    try fileSystem.openDirectory(path: "/", followingLinks: false)
  }

  private func append(_ text: String, to file: Descriptor) throws {
    let count = try Array(text.utf8).withUnsafeBytes { try disk.append($0, to: file) }
    #expect(count == text.utf8.count)
  }

  /// A file with a synced name and start, and an unsynced end.
  private func prepare(synced: String, unsynced: String) throws {
    let root = try root(disk)
    let file = try disk.createFile("file", in: root)
    try disk.synchronizeDirectory(root)
    try append(synced, to: file)
    try disk.synchronizeFile(file)
    try append(unsynced, to: file)
  }

  private func survivors(_ profile: CrashProfile) -> Set<[UInt8]> {
    Set((0..<2000).compactMap { disk.afterCrash(.drawn(profile, seed: $0)).contents("/file") })
  }

  @Test("Synced data survives on every disk but a lying one", arguments: CrashProfile.allCases)
  func synced(_ profile: CrashProfile) throws {
    try prepare(synced: "abc", unsynced: "defghi")
    let found = survivors(profile)
    #expect(found.contains(Array("abcdefghi".utf8)))
    #expect(found.contains(Array("abc".utf8)))
    #expect(found.allSatisfy { $0.starts(with: "abc".utf8) } == (profile != .lying))
  }

  @Test("On XFS a file is cut off, elsewhere zeros may replace bytes", arguments: CrashProfile.allCases)
  func zeros(_ profile: CrashProfile) throws {
    try prepare(synced: "abc", unsynced: String(repeating: "d", count: 5000))
    let found = survivors(profile)
    #expect(found.contains { $0.contains(0) } == (profile != .xfsLike))
    if profile == .ordered {
      for bytes in found {
        // Zeros only after all content, and only up to the end of its page.
        let content = bytes.prefix { $0 != 0 }
        #expect(bytes.dropFirst(content.count).allSatisfy { $0 == 0 })
        #expect(bytes.count <= (content.count + 4095) / 4096 * 4096)
      }
    }
  }

  @Test("On the minimal disk a piece may be missing while the next one is there")
  func holes() throws {
    try prepare(synced: "abc", unsynced: String(repeating: "d", count: 2000))
    #expect(survivors(.minimal).contains { $0.count == 2003 && $0[600] == 0 && $0.last == UInt8(ascii: "d") })
    #expect(!survivors(.ordered).contains { $0.count == 2003 && $0[600] == 0 && $0.last == UInt8(ascii: "d") })
  }

  @Test("Changes of names survive in their order where the file system has a journal", arguments: CrashProfile.allCases)
  func order(_ profile: CrashProfile) throws {
    let root = try root(disk)
    for name in ["a", "b", "c"] { disk.close(try disk.createFile(name, in: root)) }
    var found: Set<String> = []
    for seed in 0..<500 as Range<UInt64> {
      let after = disk.afterCrash(.drawn(profile, seed: seed))
      found.insert(after.walk("/").map(\.path).joined())
    }
    let inOrder: Set = ["", "a", "ab", "abc"]
    #expect(found.isSuperset(of: inOrder))
    #expect((found == inOrder) == (profile == .ordered || profile == .xfsLike))
  }

  @Test("A rename between folders is half done only on the minimal disks", arguments: CrashProfile.allCases)
  func renames(_ profile: CrashProfile) throws {
    let root = try root(disk)
    try disk.makeDirectory("one", in: root)
    try disk.makeDirectory("two", in: root)
    let one = try disk.openDirectory("one", in: root)
    let two = try disk.openDirectory("two", in: root)
    disk.close(try disk.createFile("file", in: one))
    for folder in [root, one, two] { try disk.synchronizeDirectory(folder) }
    try disk.rename("file", in: one, to: "file", in: two)
    #expect(disk.contents("/one/file") == nil)
    var counts: Set<Int> = []
    for seed in 0..<500 as Range<UInt64> {
      counts.insert(disk.afterCrash(.drawn(profile, seed: seed)).walk("/").count { $0.kind == .file })
    }
    #expect(counts.contains(1))
    #expect((counts == [1]) == (profile == .ordered || profile == .xfsLike))
  }

  @Test("A file without a name can be used until it is closed, and no longer")
  func unlinked() throws {
    let root = try root(disk)
    let file = try disk.createFile("file", in: root)
    try disk.link("file", in: root, to: "other", in: root)
    #expect(try disk.status(of: file).linkCount == 2)
    try disk.unlink("file", in: root)
    try disk.unlink("other", in: root)
    #expect(try disk.status(of: file).linkCount == 0)
    try append("abc", to: file)
    #expect(try disk.status(of: file).size == 3)
    disk.close(file)
    #expect(throws: FileSystemError.self) { try disk.status(of: file) }
    #expect(disk.misuses == 1)
    try disk.synchronizeDirectory(root)
    #expect(disk.afterCrash(.everything).walk("/").isEmpty)
  }

  @Test("Locks belong to descriptions, go with them, and are lost by a conversion that is refused, as on Linux")
  func locks() throws {
    let (first, second) = (disk.process(1), disk.process(2))
    let name = try first.createFile("lock", in: try root(first))
    let one = try first.openFile("lock", in: try root(first), for: .reading)
    let two = try second.openFile("lock", in: try root(second), for: .reading)
    #expect(try first.lock(name, .shared))
    #expect(try first.lock(one, .shared))
    #expect(try !second.lock(two, .exclusive))
    #expect(try !first.lock(one, .exclusive), "the other description of the same process conflicts")
    first.close(name)
    #expect(try second.lock(two, .exclusive), "the refused conversion gave the shared lock up")
    #expect(try !first.lock(one, .shared))
    second.unlock(two)
    #expect(try first.lock(one, .exclusive))
    #expect(try first.lock(one, .shared), "downgrading is always possible")
    #expect(try second.lock(two, .shared))
  }

  @Test("A killed process leaves what it wrote, and neither locks nor descriptors")
  func kills() throws {
    let (first, second) = (disk.process(1), disk.process(2))
    let file = try first.createFile("file", in: try root(first))
    #expect(try first.lock(file, .exclusive))
    #expect(try Array("abc".utf8).withUnsafeBytes { try first.append($0, to: file) } == 3)
    let other = try second.openFile("file", in: try root(second), for: .reading)
    #expect(try !second.lock(other, .shared))
    disk.kill(first, afterCalls: 1)
    #expect(try first.status(of: file).size == 3)
    #expect(throws: FileSystemError.self) { try first.status(of: file) }
    #expect(disk.isDead(first))
    #expect(disk.openDescriptors(of: first).isEmpty)
    #expect(try second.lock(other, .exclusive))
    #expect(try second.status(of: other).size == 3)
  }

  @Test("Each kind of call fails when a rule says so, once or for ever", arguments: [false, true])
  func rules(_ isForEver: Bool) throws {
    let root = try root(disk)
    disk.setFaults { $0.rules = [DiskFault(.fails(.noSpace), calls: [.create], after: 1, isForEver: isForEver)] }
    disk.close(try disk.createFile("a", in: root))
    let error = #expect(throws: FileSystemError.self) { try disk.createFile("b", in: root) }
    #expect(error?.reason == .noSpace)
    if isForEver {
      #expect(throws: FileSystemError.self) { try disk.createFile("b", in: root) }
    } else {
      disk.close(try disk.createFile("b", in: root))
    }
  }

  @Test("A rename can happen although it fails, and be lost although it was synced")
  func strangeRenames() throws {
    let root = try root(disk)
    disk.close(try disk.createFile("a", in: root))
    try disk.synchronizeDirectory(root)
    disk.setFaults { $0.rules = [DiskFault(.happensYetFails(.inputOutput), calls: [.rename])] }
    #expect(throws: FileSystemError.self) { try disk.rename("a", in: root, to: "b", in: root) }
    #expect(disk.walk("/").map(\.path) == ["b"])
    try disk.synchronizeDirectory(root)
    disk.setFaults { $0.rules = [DiskFault(.isForgotten, calls: [.rename])] }
    try disk.rename("b", in: root, to: "c", in: root)
    try disk.synchronizeDirectory(root)
    #expect(disk.walk("/").map(\.path) == ["c"])
    #expect(disk.afterCrash(.everything).walk("/").map(\.path) == ["b"])
  }

  @Test("After a failed sync reading shows what no later sync saves")
  func failedSync() throws {
    try prepare(synced: "abc", unsynced: "def")
    let file = try disk.openFile("file", in: try root(disk), for: .appending)
    disk.setFaults { $0.failingSyncs = 1 }
    #expect(throws: FileSystemError.self) { try disk.synchronizeFile(file) }
    #expect(disk.contents("/file") == Array("abcdef".utf8))
    try append("ghi", to: file)
    try disk.synchronizeFile(file)
    #expect(disk.afterCrash(.nothing).contents("/file") == Array("abc\0\0\0ghi".utf8))
    disk.dropCaches()
    #expect(disk.contents("/file") == Array("abc\0\0\0ghi".utf8))
  }

  /// A file with a synced line followed by zeros, over which something unsynced was written.
  private func overwrite(_ text: String, at offset: Int, zeros: Int) throws -> Descriptor {
    let root = try root(disk)
    disk.close(try disk.createFile("file", in: root))
    try disk.synchronizeDirectory(root)
    let file = try disk.openFile("file", in: root, for: .updating)
    let start = Array("abc".utf8) + [UInt8](repeating: 0, count: zeros)
    #expect(try start.withUnsafeBytes { try disk.overwrite($0, of: file, at: 0) } == start.count)
    try disk.synchronizeFile(file)
    #expect(try Array(text.utf8).withUnsafeBytes { try disk.overwrite($0, of: file, at: offset) } == text.utf8.count)
    return file
  }

  @Test("Of an overwrite any of the sectors may survive, each one whole", arguments: CrashProfile.allCases)
  func overwrites(_ profile: CrashProfile) throws {
    let text = String(repeating: "d", count: 1200)
    let file = try overwrite(text, at: 3, zeros: 2000)
    #expect(try disk.status(of: file).size == 2003)
    var found: Set<[Bool]> = []
    for bytes in survivors(profile) where bytes.starts(with: "abc".utf8) {
      if profile != .lying { #expect(bytes.count == 2003) }
      guard bytes.count == 2003 else { continue }
      let sectors = [bytes[3..<512], bytes[512..<1024], bytes[1024..<1203]]
      for sector in sectors where profile != .lying {
        #expect(Set(sector).count == 1, "a sector is written completely or not at all")
      }
      #expect(bytes[1203...].allSatisfy { $0 == 0 })
      found.insert(sectors.map { $0.first != 0 })
    }
    #expect(found.isSuperset(of: (0..<8).map { number in (0..<3).map { number >> $0 & 1 == 1 } }))
    try disk.synchronizeFile(file)
    #expect(disk.afterCrash(.nothing).contents("/file")?[3] == UInt8(ascii: "d"))
  }

  @Test("An overwrite needs space only past the end, and is lost by a failed sync")
  func overwriteFaults() throws {
    let file = try overwrite("de", at: 3, zeros: 4)
    disk.setFaults { $0.freeBytes = 1 }
    #expect(try Array("0123456".utf8).withUnsafeBytes { try disk.overwrite($0, of: file, at: 5) } == 3)
    #expect(disk.contents("/file") == Array("abcde012".utf8))
    #expect(throws: FileSystemError.self) {
      try Array("x".utf8).withUnsafeBytes { try disk.overwrite($0, of: file, at: 8) }
    }
    #expect(try Array("y".utf8).withUnsafeBytes { try disk.overwrite($0, of: file, at: 0) } == 1)
    disk.setFaults { $0.failingSyncs = 1 }
    #expect(throws: FileSystemError.self) { try disk.synchronizeFile(file) }
    try disk.synchronizeFile(file)
    #expect(disk.contents("/file") == Array("ybcde012".utf8))
    #expect(disk.afterCrash(.nothing).contents("/file") == Array("abc\0\0\0\0\0".utf8))
  }

  @Test("Each moment before a change can be crashed separately")
  func moments() throws {
    disk.startRecording()
    try prepare(synced: "abc", unsynced: "def")
    let moments = disk.moments()
    // creat, fsync, write, fdatasync, write, and the present.
    #expect(moments.count == 6)
    let found = moments.map { $0.afterCrash(.nothing).contents("/file").map { String(decoding: $0, as: UTF8.self) } }
    #expect(found == [nil, nil, "", "", "abc", "abc"])
  }

  @Test("The draws of a seeded generator reach every number below their limit, and are the same again")
  func draws() {
    var (one, two) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    #expect(Set((0..<1000).map { _ in one.below(10) }) == Set(0..<10))
    _ = (0..<1000).map { _ in two.next() }
    #expect(one.next() == two.next())
  }
}
