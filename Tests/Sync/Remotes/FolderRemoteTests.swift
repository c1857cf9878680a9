import FileStore
import FileStoreTesting
import Pacing
import Synchronization
import Testing
import Values

@testable import SyncEngine
@testable import SyncRemotes

@Suite("A folder as a remote", .simulated)
struct FolderRemoteTests {
  private let disk = SimulatedDisk()

  private func remote(on disk: SimulatedDisk) -> FolderRemote {
    let number = Atomic<UInt64>(0)
    return FolderRemote("/shared", disk) { [number = Box(number)] in number.next() }
  }

  /// Counts up from 1.
  private final class Box: Sendable {
    private let number: Atomic<UInt64>
    init(_ number: consuming Atomic<UInt64>) { self.number = number }
    func next() -> EntityID { EntityID(high: 0, low: number.add(1, ordering: .relaxed).newValue) }
  }

  private func newFolder() -> FolderRemote {
    disk.replace("/shared", with: .directory)
    return remote(on: disk)
  }

  private func cause<Value>(_ body: () throws(RemoteFailure) -> Value) -> RemoteFailure.Cause? {
    do throws(RemoteFailure) {
      _ = try body()
      return nil
    } catch { return error.cause }
  }

  @Test("Files are put, listed, read, replaced and deleted")
  func files() throws {
    let remote = newFolder()
    #expect(try remote.list("heads/") == [] && remote.get("heads/a.json") == nil)
    try remote.put("heads/a.json", [1])
    try remote.put("batches/a/00000001-x.jsonl", [2])
    try remote.put("heads/a.json", [3])
    #expect(try remote.list("heads/") == ["heads/a.json"])
    #expect(try remote.list("batches/a/") == ["batches/a/00000001-x.jsonl"])
    #expect(try remote.get("heads/a.json") == [3])
    try remote.delete("heads/a.json")
    try remote.delete("heads/a.json")
    #expect(try remote.list("heads/") == [])
  }

  @Test("What was put is there after a power failure, as a whole")
  func powerFailure() throws {
    disk.replace("/shared", with: .directory)
    try remote(on: disk).put("heads/a.json", Array(repeating: 1, count: 5000))
    for calls in 0..<20 {
      let copy = disk.afterCrash(.everything)
      copy.cutPower(afterCalls: calls)
      let failure = cause { () throws(RemoteFailure) in
        try remote(on: copy).put("heads/a.json", Array(repeating: 2, count: 5000))
      }
      let found = try remote(on: copy.afterCrash(.nothing)).get("heads/a.json")
      #expect(found == Array(repeating: 2, count: 5000) || failure != nil && found == Array(repeating: 1, count: 5000))
    }
  }

  @Test("Files of other programs are left alone")
  func foreign() throws {
    let remote = newFolder()
    try remote.put("heads/a.json", [1])
    for name in [".stfolder", "a.json.123.part", "desktop.ini", "~a.tmp"] {
      disk.setContents("/shared/heads/\(name)", [9])
    }
    #expect(try remote.list("heads/") == ["heads/a.json"])
  }

  @Test("What is not a file, or no folder, where one belongs is damaged")
  func oddThings() throws {
    let remote = newFolder()
    try remote.put("heads/a.json", [1])
    disk.replace("/shared/heads/a.json", with: .directory)
    #expect(cause { () throws(RemoteFailure) in try remote.get("heads/a.json") } == .damaged)
    disk.replace("/shared/batches", with: .file)
    #expect(cause { () throws(RemoteFailure) in try remote.list("batches/a/") } == .damaged)
    #expect(try remote.list("heads/") == ["heads/a.json"])
  }

  @Test("A missing folder, a file, a full disk and a folder that is not ours to write are told apart")
  func failures() throws {
    #expect(cause { () throws(RemoteFailure) in try remote(on: disk).list("heads/") } == .missing)
    #expect(cause { () throws(RemoteFailure) in try remote(on: disk).put("heads/a", [1]) } == .missing)
    #expect(disk.walk("/shared").isEmpty, "the folder itself is never made")
    disk.replace("/shared", with: .file)
    #expect(cause { () throws(RemoteFailure) in try remote(on: disk).list("heads/") } == .notAFolder)
    let made = newFolder()
    disk.setFaults { $0.freeBytes = 0 }
    #expect(cause { () throws(RemoteFailure) in try made.put("heads/a", Array(repeating: 1, count: 100)) } == .full)
    #expect(try made.list("heads/") == [])
    let id = EntityID(high: 7, low: 7)
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity.probe(made, id: id) } == .full)
    disk.setFaults { ($0.freeBytes, $0.isReadOnly) = (nil, true) }
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity.probe(made, id: id) } == .notPermitted)
    disk.setFaults {
      ($0.isReadOnly, $0.rules) = (false, [DiskFault(.fails(.permissionDenied), calls: [.open], isForEver: true)])
    }
    #expect(cause { () throws(RemoteFailure) in try made.list("heads/") } == .notPermitted)
  }

  @Test("A folder is known by its id")
  func identity() throws {
    let remote = newFolder()
    let id = EntityID(high: 7, low: 7)
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity(of: remote) } == .remoteEmpty)
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity(of: remote, expected: id) } == .storeMissing)
    disk.setContents("/shared/.hidden", [1])
    try RemoteIdentity.probe(remote, id: id)
    #expect(try RemoteIdentity.create(in: remote, id: id).id == id)
    #expect(try RemoteIdentity.create(in: remote, id: EntityID(high: 8, low: 8)).id == id, "it has one already")
    #expect(try RemoteIdentity(of: remote, expected: id).id == id)
    let other = EntityID(high: 9, low: 9)
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity(of: remote, expected: other) } == .storeChanged)
    disk.setContents("/shared/store.json", Array("{\"format\":2,\"id\":\"\(id)\"}".utf8))
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity(of: remote) } == .newerFormat)
    disk.setContents("/shared/store.json", Array("{".utf8))
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity(of: remote) } == .damaged)
  }

  @Test("A folder with files of others is not taken")
  func foreignFolder() throws {
    let remote = newFolder()
    disk.setContents("/shared/holiday.jpg", [1])
    let id = EntityID(high: 7, low: 7)
    #expect(cause { () throws(RemoteFailure) in try RemoteIdentity.create(in: remote, id: id) } == .foreignFiles)
  }
}
