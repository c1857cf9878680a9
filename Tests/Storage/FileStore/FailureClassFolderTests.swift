import CrashLabKit
import FileStore
import FileStoreTesting
import Pacing
import Testing

/// The classes of failure caused by people, tools and other versions.
@Suite(.simulated)
struct FailureClassFolderTests {
  private let lab = FailureClassLab()

  @Test("Failure class 15: the folder is read-only, and becomes writable again")
  func readOnly() throws {
    var (disk, model) = try lab.prepare(2)
    disk.setFaults { $0.isReadOnly = true }
    let change = LabChange(key: LabKey(collection: 0, record: 9), padding: 1)
    let transaction = model.begin([change])
    let store = try lab.opened(disk)
    #expect((0..<2).allSatisfy { store.revision(of: $0) != nil })
    if case .acknowledged = store.commit(transaction) { Issue.record("a commit was answered that cannot be stored") }
    store.close()
    disk.setFaults { $0.isReadOnly = false }
    lab.recover(disk, model)
  }

  @Test("Failure class 15: the folder is removed while a store is open: nothing is acknowledged without being stored")
  func vanished() throws {
    var (disk, model) = try lab.prepareSegments()
    let store = try lab.opened(disk)
    let before = store.revision
    disk.move(lab.folder, to: "/elsewhere")
    let transaction = lab.begin(&model, 9)
    guard case .refused = store.commit(transaction) else {
      Issue.record("a commit into a folder that is gone was answered")
      return
    }
    model.set(transaction.number, .absent)
    #expect(store.refresh() == nil && store.revision == before, "what was read stays readable")
    #expect(disk.contents(lab.folder + "/store.json") == nil, "and nothing is created in its place")
    disk.move("/elsewhere", to: lab.folder)
    let later = lab.begin(&model, 9)
    #expect(store.commit(later) == .acknowledged(before + 1), "when it is back, work continues")
    model.set(later.number, .acknowledged(before + 1))
    store.close()
    lab.recover(disk.afterCrash(.nothing), model)
  }

  @Test(
    "Failure class 15: another folder replaces an open one: answered writes are where the path points",
    arguments: [false, true])
  func exchanged(_ isEmpty: Bool) throws {
    let (disk, model) = try lab.prepareSegments()
    var otherModel = LabModel()
    let store = try lab.opened(disk)
    disk.move(lab.folder, to: "/elsewhere")
    disk.replace(lab.folder, with: .directory)
    if !isEmpty {
      let other = try lab.opened(disk, as: 5)
      let first = lab.begin(&otherModel, 1)
      #expect(other.commit(first) == .acknowledged(1))
      otherModel.set(first.number, .acknowledged(1))
      other.close()
    }
    let old = disk.walk("/elsewhere")
    let transaction = lab.begin(&otherModel, 9)
    if case .acknowledged(let revision) = store.commit(transaction) {
      otherModel.set(transaction.number, .acknowledged(revision))
    }
    store.close()
    #expect(disk.walk("/elsewhere").map(\.size) == old.map(\.size), "nothing is written to where the old one went")
    lab.recover(disk.afterCrash(.nothing), otherModel)
    disk.remove(lab.folder)
    disk.move("/elsewhere", to: lab.folder)
    lab.recover(disk.afterCrash(.nothing), model)
  }

  @Test("Failure class 16: files that others may write are used, and made private by the next write and checkpoint")
  func openToOthers() throws {
    let (whole, _) = try lab.prepareSegments()
    for name in [""] + whole.walk(lab.folder).map({ "/" + $0.path }) {
      let (disk, model) = try lab.prepareSegments()
      disk.setMode(lab.folder + name, 0o777)
      let store = try lab.opened(disk)
      #expect((0..<3).allSatisfy { store.has($0) }, "\(name)")
      store.close()
      let writer = try lab.opened(disk)
      var copy = model
      guard case .acknowledged(let revision) = writer.commit(lab.begin(&copy, 9)) else {
        Issue.record("\(name): nothing can be written")
        continue
      }
      copy.set(copy.transactions.count - 1, .acknowledged(revision))
      #expect(writer.perform(.checkpoint) == nil, "\(name)")
      writer.close()
      #expect(disk.isPrivate(lab.folder), "\(name)")
    }
  }

  @Test("Failure class 16: another user's file or folder is neither used nor written")
  func foreign() throws {
    let (whole, _) = try lab.prepareSegments()
    for name in [""] + whole.walk(lab.folder).map({ "/" + $0.path }) where !name.hasPrefix("/manifest-") {
      let (disk, _) = try lab.prepareSegments()
      disk.setOwner(lab.folder + name, 4711)
      let before = disk.contents(lab.folder + name)
      if case .opened(let store) = lab.open(disk) {
        // A file read only on demand is missed then, and reported.
        let isRead = (0..<6).contains { !store.has($0) }
        #expect(!isRead || store.findings.contains(where: \.isLossPossible), "\(name): \(store.findings)")
        _ = store.commit(LabTransaction(number: 99, changes: []))
        _ = store.perform(.checkpoint)
        store.close()
      }
      // A checkpoint may remove the name of an older generation's file.
      let after = disk.contents(lab.folder + name)
      #expect(after == nil || after == before, "\(name) was written")
    }
  }

