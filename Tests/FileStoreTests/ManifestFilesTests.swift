import CivilTime
import FileStoreTesting
import Foundation
import Testing
import Values

@testable import FileStore

struct ManifestFilesTests {
  /// A simulated data folder, with its manifests.
  private struct Place {
    let disk: SimulatedDisk
    let root: Descriptor
    var files: ManifestFiles { ManifestFiles(fileSystem: disk, root: root) }

    init(_ disk: SimulatedDisk = SimulatedDisk()) throws {
      self.disk = disk
      for path in ["/home", "/home/someone", folder] { try? disk.makeDirectory(path: path) }
      try disk.synchronizeDirectory(try disk.openDirectory(path: "/", followingLinks: false))
      try disk.synchronizeDirectory(try disk.openDirectory(path: "/home", followingLinks: false))
      try disk.synchronizeDirectory(try disk.openDirectory(path: "/home/someone", followingLinks: false))
      root = try disk.openDirectory(path: folder, followingLinks: false)
    }

    /// The rules of trust, as the store has them.
    func open(
      _ name: String, _ directory: Descriptor, _ kind: FileStatus.Kind
    ) throws(StoreError) -> (descriptor: Descriptor, status: FileStatus)? {
      var report = RecoveryReport()
      var store = try StoreFolder(opening: folder, disk, &report)
      defer { store.close() }
      return try store.openTrusted(name, in: directory, kind, &report)
    }

    func load() throws -> (loading: ManifestFiles.Loading, notes: [ManifestNote]) {
      var notes: [ManifestNote] = []
      return (try files.load(store: EntityID(high: 1, low: 1), &notes, open), notes)
    }

    /// What loading gives, and the kinds of notes; the pin is closed.
    func loaded() throws -> (ManifestFiles.Loaded, [ManifestNote.Kind]) {
      let (loading, notes) = try load()
      guard case .loaded(let loaded) = loading else {
        Issue.record("\(loading)")
        throw StoreError(.storeUnavailable, "nothing was loaded")
      }
      if let pin = loaded.pin { disk.close(pin) }
      return (loaded, notes.map(\.kind))
    }

    func write(_ path: String, _ bytes: [UInt8]) throws {
      var directory = root
      let names = path.split(separator: "/").map(String.init)
      for name in names.dropLast() {
        try? disk.makeDirectory(name, in: directory)
        directory = try disk.openDirectory(name, in: directory)
      }
      let file = try disk.createFile(names[names.count - 1], in: directory)
      _ = disk.appendAll(bytes, to: file)
      disk.close(file)
    }

    func names() throws -> [String] { try disk.names(in: root).sorted() }
  }

  private func manifest(_ generation: Int) -> Manifest {
    Manifest(generation: generation, store: EntityID(high: 1, low: 2), revision: generation * 10, journal: generation)
  }

  /// A folder whose manifest was replaced until it had that generation.
  private func place(_ generation: Int) throws -> Place {
    let place = try Place()
    for number in 1...generation {
      let old = number > 1 ? number - 1 : nil
      place.disk.close(try place.files.replace(old: old, with: manifest(number), temporaryName: "temporary-\(number)"))
    }
    return place
  }

  @Test("An empty folder has no manifest, and looking for one makes nothing")
  func nothing() throws {
    let place = try Place()
    let changes = place.disk.changes
    let (loading, notes) = try place.load()
    guard case .none = loading else {
      Issue.record("\(loading)")
      return
    }
    #expect(notes.isEmpty)
    #expect(place.disk.changes == changes)
  }

  @Test("A replaced manifest is kept under its generation, and the new one is found")
  func replacing() throws {
    let place = try place(3)
    #expect(try place.names() == ["manifest-1.json", "manifest-2.json", "manifest.json"])
    let (loaded, notes) = try place.loaded()
    #expect(loaded.manifest == manifest(3))
    #expect(loaded.source == .current)
    #expect(loaded.nextGeneration == 4)
    #expect(notes.isEmpty)
    #expect(try place.files.predecessors() == [2, 1])
    try place.files.remove(generation: 1)
    try place.files.remove(generation: 1)
    #expect(try place.files.predecessors() == [2])
    #expect(place.disk.contents(folder + "/manifest-2.json") == manifest(2).bytes)
  }

