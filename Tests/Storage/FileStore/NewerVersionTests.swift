import FileStoreTesting
import JSON
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("A folder that a newer version wrote is read, and nothing in it is written", .simulated)
struct NewerVersionTests {
  /// How a newer version may have marked the folder.
  enum Mark: String, CaseIterable {
    case format2, format0, formatNegative, formatText, formatHuge, formatNull, otherShape, minWriter, feature
  }

  private static let identityFile = folder + "/store.json"
  private static let manifestFile = folder + "/manifest.json"

  /// A folder with records, a manifest, a backup and an old journal tail, marked.
  private func disk(_ mark: Mark) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try FileStore.opened(configuration(disk))
    for number in 0..<3 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    try store.checkpoint()
    #expect(store.commitAndWait(transaction(3, [put(3)])))
    store.close()
    _ = try Backups(configuration(disk)).create(.manual)
    let whole = String(decoding: disk.contents(Self.identityFile) ?? [], as: UTF8.self)
    func identity(_ format: String) -> [UInt8] {
      Self.closed(String(whole.dropLast(19)).replacingOccurrence(of: "\"format\":1", with: "\"format\":" + format))
    }
    switch mark {
    case .format2: disk.setContents(Self.identityFile, identity("2"))
    case .format0: disk.setContents(Self.identityFile, identity("0"))
    case .formatNegative: disk.setContents(Self.identityFile, identity("-1"))
    case .formatText: disk.setContents(Self.identityFile, identity("\"2\""))
    case .formatHuge: disk.setContents(Self.identityFile, identity("100000000000000000000"))
    case .formatNull: disk.setContents(Self.identityFile, identity("null"))
    case .otherShape: disk.setContents(Self.identityFile, Self.closed("{\"format\":2,\"stores\":[]"))
    case .minWriter, .feature:
      let bytes = disk.contents(Self.manifestFile) ?? []
      guard case .readable(var manifest) = Manifest.read(bytes) else {
        throw StoreError(.storeUnavailable, "no manifest")
      }
      if mark == .minWriter { manifest.minWriter = 2 } else { manifest.features.compatible = ["colours"] }
      disk.setContents(Self.manifestFile, manifest.bytes)
    }
    return disk
  }

  /// A line with a matching checksum.
  private static func closed(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    for byte in text.utf8 { writer.append(byte) }
    LineSuffix.close(&writer)
    return writer.bytes
  }

  /// Everything in the folder, for comparing.
  private func contents(_ disk: SimulatedDisk) -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    for found in disk.walk(folder) { all[found.path] = disk.contents(folder + "/" + found.path) ?? [] }
    return all
  }

  @Test("Every call that writes is refused, and changes nothing", arguments: Mark.allCases)
  func nothingIsWritten(_ mark: Mark) throws {
    let disk = try disk(mark)
    let before = contents(disk)
    let settings = configuration(disk)
    let backup = try #require(try Backups(settings).list().first?.id)
    let line =
      "{\"collection\":\"meals\",\"id\":\"\(id(50))\",\"day\":\"2026-01-05\",\"created\":\"1970-01-01T00:00:00Z\","
      + "\"updated\":\"1970-01-01T00:00:00Z\",\"schema\":1,\"body\":{}}"
    let many = (0..<3000).map { number in line.replacingOccurrence(of: "\(id(50))", with: "\(id(100 + number))") }
    let attempts: [(String, () throws(StoreError) -> Void)] = [
      (
        "commit",
        { () throws(StoreError) in
          let store = try FileStore.open(settings)
          defer { store.close() }
          _ = try store.commit(transaction(9, [put(9)]))
        }
      ),
      (
        "checkpoint",
        { () throws(StoreError) in
          let store = try FileStore.open(settings)
          defer { store.close() }
          _ = try store.revision
          try store.checkpoint()
        }
      ),
      ("backup", { () throws(StoreError) in _ = try Backups(settings).create(.manual) }),
      ("backup's removal", { () throws(StoreError) in try Backups(settings).delete(backup) }),
      ("restore", { () throws(StoreError) in _ = try Backups(settings).requestRestore(of: backup, by: "test") }),
      (
        "import",
        { () throws(StoreError) in
          _ = try FileStore.importRecords(.lines([Array(line.utf8)[...]]), .merge, settings, author: "test")
        }
      ),
      (
        "large import",
        { () throws(StoreError) in
          _ = try FileStore.importRecords(
            .lines([Array(many.joined(separator: "\n").utf8)[...]]), .merge, settings, author: "test")
        }
      ),
      (
        "small file",
        { () throws(StoreError) in
          try SmallFile(.secrets, in: folder, disk).replace(with: JSONObject([("key", .string("value"))]))
        }
      ),
      ("repair", { () throws(StoreError) in _ = try Doctor(settings).repair() }),
      ("erasure", { () throws(StoreError) in _ = try Erasure.run(settings, [.backups]) }),
      ("scrub", { () throws(StoreError) in try ScrubSchedule(settings).note() }),
    ]
    for (name, attempt) in attempts {
      do throws(StoreError) {
        try attempt()
        Issue.record("\(name) is not refused")
      } catch { #expect(error.code == .storeReadOnly, "\(name): \(error)") }
      #expect(contents(disk) == before, "\(name) has changed something")
    }
    _ = try Backups(settings).verify(backup)
    #expect(contents(disk) == before)
  }

  @Test("It can be read, exported and examined", arguments: Mark.allCases)
  func reading(_ mark: Mark) throws {
    let disk = try disk(mark)
    let store = try FileStore.opened(configuration(disk))
    #expect(try store.snapshot.contents.count == 4)
    #expect(store.refusal?.code == .storeReadOnly)
    #expect(!store.recoveryReport.findings.contains { $0.kind == .identityLost })
    #expect(try store.healthSource().assess().state == .readOnly)
    store.close()
    #expect(try StoreExport(configuration(disk)).run { _ in }.records == 4)
    #expect(Doctor(configuration(disk)).examine().findings.contains { $0.kind == .newerVersion })
  }
}

extension String {
  fileprivate func replacingOccurrence(of old: String, with new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
