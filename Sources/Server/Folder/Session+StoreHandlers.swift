import DomainKit
import Platform

extension Session {
  nonisolated func storeHealth(
    _ params: StoreHealthParams, _ work: HeavyWork
  ) async throws(RPCError) -> StoreHealthResult {
    let source = try await healthSource()
    var found = RecoveryReport()
    let scrubs = params.scrub ?? false
    if scrubs {
      let configuration = configuration()
      found = try await work.onThread("Verifying the store") { monitor throws(StoreError) in
        var scrub = try Scrub(configuration)
        while try scrub.step() {
          try monitor.check()
          monitor.report(scrub.done * 100 / max(1, scrub.total))
        }
        return scrub.report
      }
    }
    let health: StoreHealth
    do throws(StoreError) { health = try source.assess(further: found) } catch { throw RPCError(error) }
    return StoreHealthResult(health, scrubbed: scrubs, zoneDatabaseMissing: isZoneDatabaseMissing)
  }

  /// The store's own view of its health.
  private func healthSource() throws(RPCError) -> HealthSource {
    _ = try snapshot()
    return try withStore { store throws(StoreError) in try store.healthSource() }
  }

  /// How to read the folder independently of the session.
  nonisolated func configuration() -> FileStore.Configuration { options.readerConfiguration }

  /// Whether only the zone UTC is known: every zone database has London.
  private nonisolated var isZoneDatabaseMissing: Bool {
    guard let name = TimeZoneName("Europe/London") else { return false }
    return (try? options.zones.rules(for: name)) == nil
  }
}

extension StoreHealthResult {
  /// The store's health as clients see it.
  fileprivate init(_ health: StoreHealth, scrubbed: Bool, zoneDatabaseMissing: Bool) {
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