  @Test("Without the current manifest the newest predecessor is used, then the next", arguments: [true, false])
  func predecessors(_ isDamaged: Bool) throws {
    let place = try place(3)
    if isDamaged {
      place.disk.setContents(folder + "/manifest.json", Array("{\"manifest\":1}\n".utf8))
    } else {
      try place.disk.unlink("manifest.json", in: place.root)
    }
    let first: ManifestNote.Kind = isDamaged ? .damagedManifest : .missingManifest
    var (loaded, notes) = try place.loaded()
    #expect(loaded.manifest == manifest(2))
    #expect(loaded.source == .predecessor)
    #expect(loaded.nextGeneration == 4)
    #expect(notes == [first, .usedPredecessor])
    place.disk.setContents(folder + "/manifest-2.json", [])
    (loaded, notes) = try place.loaded()
    #expect(loaded.manifest == manifest(1))
    #expect(loaded.nextGeneration == 4)
    #expect(notes == [first, .damagedManifest, .usedPredecessor])
    place.disk.setContents(folder + "/manifest-1.json", [0])
    (loaded, notes) = try place.loaded()
    #expect(loaded.source == .rebuilt)
    #expect(loaded.pin == nil)
    #expect(loaded.manifest.segments.isEmpty)
    #expect(loaded.nextGeneration == 4)
    #expect(notes == [first, .damagedManifest, .damagedManifest, .rebuilt])
  }

  @Test("A manifest that the medium does not give up to its end is told from a damaged one")
  func unreadable() throws {
    let place = try place(2)
    place.disk.setFaults { $0.unreadableFrom = 100 }
    let (loaded, notes) = try place.loaded()
    #expect(loaded.source == .rebuilt)
    #expect(notes == [.unreadableManifest, .unreadableManifest, .rebuilt])
  }

  @Test(
    "A newer version's manifest is never passed over for an older one", arguments: ["manifest.json", "manifest-1.json"])
  func newer(_ name: String) throws {
    let place = try place(2)
    place.disk.setContents(folder + "/manifest.json", [])
    place.disk.setContents(folder + "/" + name, line("{\"manifest\":2"))
    guard case .newer = try place.load().loading else {
      Issue.record("it was not left alone")
      return
    }
  }

  @Test("Out of the segments the newest finished one of every month is taken")
  func rebuilding() throws {
    let place = try Place()
    let (first, _) = try segmentFile(someRecords(2), generation: 2)
    let (second, secondEntry) = try segmentFile(someRecords(4), generation: 4)
    let (third, _) = try segmentFile(someRecords(6), generation: 7)
    let (all, allEntry) = try segmentFile(someRecords(3, hasDay: false), "all", generation: 5)
    try place.write("segments/meals/2026-01.2.jsonl", first)
    try place.write("segments/meals/2026-01.4.jsonl", second)
    try place.write("segments/meals/2026-01.7.jsonl", Array(third.dropLast(100)))
    try place.write("segments/meals/all.5.jsonl", all)
    try place.write("segments/meals/all.6.jsonl", second)
    try place.write("segments/meals/desktop.ini", [1])
    try place.write("segments/some file", [1])
    try place.write("journal/000003.jsonl", [])
    try place.write("journal/000004.jsonl", [])
    let (loaded, notes) = try place.loaded()
    #expect(loaded.manifest.segments == [allEntry, secondEntry])
    #expect(loaded.manifest.generation == 7)
    #expect(loaded.nextGeneration == 8)
    #expect(loaded.manifest.revision == 13)
    #expect(loaded.manifest.journal == 3)
    #expect(loaded.manifest.store == EntityID(high: 1, low: 1))
    #expect(notes.sorted { $0.rawValue < $1.rawValue } == [.rebuilt, .unusedSegment, .unusedSegment])
    // It can be written, and is then found like any other.
    place.disk.close(try place.files.replace(old: nil, with: loaded.manifest, temporaryName: "temporary"))
    #expect(try place.loaded().0.manifest == loaded.manifest)
  }

