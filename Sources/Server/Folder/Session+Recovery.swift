import DomainKit

extension Session {
  /// The maximum number of findings in an event.
  private static let announcedFindingsLimit = 100

  /// Reports, once each, the findings of reading the store. Reads nothing, and costs one comparison while there are no
  /// new findings.
  func announceFindings(_ frames: inout OutgoingFrames) {
    guard client.receivesEvents, let store, let count = store.findingCount,
      announced.updateFindingCount(count)
    else { return }
    let report = store.recoveryReport
    let telling = report.findings.filter { !$0.kind.isEveryday }
    let new = announced.unannounced(in: telling)
    guard !new.isEmpty else { return }
    for finding in new {
      log.warning(
        .store,
        "the data folder: \(public: finding.kind.rawValue), \(public: finding.file): \(unquoted: finding.reason)")
    }
    let isLossPossible = report.isLossPossible
    let state: StoreState = store.refusal != nil ? .readOnly : isLossPossible ? .degraded : .recovered
    let event = Event(
      StoreRecoveredParams.method,
      StoreRecoveredParams(
        state: state, findings: telling.prefix(Session.announcedFindingsLimit).map { StoreFinding($0) },
        omitted: report.omitted + max(0, telling.count - Session.announcedFindingsLimit), lossPossible: isLossPossible))
    if isWanted(event) { frames.notify(event) }
  }
}
