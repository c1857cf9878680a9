import FileStoreTesting
import Testing
import Values

@testable import FileStore

@Suite("Previews of single records")
struct PreviewTests {
  private let settings = CollectionName("settings")

  private func random(_ generator: inout SeededGenerator, _ number: Int) -> Operation {
    let record = Int.random(in: 0..<12, using: &generator)
    let collection = Bool.random(using: &generator) ? settings : meals
    if Int.random(in: 0..<4, using: &generator) == 0 { return .delete(collection, id: id(record)) }
    let hasDay = Int.random(in: 0..<4, using: &generator) == 0
    return put(record, day: hasDay ? 19_990 + record * 9 : nil, created: record, "{\"n\":\(number)}", in: collection)
  }

  /// A preview of a store just opened gives the same as reading everything; returns whether everything was left unread
  /// for it.
  private func compare(_ disk: SimulatedDisk, _ comment: Comment) throws -> Int {
    let full = try FileStore.open(inline(disk))
    let snapshot = try full.snapshot
    let one = try FileStore.open(inline(disk))
    var unread = 0
    for collection in [settings, meals, CollectionName("nothing")] {
      for number in 0..<14 {
        let expected = snapshot.record(id(number), in: collection)
        #expect(try one.preview(id(number), in: collection) == expected, comment)
        let other = try FileStore.open(inline(disk))
        if number % 2 == 0 { try other.beginPreviews() }
        #expect(try other.preview(id(number), in: collection) == expected, comment)
        if other.loaded == nil { unread += 1 }
        #expect(try other.latestRevision == snapshot.revision, comment)
        #expect(other.recoveryReport.findings.isEmpty || other.loaded != nil, comment)
      }
    }
    #expect(try one.latestRevision == snapshot.revision)
    return unread
  }

  @Test("In random histories with checkpoints a preview equals reading everything", arguments: 0..<12)
  func histories(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let disk = SimulatedDisk()
    var settings = inline(disk)
    settings.journalSizeLimit = seed % 2 == 0 ? 900 : 16 << 20
    let store = try FileStore.open(settings)
    let follower = try FileStore.open(inline(disk))
    var unread = 0
    for number in 0..<60 {
      let operations = (0..<Int.random(in: 1...3, using: &generator)).map { _ in random(&generator, number) }
      #expect(store.commitAndWait(transaction(number, operations)))
      let asked = id(Int.random(in: 0..<12, using: &generator))
      let present = try follower.preview(asked, in: meals)
      if follower.loaded == nil { #expect(try present == store.snapshot.record(asked, in: meals)) }
      if Int.random(in: 0..<9, using: &generator) == 0 { try store.checkpoint() }
      if number % 6 == 0 { unread += try compare(disk, "seed \(seed), transaction \(number)") }
    }
    #expect(unread > 100, "seed \(seed): \(unread)")
  }

  @Test("After a checkpoint the revision and the settings are known without reading the store")
  func afterCheckpoint() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(inline(disk))
    for number in 0..<5 {
      #expect(store.commitAndWait(transaction(number, [put(number), put(40, day: nil, in: settings)])))
    }
    try store.checkpoint()
    let other = try FileStore.open(inline(disk))
    #expect(try other.latestRevision == 5)
    #expect(try other.preview(id(40), in: settings)?.revision == 5)
    #expect(other.loaded == nil)
    #expect(store.commitAndWait(transaction(9, [put(40, day: nil, "{\"n\":9}", in: settings)])))
    #expect(try other.latestRevision == 6)
    #expect(try other.preview(id(40), in: settings)?.revision == 6, "what came since is seen")
    for _ in 0..<2 {
      other.endPreviews()
      #expect(try other.latestRevision == 6)
      #expect(try other.preview(id(40), in: settings)?.revision == 6, "again, with its text released meanwhile")
    }
    #expect(other.loaded == nil)
    #expect(try other.preview(id(1), in: meals)?.revision == 2, "of a day, so everything is read")
    #expect(other.loaded != nil)
  }

  @Test("With any damage, a preview equals reading everything")
  func damage() throws {
    let begun = try diskWithStore()
    let store = try FileStore.open(inline(begun))
    for number in 10..<14 {
      #expect(store.commitAndWait(transaction(number, [put(40, day: nil, "{\"n\":\(number)}", in: settings)])))
      if number == 11 { try store.checkpoint() }
    }
    store.close()
    let found = begun.afterCrash(.everything)
    var generator = SeededGenerator(seed: 5)
    for file in found.walk(folder) where file.kind == .file {
      let bytes = try #require(found.contents(folder + "/" + file.path))
      for _ in 0..<12 {
        let disk = found.afterCrash(.everything)
        var changed = bytes
        if bytes.isEmpty || Int.random(in: 0..<6, using: &generator) == 0 {
          disk.remove(folder + "/" + file.path)
        } else if Bool.random(using: &generator) {
          changed[Int.random(in: bytes.indices, using: &generator)] ^= 4
          disk.setContents(folder + "/" + file.path, changed)
        } else {
          changed.removeLast(Int.random(in: 1...bytes.count, using: &generator))
          disk.setContents(folder + "/" + file.path, changed)
        }
        let expected = try FileStore.open(inline(disk)).snapshot.record(id(40), in: settings)
        #expect(try FileStore.open(inline(disk)).preview(id(40), in: settings) == expected, "\(file.path)")
      }
    }
  }

  @Test("In a missing or empty folder there is nothing")
  func nothing() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(inline(disk))
    #expect(try store.preview(id(1), in: settings) == nil)
    #expect(store.loaded == nil)
    try? disk.makeDirectory(path: "/home")
    try? disk.makeDirectory(path: "/home/someone")
    try? disk.makeDirectory(path: folder)
    #expect(try store.preview(id(1), in: settings) == nil)
    store.close()
    #expect(throws: StoreError.self) { try store.preview(id(1), in: settings) }
  }
}
