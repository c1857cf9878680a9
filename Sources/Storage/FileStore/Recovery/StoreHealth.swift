import CivilTime

package struct StoreHealth: Sendable, Equatable {
  package enum State: String, Sendable {
    case fine
    /// Something was wrong, but everything known to have been stored is present or was quarantined.
    case recovered
    /// Something that was answered may be lost or differ from the answer.
    case degraded
    /// It can be read but not written.
    case readOnly
  }

  /// The number and size of some files.
  package struct Tally: Sendable, Equatable {
    package var files = 0
    package var bytes = 0
  }

  package var revision: Int
  package var refusal: StoreError?
  /// The current findings, routine ones included.
  package var findings: [Finding]
  /// The number of further findings.
  package var omitted: Int
  /// Everything ever quarantined.
  package var quarantined: [QuarantineEntry]
  package var unreadableEntries: Int
  /// The revisions of transactions that may be lost, ascending.
  package var lostRevisions: [ClosedRange<Int>]
  /// Records that may have missed a lost change; a record changed since is no longer uncertain.
  package var uncertain: [RecordReference]
  package var segments = Tally()
  package var journals = Tally()
  package var place: StorePlace
  /// When the latest transaction was made, by the clock of that time.
  package var lastChangeAt: Instant?
  /// The milliseconds by which that is ahead of the present clock, if more than a day: one of the clocks was wrong.
  package var clockLag: Int64?

  package var state: State {
    if refusal != nil { return .readOnly }
    if omitted > 0 || findings.contains(where: \.kind.isLossPossible) { return .degraded }
    let isMended = findings.contains { !$0.kind.isEveryday } || quarantined.contains { !$0.isEveryday }
    return isMended || unreadableEntries > 0 ? .recovered : .fine
  }
}

/// A snapshot of what a store knows of its health; the assessment can then run on another thread.
package struct HealthSource: Sendable {
  let configuration: FileStore.Configuration
  let snapshot: Snapshot
  let refusal: StoreError?
  let report: RecoveryReport

  /// Examines the folder and assembles the result. Reads what is needed to determine the uncertain records; writes
  /// nothing.
  ///
  /// - Parameter further: The findings of a scrub.
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
    if let last = health.lastChangeAt, last > now.advanced(by: Doctor.leftoverAge) {
      health.clockLag = last.milliseconds &- now.milliseconds
    }
    return health
  }

  /// The records that damage may have affected and that were not changed since.
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
  /// The input for assessing the store's health; loads the store if needed.
  package func healthSource() throws(StoreError) -> HealthSource {
    HealthSource(configuration: configuration, snapshot: try snapshot, refusal: refusal, report: recoveryReport)
  }

  /// The number of findings so far: while it stays the same there is nothing new to report. Nil before the first read.
  package var findingCount: Int? {
    guard let loaded else { return nil }
    let report = loaded.follower.report
    return openingReport.findings.count + loader.findings.count + report.findings.count + report.omitted
  }
}

/// The revisions of transactions that may be lost.
enum LostRevisions {
  /// The gaps between neighbouring sequence numbers, from current findings and quarantined entries.
  static func ranges(_ findings: [Finding], _ entries: [QuarantineEntry]) -> [ClosedRange<Int>] {
    let present = findings.filter(\.kind.isLossPossible).map { ($0.file, $0.previousSequence, $0.nextSequence) }
    let past = entries.filter(\.isLossPossible).map { ($0.file, $0.previousSequence, $0.nextSequence) }
    let ranges = (present + past).compactMap { file, previous, next -> ClosedRange<Int>? in
      guard file.hasPrefix(StoreFolder.Name.journal + "/"), previous < .max - 1 else { return nil }
      // A lost last line's number is not used again.
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
