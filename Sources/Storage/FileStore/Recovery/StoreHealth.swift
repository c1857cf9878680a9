import CivilTime
import Values

/// Whether a store is in order, and what is to be known of it when it is not.
package struct StoreHealth: Sendable, Equatable {
  /// The state of the whole, in one word.
  package enum State: String, Sendable {
    /// Nothing is wrong.
    case fine
    /// Something was wrong, and everything that is known to have been stored is there or was set aside.
    case recovered
    /// Something that was answered may be gone, or not as it was answered.
    case degraded
    /// It can be read and not be written.
    case readOnly
  }

  /// Some files of one kind.
  package struct Tally: Sendable, Equatable {
    package var files = 0
    package var bytes = 0
  }

  /// The latest revision.
  package var revision: Int
  /// Why nothing can be written, if that is known.
  package var refusal: StoreError?
  /// What is wrong at present, everyday things included.
  package var findings: [Finding]
  /// Findings beyond those.
  package var omitted: Int
  /// What was set aside, at any time.
  package var quarantined: [QuarantineEntry]
  /// Lines of the quarantine's list that cannot be read.
  package var unreadableEntries: Int
  /// The revisions of transactions that may be gone, ascending.
  package var lostRevisions: [ClosedRange<Int>]
  /// Records that may be as they were before a change that is gone; one that is changed again is not uncertain any more.
  package var uncertain: [RecordReference]
  package var segments = Tally()
  package var journals = Tally()
  package var place: StorePlace
  /// When the latest transaction was made, by the clock of that time.
  package var lastChangeAt: Instant?
  /// Milliseconds by which that lies ahead of the clock now, if it is more than a day: one of the two clocks was wrong.
  package var clockLag: Int64?

  /// The state of the whole.
  package var state: State {
    if refusal != nil { return .readOnly }
    if omitted > 0 || findings.contains(where: \.kind.isLossPossible) { return .degraded }
    let isMended = findings.contains { !$0.kind.isEveryday } || quarantined.contains { !$0.isEveryday }
    return isMended || unreadableEntries > 0 ? .recovered : .fine
  }
}

/// What a store says of its own health at one moment, for the rest to be found out on another thread, as that may take a while.
package struct HealthSource: Sendable {
  let configuration: FileStore.Configuration
  let snapshot: Snapshot
  let refusal: StoreError?
  let report: RecoveryReport

  /// Looks at the folder and puts everything together. Reads what is needed to know which records are uncertain; writes
  /// nothing.
  ///
  /// - Parameter further: What a scrub has found beside it.
  package func assess(further: RecoveryReport = RecoveryReport()) throws(StoreError) -> StoreHealth {
    var report = report
    for finding in further.findings { report.noteOnce(finding) }
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem)
    defer { folder.close() }
    let quarantine = Quarantine(folder: folder, now: configuration.now())
    let (entries, unreadable) = quarantine.entries()
    var health = StoreHealth(
      revision: snapshot.revision, refusal: refusal, findings: report.findings,
      omitted: report.omitted + further.omitted, quarantined: entries, unreadableEntries: unreadable,
      lostRevisions: LostRevisions.ranges(report.findings, entries), uncertain: [], place: StorePlace(folder))
    health.uncertain = uncertain(quarantine.suspects(report.findings) + entries)
    try folder.tally(&health)
    health.lastChangeAt = folder.lastChange()
    let now = configuration.now()
    if let last = health.lastChangeAt, last > now.advanced(by: Doctor.patience) {
      health.clockLag = last.milliseconds &- now.milliseconds
    }
    return health
  }

  /// The records that damage speaks of and that were not changed since.
  private func uncertain(_ entries: [QuarantineEntry]) -> [RecordReference] {
    var limits: [RecordReference: Int] = [:]
    for entry in entries where entry.isLossPossible {
      for record in entry.records where limits.count < RecordReference.most {
        limits[record] = max(limits[record] ?? 0, entry.revision)
      }
    }
    var found: Set<RecordReference> = []
    for (record, limit) in limits {
      for collection in record.collection.map({ [$0] }) ?? snapshot.collections {
        guard let present = snapshot.record(record.id, in: collection), present.revision <= limit else { continue }
        found.insert(RecordReference(collection: collection, id: record.id))
      }
    }
    return found.sorted { ($0.collection?.rawValue ?? "", $0.id) < ($1.collection?.rawValue ?? "", $1.id) }
  }
}

extension FileStore {
  /// What is needed to tell of the store's health; reads the store if that was not done yet.
  package func healthSource() throws(StoreError) -> HealthSource {
    HealthSource(configuration: configuration, snapshot: try snapshot, refusal: refusal, report: recoveryReport)
  }

  /// How many things were found wrong so far: as long as it stays the same, there is nothing new to tell. Nil while nothing was
  /// read.
  package var findingCount: Int? {
    guard let loaded else { return nil }
    let report = loaded.follower.report
    return openingReport.findings.count + loader.findings.count + report.findings.count + report.omitted
  }
}

/// The revisions of transactions that may be gone.
enum LostRevisions {
  /// What the neighbours' numbers leave out, of what is wrong now and of what was set aside.
  static func ranges(_ findings: [Finding], _ entries: [QuarantineEntry]) -> [ClosedRange<Int>] {
    let present = findings.filter(\.kind.isLossPossible).map { ($0.file, $0.previousSequence, $0.nextSequence) }
    let past = entries.filter(\.isLossPossible).map { ($0.file, $0.previousSequence, $0.nextSequence) }
    let ranges = (present + past).compactMap { file, previous, next -> ClosedRange<Int>? in
      guard file.hasPrefix(StoreFolder.Name.journal + "/"), previous < .max - 1 else { return nil }
      // The number of a last line is not used again.
      let last = next.map { $0 - 1 } ?? previous + 1
      return last > previous ? (previous + 1)...last : nil
    }
    var merged: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
