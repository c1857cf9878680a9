import CivilTime
import FileStore
import FileStoreTesting
import Platform
import Values

/// Drives `FileStore`: the one file of the lab that knows its API.
package struct FileStoreDriver: StoreDriver {
  package let folder = "/d"
  package let verbs: [LabVerb] = []

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
    configuration.isInline = true
    do throws(StoreError) {
      let store = try FileStore.open(configuration)
      // What a start leaves for later is what is tested here.
      return .opened(DrivenStore(store, try store.snapshot, failures, now))
    } catch {
      return .failed(error.description)
    }
  }

  package func transaction(inLine line: ArraySlice<UInt8>) -> Int? {
    // `"tx":"00000000-0000-0008-0000-…"`, the number in the last twelve digits.
    let mark = Array("\"tx\":\"00000000-0000-0008-0000-".utf8)
    guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}"), line.count > 120 else { return nil }
    let head = line.prefix(160)
    for start in head.indices where head[start...].starts(with: mark) {
      let digits = line.dropFirst(start - line.startIndex + mark.count).prefix(12)
      return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }
    return nil
  }

  package func mustReport(_ file: String, _ range: Range<Int>) -> Bool {
    // The lock's text is for people. `store.json` has no checksum, so that not every change of it can be seen.
    file != "lock" && file != "store.json"
  }
}

/// Why commits failed.
private final class CommitFailures: Sendable {
  private let last = Guarded<StoreError?>(nil)

  func note(_ error: StoreError) { last.withLock { $0 = error } }

  func take() -> StoreError? {
    last.withLock { error in
      defer { error = nil }
      return error
    }
  }
}

private final class DrivenStore: LabStore {
  private static let collections = ["meals", "weights", "habits", "sessions"].map { CollectionName($0) }

  private let store: FileStore
  private let failures: CommitFailures
  private let now: @Sendable () -> Int64
  /// As it was when it was last looked at.
  private var snapshot: Snapshot?

  init(_ store: FileStore, _ snapshot: Snapshot, _ failures: CommitFailures, _ now: @escaping @Sendable () -> Int64) {
    self.store = store
    self.snapshot = snapshot
    self.failures = failures
    self.now = now
  }

  var findings: [LabFinding] {
    store.recoveryReport.findings.map { finding in
      LabFinding(
        file: finding.file, range: finding.offset..<(finding.offset + finding.length), kind: finding.kind.rawValue,
        isLossPossible: finding.kind.isLossPossible)
    }
  }

  var revision: Int { snapshot?.revision ?? 0 }

  func revision(of number: Int) -> Int? { try? store.revision(ofTransaction: DrivenStore.id(number)) }

  func forEachRecord(_ body: (LabKey, Int32?, UnsafeRawBufferPointer) -> Void) {
    for (index, name) in DrivenStore.collections.enumerated() {
      snapshot?.forEachRecord(in: name) { record in
        let key = LabKey(collection: index, record: Int(truncatingIfNeeded: record.id.low))
        let day = record.day?.daysSinceEpoch
        record.body.withUnsafeBytes { body(key, day, $0) }
        return true
      }
    }
  }

  func commit(_ transaction: LabTransaction) -> LabAnswer {
    let revision: Int
    do throws(StoreError) {
      revision = try store.commit(DrivenStore.transaction(transaction, at: Instant(milliseconds: now())))
    } catch {
      store.rollBack()
      return .refused(error.description)
    }
    store.waitUntilDurable()
    defer { if let present = try? store.snapshot { snapshot = present } }
    if store.durableRevision >= revision { return .acknowledged(revision) }
    store.rollBack()
    guard let failure = failures.take() else { return .unknown("no reason was given") }
    // Everything else happens before the first byte of a line is written, or leaves a line that is cut off.
    return failure.code == .storeReadOnly ? .unknown(failure.description) : .refused(failure.description)
  }

  func perform(_ verb: LabVerb) -> String? { "the store cannot do that: \(verb)" }

  func close() {
    // It keeps the segments open that it may still have to read.
    snapshot = nil
    store.close()
  }

  private static func id(_ number: Int) -> EntityID { EntityID(high: 8, low: UInt64(truncatingIfNeeded: number)) }

  private static func transaction(_ transaction: LabTransaction, at: Instant) -> Transaction {
    let operations = zip(transaction.changes, transaction.bodies).map { change, body in
      let collection = collections[change.key.collection % collections.count]
      let id = EntityID(high: 7, low: UInt64(truncatingIfNeeded: change.key.record))
      guard change.padding != nil else { return Operation.delete(collection, id: id) }
      return Operation.put(
        collection, id: id, day: change.day.map { CivilDay(daysSinceEpoch: $0) }, schema: 1, createdAt: at,
        updatedAt: at, body: body)
    }
    return Transaction(
      id: id(transaction.number), at: at, author: "lab", label: "lab/change", operations: operations)
  }
}