  @Test("A month of which no finished segment is left keeps what can be saved of an unfinished one")
  func rebuildingFromDamage() throws {
    let place = try Place()
    let (bytes, entry) = try segmentFile(someRecords(4), generation: 4)
    var damaged = bytes
    damaged[300] ^= 1
    try place.write("segments/meals/2026-01.4.jsonl", Array(damaged.dropLast(100)))
    var (loaded, notes) = try place.loaded()
    let found = try #require(loaded.manifest.segments.first)
    #expect(loaded.manifest.segments.count == 1)
    #expect(found.key == entry.key)
    #expect(found.count == 4)
    #expect(notes == [.damagedSegment, .rebuilt])
    try place.write("segments/meals/2026-01.3.jsonl", [])
    place.disk.setContents(folder + "/segments/meals/2026-01.4.jsonl", damaged)
    (loaded, notes) = try place.loaded()
    #expect(loaded.manifest.segments.first?.count == 4)
    #expect(loaded.manifest.segments.first?.bytes == bytes.count)
    #expect(notes == [.damagedSegment, .rebuilt])
  }

  @Test("A link or somebody else's file in the place of a manifest is refused")
  func trust() throws {
    for name in ["manifest.json", "segments"] {
      let place = try place(1)
      if name == "segments" { try place.disk.unlink("manifest.json", in: place.root) }
      place.disk.replace(folder + "/" + name, with: .symbolicLink)
      #expect(throws: StoreError.self) { try place.load() }
    }
    let place = try place(1)
    place.disk.setFaults { $0.owner = 1 }
    #expect(throws: StoreError.self) { try place.load() }
  }

  @Test("Who has loaded a manifest keeps the cleaner from what it names, until it is closed")
  func pins() throws {
    let place = try place(2)
    guard case .loaded(let loaded) = try place.load().loading, let pin = loaded.pin else {
      Issue.record("nothing was loaded")
      return
    }
    let newPin = try place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")
    var notes: [ManifestNote] = []
    #expect(try place.files.lockUnused(generation: 2, &notes, place.open) == nil)
    let first = try #require(try place.files.lockUnused(generation: 1, &notes, place.open))
    #expect(first.manifest == manifest(1))
    place.disk.close(pin)
    let second = try #require(try place.files.lockUnused(generation: 2, &notes, place.open))
    #expect(second.manifest == manifest(2))
    #expect(try place.files.lockUnused(generation: 9, &notes, place.open) == nil)
    #expect(notes.isEmpty)
    // The new one is locked by who wrote it: nobody may have it exclusively.
    let current = try place.disk.openFile("manifest.json", in: place.root, for: .reading)
    #expect(try !place.disk.lock(current, .exclusive))
    for file in [first.file, second.file, newPin, current] { place.disk.close(file) }
  }

  @Test("A manifest that is replaced between opening and locking is not the one that is used")
  func replacedMeanwhile() throws {
    let place = try place(1)
    var notes: [ManifestNote] = []
    var count = 0
    let found = try place.files.read("manifest.json", &notes) { name, directory, kind throws(StoreError) in
      let opened = try place.open(name, directory, kind)
      count += 1
      if count <= 3 {
        place.disk.close(
          try place.files.replace(old: count, with: manifest(count + 1), temporaryName: "temporary-\(count)"))
      }
      return opened
    }
    guard case .readable(let read, let pin) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(read == manifest(4))
    #expect(count == 4)
    #expect(notes.isEmpty)
    place.disk.close(pin)
  }

  @Test("A manifest that is locked for removal all the time can still be read, and that is said")
  func lockedAllTheTime() throws {
    let place = try place(1)
    let other = try place.disk.openFile("manifest.json", in: place.root, for: .reading)
    #expect(try place.disk.lock(other, .exclusive))
    let (loaded, notes) = try place.loaded()
    #expect(loaded.manifest == manifest(1))
    #expect(notes == [.notPinned])
  }

  @Test("A manifest that would not be read back is not written")
  func unfaithful() throws {
    let place = try place(1)
    var bad = manifest(2)
    bad.journal = 0
    #expect(throws: StoreError.self) { try place.files.replace(old: 1, with: bad, temporaryName: "temporary") }
    let (_, entry) = try segmentFile(someRecords())
    bad = manifest(2)
    bad.segments = [entry, entry]
    #expect(throws: StoreError.self) { try place.files.replace(old: 1, with: bad, temporaryName: "temporary") }
    #expect(try place.names() == ["manifest.json"])
  }

