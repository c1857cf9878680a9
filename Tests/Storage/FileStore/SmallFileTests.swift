import FileStoreTesting
import JSON
import Pacing
import Testing

@testable import FileStore

@Suite("Small files beside the store", .simulated)
struct SmallFileTests {
  private let object = JSONObject([
    ("status", .string("active")), ("plan", .null), ("nested", .object(JSONObject([("n", .number(JSONNumber(7)))]))),
  ])

  /// A disk with an empty data folder.
  private func disk() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    for path in ["/home", "/home/someone", folder] { try? disk.makeDirectory(path: path) }
    return disk.afterCrash(.everything)
  }

  private func premium(_ disk: any FileSystem) -> SmallFile { SmallFile(.premium, in: folder, disk, patience: 3) }

  private let path = folder + "/premium.json"

  @Test("One folder's content is not written into another folder at its path")
  func otherFolder() throws {
    let disk = try diskWithStore()
    let store = try FileStore.open(inline(disk))
    defer { store.close() }
    _ = try store.revision
    let own = SmallFile(.premium, in: folder, disk, home: store.home)
    try own.replace(with: object)
    disk.move(folder, to: "/elsewhere")
    try disk.makeDirectory(path: folder)
    for attempt in [{ try own.replace(with: JSONObject()) }, { try own.update { _ in JSONObject() } }] {
      #expect(throws: StoreError.self) { try attempt() }
    }
    #expect(try disk.names(in: disk.openDirectory(path: folder, followingLinks: false)).isEmpty)
    try premium(disk).replace(with: JSONObject())
    disk.move(folder, to: "/another")
    disk.move("/elsewhere", to: folder)
    #expect(own.read() == .value(object))
    try own.replace(with: JSONObject())
  }

  @Test("The content is read back, from a readable private file")
  func roundTrip() throws {
    let disk = try disk()
    #expect(premium(disk).read() == .missing)
    try premium(disk).replace(with: object)
    #expect(premium(disk).read() == .value(object))
    #expect(disk.isPrivate(path))
    let text = String(decoding: try #require(disk.contents(path)), as: UTF8.self)
    let lines = "{\n  \"status\": \"active\",\n  \"plan\": null,\n  \"nested\": {\"n\":7},\n  \"checksum\": \""
    #expect(text.hasPrefix(lines))
    #expect(premium(disk.afterCrash(.nothing)).read() == .value(object), "it is durable")
    try premium(disk).replace(with: JSONObject())
    #expect(premium(disk).read() == .value(JSONObject()))
    #expect(SmallFile.read([.flags, .premium], in: folder, disk) == [.missing, .value(JSONObject())])
  }

  @Test("Reading takes at most eight calls")
  func calls() throws {
    let disk = try disk()
    try premium(disk).replace(with: object)
    let before = disk.calls
    _ = premium(disk).read()
    #expect(disk.calls - before <= 8, "\(disk.trace.suffix(disk.calls - before))")
  }

  @Test("Every changed byte, and every cut, is damage")
  func damage() throws {
    let disk = try disk()
    try premium(disk).replace(with: object)
    let text = try #require(disk.contents(path))
    for index in text.indices {
      var changed = text
      changed[index] ^= 1
      for bytes in [changed, Array(text[..<index])] {
        disk.setContents(path, bytes)
        guard case .damaged = premium(disk).read() else {
          Issue.record("byte \(index) is not missed")
          continue
        }
      }
    }
    disk.setContents(path, Array("{\"status\":\"active\"}\n".utf8))
    #expect(premium(disk).read() == .damaged("it does not end in a checksum"))
    disk.setContents(path, [UInt8](repeating: 0x20, count: SmallFile.sizeLimit + 1))
    #expect(premium(disk).read() == .damaged("it is too long"))
  }

  @Test("Links, folders and other users' files are neither followed nor replaced")
  func trust() throws {
    for kind in [FileStatus.Kind.symbolicLink, .directory, .other, .file] {
      let disk = try disk()
      try premium(disk).replace(with: object)
      if kind == .file { disk.setOwner(path, 0) } else { disk.replace(path, with: kind) }
      guard case .damaged = premium(disk).read() else {
        Issue.record("\(kind) was read")
        continue
      }
      #expect { try premium(disk).replace(with: object) } throws: { ($0 as? StoreError)?.code == .storeUntrusted }
    }
    let disk = try disk()
    try premium(disk).replace(with: object)
    disk.setMode(path, 0o644)
    var report = RecoveryReport()
    var opened = try StoreFolder(rootOf: folder, disk)
    defer { opened.close() }
    #expect(opened.read(.premium, &report) == .value(object))
    #expect(report.findings.map(\.kind) == [.wrongMode])
  }

  @Test("Content that would not be read back, or is too long, is refused")
  func refusals() throws {
    let disk = try disk()
    func code(_ object: JSONObject) -> StoreError.Code? {
      do throws(StoreError) {
        try premium(disk).replace(with: object)
        return nil
      } catch { return error.code }
    }
    #expect(code(JSONObject([("checksum", .null)])) == .invalidTransaction)
    let long = String(repeating: "x", count: SmallFile.sizeLimit)
    #expect(code(JSONObject([("long", .string(long))])) == .recordTooLarge)
    disk.setFaults { $0.freeBytes = 3 }
    #expect(code(object) == .diskFull)
    #expect(premium(disk).read() == .missing)
    #expect(disk.walk(folder).isEmpty, "nothing is left over")
  }

  @Test("The data folder is never created for it")
  func noFolder() throws {
    let disk = SimulatedDisk()
    #expect(premium(disk).read() == .missing)
    #expect { try premium(disk).replace(with: object) } throws: { ($0 as? StoreError)?.code == .nothingStored }
    #expect(disk.changes == 0)
  }

  @Test(
    "An update sees what is there, even while others have the store's locks, and waits for another update only so long")
  func update() throws {
    let disk = try diskWithStore()
    let store = try FileStore.open(inline(disk))
    #expect(try store.beginWriting())
    var opened = try StoreFolder(rootOf: folder, disk)
    defer { opened.close() }
    #expect(try Checkpoint.tryLock(in: opened) != nil)
    #expect(try premium(disk).update { $0 == .missing ? object : nil } == .value(object))
    #expect(try premium(disk).update { _ in nil } == .value(object))
    let other = disk.process(43)
    try premium(disk).update { present in
      #expect(present == .value(object))
      #expect { try premium(other).replace(with: object) } throws: { ($0 as? StoreError)?.code == .storeBusy }
      return JSONObject()
    }
    #expect(premium(other).read() == .value(JSONObject()))
    store.endWriting()
    #expect(disk.misuses == 0)
  }

  @Test("A power cut at any call leaves the old file or the new one, and the next write removes leftovers")
  func sweep() throws {
    let begun = try disk()
    try premium(begun).replace(with: object)
    let new = JSONObject([("status", .string("inactive"))])
    let dry = begun.afterCrash(.everything)
    try premium(dry).replace(with: new)
    var leftovers = 0
    for cut in 0...dry.calls {
      for survival in [Survival.nothing, .everything, .random(seed: UInt64(cut))] {
        let disk = begun.afterCrash(.everything)
        disk.cutPower(afterCalls: cut)
        let isDone = (try? premium(disk).replace(with: new)) != nil
        let found = disk.afterCrash(survival)
        let content = premium(found).read()
        #expect(content == .value(new) || !isDone && content == .value(object), "cut at \(cut)")
        leftovers += found.walk(folder).count - 1
        try premium(found).replace(with: object)
        #expect(found.walk(folder).map(\.path) == ["premium.json"], "cut at \(cut)")
      }
    }
    #expect(leftovers > 0)
  }
}