  @Test("Failure class 16: a second hard link of a file changes nothing")
  func secondNames() throws {
    let (whole, _) = try lab.prepareSegments()
    // Except for the lock, which is written in place, and is then refused.
    for file in whole.walk(lab.folder) where file.kind == .file && file.path != "lock" {
      let (disk, model) = try lab.prepareSegments()
      disk.link(lab.folder + "/" + file.path, to: "/copy")
      lab.recover(disk, model, profile: nil, "\(file.path)")
    }
  }

  @Test("Failure class 18: a newer version's folder is read but not written, and its unknown lines are kept")
  func newer() throws {
    let (disk, model) = try lab.prepare(3)
    let identity = String(decoding: try #require(disk.contents(lab.folder + "/store.json")), as: UTF8.self)
    let newer = identity.replacing("\"format\":1", with: "\"format\":2").dropLast(19)
    disk.setContents(lab.folder + "/store.json", closed(String(newer)))
    let before = disk.walk(lab.folder)
    let changes = disk.changes
    let store = try lab.opened(disk)
    #expect((0..<3).allSatisfy { store.revision(of: $0) != nil })
    var copy = model
    guard case .refused = store.commit(copy.begin([])) else {
      Issue.record("a newer version's folder was written")
      return
    }
    store.close()
    #expect(disk.changes == changes)
    #expect(disk.walk(lab.folder) == before)
  }

  @Test(
    "Failure class 18: a newer version starts to use the folder while a store is open: from then on it is only read",
    arguments: ["writer", "compatible", "incompatible"], [false, true])
  func becomesNewer(_ how: String, _ isFresh: Bool) throws {
    let (disk, model) = try lab.prepareSegments()
    let store = try lab.opened(disk)
    let before = store.revision
    try becomeNewer(disk, how)
    let journals = disk.walk(lab.folder)
    var copy = model
    if !isFresh { _ = store.perform(.poll) }
    guard case .refused(let reason) = store.commit(lab.begin(&copy, 9)) else {
      Issue.record("a newer version's folder was written")
      return
    }
    #expect(reason.hasPrefix("storeReadOnly") || reason.hasPrefix("storeUnavailable"), "\(reason)")
    #expect(store.refresh() == nil && store.revision == before, "what was read stays readable")
    #expect(store.perform(.checkpoint) != nil || disk.walk(lab.folder) == journals, "no checkpoint is made either")
    store.close()
    func data(_ found: [SimulatedDisk.Found]) -> [SimulatedDisk.Found] { found.filter { !$0.path.hasSuffix("lock") } }
    #expect(data(disk.walk(lab.folder)) == data(journals))
    switch lab.open(disk) {
    case .opened(let store):
      #expect(how != "incompatible", "what this version does not understand was read")
      #expect(store.revision == before)
      store.close()
    case .failed(let reason): #expect(how == "incompatible", "\(reason)")
    }
  }

  /// Changes the manifest as a newer version would.
  private func becomeNewer(_ disk: SimulatedDisk, _ how: String) throws {
    let path = lab.folder + "/manifest.json"
    let bytes = try #require(disk.contents(path))
    var text = String(decoding: bytes.dropLast(19), as: UTF8.self)
    let changes = [
      "writer": ("\"minWriter\":1", "\"minWriter\":2"), "compatible": ("\"compatible\":[]", "\"compatible\":[\"x\"]"),
      "incompatible": ("\"incompatible\":[]", "\"incompatible\":[\"x\"]"),
    ]
    let (old, new) = try #require(changes[how])
    for (old, new) in [(old, new), ("\"generation\":3", "\"generation\":4")] {
      let range = try #require(text.firstRange(of: old))
      text.replaceSubrange(range, with: new)
    }
    disk.move(path, to: lab.folder + "/manifest-3.json")
    disk.setContents(path, closed(text))
  }

  /// A text with its checksum.
  private func closed(_ text: String) -> [UInt8] {
    let sum = String(Array(text.utf8).withUnsafeBytes { CRC32C.checksum($0) }, radix: 16)
    return Array(text.utf8) + Array(",\"crc\":\"\(String(repeating: "0", count: 8 - sum.count))\(sum)\"}\n".utf8)
  }
}

extension LabStore {
  /// Whether the witness record of a transaction exists.
  func has(_ number: Int) -> Bool {
    var isThere = false
    forEachRecord(in: LabKey.witnesses) { record, _, _, _ in isThere = isThere || record == number }
    return isThere
  }
}
