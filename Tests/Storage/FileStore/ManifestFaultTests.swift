import CivilTime
import FileStoreTesting
import Foundation
import Pacing
import Testing
import Values

@testable import FileStore

/// Manifests on a failing disk, and with other processes using them.
@Suite(.simulated)
struct ManifestFaultTests: ManifestTesting {
  @Test("A link or another user's file instead of a manifest is refused")
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

  @Test("A loaded manifest protects its files from cleaning until it is closed")
  func pins() throws {
    let place = try place(2)
    guard let loaded = try place.load().loaded, let pin = loaded.pin else {
      Issue.record("nothing was loaded")
      return
    }
    let newPin = try place.files.replace(old: 2, with: manifest(3), temporaryName: "temporary")
    #expect(try place.files.lockUnused(generation: 2) == nil)
    let first = try #require(try place.files.lockUnused(generation: 1))
    #expect(first.manifest == manifest(1))
    place.disk.close(pin)
    let second = try #require(try place.files.lockUnused(generation: 2))
    #expect(second.manifest == manifest(2))
    #expect(try place.files.lockUnused(generation: 9) == nil)
    // The new one is locked by its writer: nobody else can lock it exclusively.
    let current = try place.disk.openFile("manifest.json", in: place.root, for: .reading)
    #expect(try !place.disk.lock(current, .exclusive))
    for file in [first.file, second.file, newPin, current] { place.disk.close(file) }
  }

  @Test("A manifest that is replaced between opening and locking is not used")
  func replacedMeanwhile() throws {
    let place = try place(1)
    var report = RecoveryReport()
    var count = 0
    let found = try place.files.read("manifest.json", &report) { () throws(StoreError) in
      count += 1
      guard count <= 3 else { return }
      place.disk.close(
        try place.files.replace(old: count, with: manifest(count + 1), temporaryName: "temporary-\(count)"))
    }
    guard case .readable(let read, let pin) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(read == manifest(4))
    #expect(count == 4)
    #expect(report.findings.isEmpty)
    place.disk.close(pin)
  }

  @Test("A manifest that stays locked for removal can still be read, and that is reported")
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

  @Test("After a failed sync, and on a full disk, the old manifest stays and a retry succeeds")
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
        let after = try ManifestPlace(place.disk.afterCrash(survival))
        let (loaded, notes) = try after.loaded()
        let isGood = loaded.manifest == manifest(3) || !isDone && loaded.manifest == manifest(2)
        #expect(isGood && notes.isEmpty && isDone == (call == calls), "call \(call), \(survival)")
        after.disk.close(
          try after.files.replace(old: loaded.manifest.generation, with: manifest(4), temporaryName: "another"))
        #expect(try after.loaded().0.manifest == manifest(4))
      }
    }
  }

  @Test("A replacement that failed after renaming is retried without harm to the older one")
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

  @Test("On a real disk manifests are private, keep their pins when replaced, and are found")
  func realFolder() throws {
    let path = FileManager.default.temporaryDirectory.path + "/daybook-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let disk = PosixFileSystem()
    let folder = try StoreFolder(rootOf: path, disk)
    let files = try #require(folder.manifests)
    var report = RecoveryReport()
    let first = try files.replace(old: nil, with: manifest(1), temporaryName: "temporary")
    let second = try files.replace(old: 1, with: manifest(2), temporaryName: "temporary")
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    #expect(names == ["manifest-1.json", "manifest.json"])
    for name in names {
      let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    #expect(try files.lockUnused(generation: 1) == nil, "its writer still holds it")
    disk.close(first)
    var found: (manifest: Manifest, file: Descriptor)?
    // A program started by another test holds every open file, and its locks, until it executes its own code.
    for _ in 0..<60_000 where found == nil {
      found = try files.lockUnused(generation: 1)
      if found == nil { usleep(1000) }
    }
    let unused = try #require(found)
    let loaded = try #require(try files.load(store: EntityID(high: 0, low: 0), &report))
    #expect(loaded.manifest == manifest(2))
    #expect(report.findings.isEmpty)
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
