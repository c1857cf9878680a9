import FileStore
import FileStoreTesting
import Testing

/// Two stores on disks of their own: one gets changes as usual, the other one the same ones in another way.
struct TwinStores {
  private let disks = (SimulatedDisk(), SimulatedDisk())
  let plain: FileStore
  let other: FileStore

  init() throws {
    plain = try FileStore.open(configuration(disks.0))
    other = try FileStore.open(configuration(disks.1))
  }

  /// Checks that both have the same records, changes and undo, in memory and on disk, and closes them.
  func close() throws {
    try TwinStores.compare(plain, other)
    try TwinStores.compare(FileStore.open(configuration(disks.0)), FileStore.open(configuration(disks.1)))
  }

  private static func compare(_ plain: FileStore, _ other: FileStore) throws {
    defer {
      plain.close()
      other.close()
    }
    #expect(try plain.snapshot.records(in: meals) == other.snapshot.records(in: meals))
    #expect(try plain.changes(since: 0) == other.changes(since: 0))
    let plans = try [plain, other].map { "\(try $0.undoEntry(author: "test").plan(in: $0.snapshot))" }
    #expect(plans[0] == plans[1])
  }
}
