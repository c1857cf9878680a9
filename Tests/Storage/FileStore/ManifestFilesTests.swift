import CivilTime
import FileStoreTesting
import Foundation
import Testing
import Values

@testable import FileStore

struct ManifestFilesTests: ManifestTesting {
  @Test("An empty folder has no manifest, and looking for one creates nothing")
  func nothing() throws {
    let place = try ManifestPlace()
    let changes = place.disk.changes
    let (loaded, notes) = try place.load()
    #expect(loaded == nil)
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
    let first: Finding.Kind = isDamaged ? .damagedManifest : .missingManifest
    var (loaded, notes) = try place.loaded()
    #expect(loaded.manifest == manifest(2))
    #expect(loaded.source == .predecessor)
    #expect(loaded.nextGeneration == 4)
    #expect(notes == [first, .olderManifest])
    place.disk.setContents(folder + "/manifest-2.json", [])
    (loaded, notes) = try place.loaded()
    #expect(loaded.manifest == manifest(1))
    #expect(loaded.nextGeneration == 4)
    #expect(notes == [first, .damagedManifest, .olderManifest])
    place.disk.setContents(folder + "/manifest-1.json", [0])
    (loaded, notes) = try place.loaded()
    #expect(loaded.source == .rebuilt)
    #expect(loaded.pin == nil)
    #expect(loaded.manifest.segments.isEmpty)
    #expect(loaded.nextGeneration == 4)
    #expect(notes == [first, .damagedManifest, .damagedManifest, .rebuiltManifest])
  }

  @Test("A manifest that cannot be read to its end is distinguished from a damaged one")
  func unreadable() throws {
    let place = try place(2)
    place.disk.setFaults { $0.unreadableFrom = 100 }
    let (loaded, notes) = try place.loaded()
    #expect(loaded.source == .rebuilt)
    #expect(notes == [.unreadableRange, .unreadableRange, .rebuiltManifest])
  }

  @Test(
    "A newer version's manifest is never passed over for an older one", arguments: ["manifest.json", "manifest-1.json"])
  func newer(_ name: String) throws {
    let place = try place(2)
    place.disk.setContents(folder + "/manifest.json", [])
    place.disk.setContents(folder + "/" + name, line("{\"manifest\":2"))
    #expect(throws: StoreError.self, "it is not left alone") { try place.load() }
  }

  @Test("A rebuilt manifest takes the newest finished segment of every month")
  func rebuilding() throws {
    let place = try ManifestPlace()
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
    #expect(notes.sorted { $0.rawValue < $1.rawValue } == [.rebuiltManifest, .unusedSegment, .unusedSegment])
    // It can be written, and is then found normally.
    place.disk.close(try place.files.replace(old: nil, with: loaded.manifest, temporaryName: "temporary"))
    #expect(try place.loaded().0.manifest == loaded.manifest)
  }

  @Test("A month without a finished segment keeps the usable part of an unfinished one")
  func rebuildingFromDamage() throws {
    let place = try ManifestPlace()
    let (bytes, entry) = try segmentFile(someRecords(4), generation: 4)
    var damaged = bytes
    damaged[300] ^= 1
    try place.write("segments/meals/2026-01.4.jsonl", Array(damaged.dropLast(100)))
    var (loaded, notes) = try place.loaded()
    let found = try #require(loaded.manifest.segments.first)
    #expect(loaded.manifest.segments.count == 1)
    #expect(found.key == entry.key)
    #expect(found.count == 4)
    #expect(notes == [.damagedSegment, .rebuiltManifest])
    try place.write("segments/meals/2026-01.3.jsonl", [])
    place.disk.setContents(folder + "/segments/meals/2026-01.4.jsonl", damaged)
    (loaded, notes) = try place.loaded()
    #expect(loaded.manifest.segments.first?.count == 4)
    #expect(loaded.manifest.segments.first?.bytes == bytes.count)
    #expect(notes == [.damagedSegment, .rebuiltManifest])
  }
}