  @Test("After a failed sync, and on a full disk, the old manifest stays and trying again succeeds")
  func failures() throws {
    for fault in 0..<4 {
      let place = try place(2)
      place.disk.setFaults { faults in
        switch fault {
        case 0: faults.failingSyncs = 1
        case 1: faults.freeBytes = 50
        case 2: faults.failingCreations = 1
        default: faults.isReadOnly = true
        }
      }
      #expect(throws: StoreError.self) {
        try place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")
      }
      place.disk.setFaults { faults in
        faults.freeBytes = nil
        faults.isReadOnly = false
      }
      #expect(try place.loaded().0.manifest == manifest(2))
      #expect(!(try place.names()).contains("temporary"))
      place.disk.close(try place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary"))
      #expect(try place.names() == ["manifest-1.json", "manifest-2.json", "manifest.json"])
    }
  }

  @Test(
    "A power cut before any call of a replacement leaves the old manifest or the new one, and trying again succeeds")
  func crashes() throws {
    let calls = try { () -> Int in
      let place = try place(2)
      let before = place.disk.calls
      _ = try place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")
      return place.disk.calls - before
    }()
    #expect(calls > 10)
    for call in 0...calls {
      for survival in [.nothing, .everything] + (0..<20).map({ Survival.random(seed: UInt64($0)) }) {
        let place = try place(2)
        place.disk.cutPower(afterCalls: call)
        let isDone = (try? place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")) != nil
        let after = try Place(place.disk.afterCrash(survival))
        let (loaded, notes) = try after.loaded()
        let isGood = loaded.manifest == manifest(3) || !isDone && loaded.manifest == manifest(2)
        #expect(isGood && notes.isEmpty && isDone == (call == calls), "call \(call), \(survival)")
        after.disk.close(
          try after.files.replace(old: loaded.manifest.generation, with: manifest(4), temporaryName: "another"))
        #expect(try after.loaded().0.manifest == manifest(4))
      }
    }
  }

  @Test("A replacement that failed behind its renaming is tried again without harm to the older one")
  func retry() throws {
    let place = try place(2)
    let before = place.disk.calls
    _ = try place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")
    let calls = place.disk.calls - before
    for call in 0..<calls {
      let place = try self.place(2)
      place.disk.cutPower(afterCalls: call)
      _ = try? place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")
      place.disk.setFaults { $0.powerOffAtCall = nil }
      try? place.disk.unlink("temporary", in: place.root)
      place.disk.close(try place.files.replace(old: 2, with: manifest(3), temporaryName: "again"))
      #expect(place.disk.contents(folder + "/manifest-2.json") == manifest(2).bytes, "call \(call)")
      #expect(place.disk.contents(folder + "/manifest.json") == manifest(3).bytes)
    }
  }

  @Test("On a real disk manifests are the user's alone, keep their pins when they are replaced, and are found")
  func realFolder() throws {
    let path = FileManager.default.temporaryDirectory.path + "/daybook-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let disk = PosixFileSystem()
    let files = ManifestFiles(fileSystem: disk, root: try disk.openDirectory(path: path, followingLinks: false))
    func open(
      _ name: String, _ directory: Descriptor, _ kind: FileStatus.Kind
    ) throws(StoreError) -> (descriptor: Descriptor, status: FileStatus)? {
      var report = RecoveryReport()
      return try StoreFolder(opening: path, disk, &report).openTrusted(name, in: directory, kind, &report)
    }
    var notes: [ManifestNote] = []
    let first = try files.replace(old: nil, with: manifest(1), temporaryName: "temporary")
    let second = try files.replace(old: 1, with: manifest(2), temporaryName: "temporary")
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    #expect(names == ["manifest-1.json", "manifest.json"])
    for name in names {
      let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    #expect(try files.lockUnused(generation: 1, &notes, open) == nil, "its writer still has it")
    disk.close(first)
    let unused = try #require(try files.lockUnused(generation: 1, &notes, open))
    guard case .loaded(let loaded) = try files.load(store: EntityID(high: 0, low: 0), &notes, open) else {
      Issue.record("nothing was loaded")
      return
    }
    #expect(loaded.manifest == manifest(2))
    #expect(notes.isEmpty)
    for file in [second, unused.file, loaded.pin, files.root].compactMap({ $0 }) { disk.close(file) }
  }

  @Test(
    "Only exact names are those of older manifests",
    arguments: [
      "manifest.json", "manifest-.json", "manifest-0.json", "manifest-01.json", "manifest--1.json",
      "manifest-1.json.tmp", "manifest-1",
    ])
  func names(_ name: String) {
    #expect(ManifestFiles.Name.generation(of: name) == nil)
    #expect(ManifestFiles.Name.generation(of: ManifestFiles.Name.predecessor(12)) == 12)
  }
}
