import DomainKit

extension StoreHealthResult {
  /// The store's health as clients see it.
  init(_ health: StoreHealth, scrubbed: Bool, zoneDatabaseMissing: Bool) {
    var network: String?
    if case .network(let name) = health.place.medium { network = name }
    self.init(
      state: StoreState(health.state), revision: health.revision, scrubbed: scrubbed,
      readOnlyReason: health.refusal?.message, findings: health.findings.map { StoreFinding($0) },
      omitted: health.omitted,
      lostRevisions: health.lostRevisions.map { RevisionRange(first: $0.lowerBound, last: $0.upperBound) },
      uncertain: health.uncertain.compactMap { record in
        record.collection.flatMap(ChangeFeed.domain(of:)).map { UncertainRecord(domain: $0, id: record.id) }
      },
      quarantined: health.quarantined.count { !$0.isEveryday }, segments: FileTally(health.segments),
      journals: FileTally(health.journals),
      zoneDatabaseMissing: zoneDatabaseMissing, networkFolder: network, syncedFolder: health.place.syncMarker,
      conflictCopies: health.place.conflictCopies, lastChangeAt: health.lastChangeAt,
      clockLagMs: health.clockLag.map { Int($0) })
  }
}

extension StoreState {
  init(_ state: StoreHealth.State) {
    self =
      switch state {
      case .fine: .fine
      case .recovered: .recovered
      case .degraded: .degraded
      case .readOnly: .readOnly
      }
  }
}

extension StoreFinding {
  /// A finding as clients see it.
  init(_ finding: Finding) {
    let name = finding.kind.rawValue
    self.init(
      kind: StoreFindingKind.known.first { $0.rawValue == name } ?? .unknown(name), file: finding.file,
      offset: finding.offset, length: finding.length,
      previousRevision: finding.previousSequence > 0 ? finding.previousSequence : nil,
      nextRevision: finding.nextSequence, reason: finding.reason, lossPossible: finding.kind.isLossPossible)
  }
}

extension FileTally {
  fileprivate init(_ tally: StoreHealth.Tally) { self.init(files: tally.files, bytes: tally.bytes) }
}
