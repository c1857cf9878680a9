import FileStoreTesting
import JSON
import Testing

@testable import FileStore

@Suite("The doctor, backups and exports beside small files")
struct SmallFilePlaceTests {
  /// A store with all small files, and logs.
  private func prepared() throws -> SimulatedDisk {
    let disk = try diskWithStore()
    for name in SmallFile.Name.allCases {
      try SmallFile(name, in: folder, disk).replace(with: JSONObject([("name", .string(name.rawValue))]))
    }
    try disk.makeDirectory(path: folder + "/logs")
    disk.setContents(folder + "/logs/daybook.log", Array("{}\n".utf8))
    return disk.afterCrash(.everything)
  }

  private func small(_ disk: SimulatedDisk) -> [SmallFile.Content] {
    SmallFile.read(SmallFile.Name.allCases, in: folder, disk)
  }

  private func bytes(_ disk: SimulatedDisk) -> [[UInt8]?] {
    SmallFile.Name.allCases.map { disk.contents(folder + "/" + $0.rawValue) }
  }

  private func kinds(_ disk: SimulatedDisk) -> Set<String> {
    Set(Doctor(inline(disk)).examine().findings.map(\.kind.rawValue)).subtracting(["noBackup"])
  }

  @Test("The doctor knows them as the folder's own")
  func own() throws {
    let disk = try prepared()
    #expect(kinds(disk).isEmpty, "\(Doctor(inline(disk)).examine().findings)")
    disk.setMode(folder + "/premium.json", 0o644)
    #expect(kinds(disk) == ["wrongMode"])
    _ = try Doctor(inline(disk)).repair()
    #expect(disk.isPrivate(folder + "/premium.json"))
  }

  @Test("Damaged ones are reported and set aside, secrets only reported", arguments: SmallFile.Name.allCases)
  func damaged(_ name: SmallFile.Name) throws {
    let disk = try prepared()
    let path = folder + "/" + name.rawValue
    var text = try #require(disk.contents(path))
    text[4] ^= 1
    disk.setContents(path, text)
    let before = disk.changes
    let report = Doctor(inline(disk)).examine()
    #expect(disk.changes == before)
    let finding = try #require(report.findings.first { $0.file == name.rawValue })
    #expect(finding.kind.rawValue == (name == .secrets ? "damagedSecrets" : "damagedSmallFile"))
    #expect(finding.severity == .warning)
    _ = try Doctor(inline(disk)).repair()
    let quarantined = disk.walk(folder + "/quarantine").map(\.path).filter { $0 != "list.jsonl" }
    if name == .secrets {
      #expect(disk.contents(path) == text)
      #expect(quarantined.isEmpty)
    } else {
      #expect(disk.contents(path) == nil)
      #expect(disk.contents(folder + "/quarantine/" + (try #require(quarantined.first))) == text)
      #expect(Doctor(inline(disk)).examine().isFine)
    }
  }

  @Test("An unfinished deletion is reported without continuing it, and finished by a repair")
  func unfinished() throws {
    let disk = try prepared()
    var opened = try StoreFolder(rootOf: folder, disk)
    defer { opened.close() }
    let root = try #require(opened.root)
    try ErasureMarker(store: opened.storedIdentity?.store, parts: [.flags]).put(in: opened, root)
    let before = disk.changes
    #expect(kinds(disk) == ["unfinishedErasure"])
    #expect(disk.changes == before)
    #expect(try Doctor(inline(disk)).repair().steps == ["finished deleting everything"])
    #expect(kinds(disk) == ["noStore"])
    #expect(small(disk).count { $0 == .missing } == 1)
    disk.setContents(folder + "/erasing.json", Array("{}\n".utf8))
    let store = try FileStore.open(inline(disk))
    #expect(store.commitAndWait(transaction(1, [put(1)])))
    #expect(kinds(disk) == ["damagedErasure"])
  }

  @Test("Backups contain none of them, and a restore leaves them unchanged")
  func backups() throws {
    let disk = try prepared()
    let before = bytes(disk)
    let backup = try Backups(inline(disk)).create(.manual)
    let copied = disk.walk(folder + "/backups/" + backup.id.description).map(\.path)
    for name in SmallFile.Name.allCases.map(\.rawValue) + ["logs"] { #expect(!copied.contains(name)) }
    #expect(bytes(disk) == before)
    let store = try FileStore.open(inline(disk))
    #expect(store.commitAndWait(transaction(30, [put(30)])))
    store.close()
    try SmallFile(.flags, in: folder, disk).replace(with: JSONObject([("onboarded", .bool(true))]))
    let later = bytes(disk)
    _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    guard case .done = PendingRestore.run(inline(disk)) else {
      Issue.record("it was not restored")
      return
    }
    #expect(try FileStore.open(inline(disk)).snapshot.contents[30] == nil)
    #expect(bytes(disk) == later)
    #expect(disk.contents(folder + "/logs/daybook.log") != nil)
  }

  @Test("An export contains none of them, and an import touches none")
  func exchange() throws {
    let disk = try prepared()
    let before = bytes(disk)
    let text = try exported(disk)
    for name in SmallFile.Name.allCases { #expect(!String(decoding: text, as: UTF8.self).contains(name.rawValue)) }
    let path = "/home/someone/export.jsonl"
    disk.setContents(path, text)
    _ = try FileStore.importRecords(.file(path), .replace, inline(disk), author: "test")
    #expect(bytes(disk) == before)
    #expect(disk.contents(folder + "/logs/daybook.log") != nil)
  }
}
