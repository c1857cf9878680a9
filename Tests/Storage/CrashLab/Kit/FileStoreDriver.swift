import CivilTime
import FileStore
import FileStoreTesting
import Platform
import Values

/// Drives `FileStore`; with `DrivenStore`, the only part of the lab that knows its API.
package struct FileStoreDriver: StoreDriver {
  package let folder = "/d"
  package let verbs: [LabVerb] = [.checkpoint, .checkpointStep, .follow, .poll, .backup]

  package init() {}

  package func open(_ fileSystem: any FileSystem, _ settings: LabSettings) -> LabOpening {
    let failures = CommitFailures()
    let ids = Guarded(SeededGenerator(seed: settings.seed))
    let now = settings.now
    var configuration = FileStore.Configuration(
      folder: folder, fileSystem: fileSystem,
      newID: { ids.withLock { EntityID(randomHigh: $0.next(), randomLow: $0.next()) } },
      now: { Instant(milliseconds: now()) }, onDurable: { _ in }, onCommitFailure: { failures.note($0) },
      isReader: settings.isReader)
    configuration.journalSizeLimit = settings.journalSizeLimit
    configuration.historyLimit = settings.historyLimit
    configuration.aheadSize = settings.aheadSize
    configuration.aheadThreshold = settings.aheadThreshold
    configuration.segmentCacheLimit = settings.segmentCacheLimit
    configuration.isInline = true
    configuration.digests = { [DrivenStore.listing] }
    configuration.participants = [LabParticipant()]
    // As small as everything else here: each of its bytes is a point at which the disk may be full.
    configuration.reserveSize = settings.reserveSize
    do throws(StoreError) {
      let store = try DrivenStore(configuration, failures, now)
      // Work that a start postpones is tested here too.
      if let problem = store.refresh() {
        store.close()
        return .failed(problem)
      }
      return .opened(store)
    } catch {
      return .failed(error.description)
    }
  }

  package func transaction(inLine line: ArraySlice<UInt8>) -> Int? {
    // `"tx":"00000000-0000-0008-0000-…"`, the number in the last twelve digits.
    guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}"), line.count > 120 else { return nil }
    return FileStoreDriver.number(behind: FileStoreDriver.transactionMark, in: line.prefix(160))
  }

  package func record(inLine line: ArraySlice<UInt8>, of file: String) -> LabKey? {
    guard line.last == UInt8(ascii: "}") else { return nil }
    let parts = file.split(separator: "/")
    guard parts.first == "segments", parts.count == 3,
      let collection = DrivenStore.names.firstIndex(of: String(parts[1]))
    else { return nil }
    let mark = collection == LabKey.witnesses ? FileStoreDriver.witnessMark : FileStoreDriver.recordMark
    guard line.starts(with: mark) else { return nil }
    return FileStoreDriver.number(behind: mark, in: line.prefix(60)).map {
      LabKey(collection: collection, record: $0)
    }
  }

  private static let transactionMark = Array("\"tx\":\"00000000-0000-0008-0000-".utf8)
  private static let recordMark = Array("{\"id\":\"00000000-0000-0007-0000-".utf8)
  private static let witnessMark = Array("{\"id\":\"00000000-0000-0009-0000-".utf8)

  private static func number(behind mark: [UInt8], in head: ArraySlice<UInt8>) -> Int? {
    for start in head.indices where head[start] == mark[0] && head[start...].starts(with: mark) {
      let digits = head.dropFirst(start - head.startIndex + mark.count).prefix(12)
      return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }
    return nil
  }

  package func isEquivalent(_ changed: [UInt8], to original: [UInt8], in file: String) -> Bool {
    // It may be written by hand without its checksum, which takes 19 bytes with the newline.
    file == "store.json" && changed.starts(with: original.dropLast(19)) && changed.count >= original.count - 1
  }

  package func role(of file: String, among files: [String: [UInt8]]) -> LabFileRole {
    // The locks' texts are for display only.
    if ["lock", "checkpoint.lock", "reserve", "checkpoint.reserve"].contains(file) { return .exempt }
    if file == "store.json" || file == "manifest.json" { return .derived }
    if file.hasPrefix("manifest-") { return .spare }
    if file == "ahead.jsonl" { return .copies }
    let manifest = String(decoding: files["manifest.json"] ?? [], as: UTF8.self)
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    if file.hasPrefix("journal/") {
      let number = Int(name.prefix { $0.isNumber }) ?? 0
      let first = FileStoreDriver.member("journal", of: manifest) ?? 1
      return number < first ? .spare : .journal
    }
    guard file.hasPrefix("segments/") else { return .spare }
    let parts = name.split(separator: ".")
    let collection = file.split(separator: "/")[1]
    let entry = "{\"collection\":\"\(collection)\",\"month\":\"\(parts[0])\",\"generation\":\(parts[1]),"
    return manifest.contains(text: entry) ? .segment : .spare
  }

  /// The number of the first member with that name.
  private static func member(_ name: String, of text: String) -> Int? {
    guard let range = text.firstRange(ofText: "\"\(name)\":") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isNumber })
  }
}

/// Why commits failed.
final class CommitFailures: Sendable {
  private let last = Guarded<StoreError?>(nil)

  func note(_ error: StoreError) { last.withLock { $0 = error } }

  func take() -> StoreError? {
    last.withLock { error in
      defer { error = nil }
      return error
    }
  }
}
