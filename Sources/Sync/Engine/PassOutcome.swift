/// What a pass did.
package struct PassOutcome: Sendable, Equatable {
  /// The changes that were left for others.
  package var sent = 0
  package var received = Replica.Applied()
  /// The lines that were read now and that this version cannot read; what they say is not applied.
  package var unreadable = 0
  /// Nothing is unsent, all heads were read, everything they name was applied, and the own head is there.
  package var isSynced = false
  /// The other devices whose heads were read.
  package var devices: [SyncReport.Device] = []

  /// The files of other devices that count and could not be read. The rest was applied.
  package var incomplete: [Incomplete] = []

  /// The devices whose changes are of tomorrow or later: a clock is wrong, theirs or ours.
  package var early: [String] = []

  package struct Incomplete: Sendable, Equatable {
    /// Its name, or, if that is not known, its stream.
    package var device: String
    package var file: String
    /// Whether it is there, and not as its device wrote it; else it is missing.
    package var isDamaged: Bool

    /// The same for people.
    func failure(naming devices: [SyncReport.Device]) -> RemoteFailure {
      let name = devices.first { $0.stream == device }?.name ?? device
      return RemoteFailure(
        isDamaged ? .damaged : .awaited,
        "A file of “\(name)” \(isDamaged ? "is damaged" : "has not arrived"): \(file).")
    }
  }

  package init() {}

  /// The same in words; empty if nothing was new.
  package var summary: String {
    [
      PassOutcome.text(sent, "sent"), PassOutcome.text(received.changed - received.deleted, "received"),
      PassOutcome.text(received.deleted, "deleted here"), PassOutcome.text(received.conflicts, "in conflict"),
      PassOutcome.text(unreadable, "not understood"),
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private static func text(_ count: Int, _ what: String) -> String? { count > 0 ? "\(count) \(what)" : nil }
}
