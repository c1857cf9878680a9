import DaybookServer
import FileStore
import Platform

/// How far a long piece of work has come, as a line that a person watches at a terminal; and the signals that end it in order.
final class WorkLine: Sendable {
  private let title: String
  private let isShown = StandardStreams.isTerminal(2)
  private let state = Guarded((percentage: -1, isEnded: false))

  /// Signals are held back from here on, so that nothing half done is left.
  init(_ title: String) {
    self.title = title
    Signals.ignoreBrokenPipes()
    Signals.hold()
  }

  /// What the work reports to, and asks.
  var monitor: WorkMonitor {
    WorkMonitor(report: { self.show($0) }, isCancelled: { self.isEnded })
  }

  /// Whether a signal has come.
  private var isEnded: Bool {
    state.withLock { state in
      if !state.isEnded, Signals.next(within: 0) != nil { state.isEnded = true }
      return state.isEnded
    }
  }

  private func show(_ percentage: Int) {
    guard isShown else { return }
    let isNew = state.withLock { state in
      guard percentage > state.percentage else { return false }
      state.percentage = percentage
      return true
    }
    if isNew { Terminal.write("\r\(title) … \(percentage) %", to: 2) }
  }

  /// Takes the line away.
  func clear() {
    guard isShown, state.withLock({ $0.percentage >= 0 }) else { return }
    Terminal.write("\r\u{1B}[K", to: 2)
  }
}

extension Arguments {
  /// The data folder, for commands that work on it themselves; nil, and the user told, while it is locked.
  func storeConfiguration() throws(UsageError) -> FileStore.Configuration? {
    let options = try serviceOptions()
    guard !DaybookCommand.refusesLocked(options) else { return nil }
    return options.folderConfiguration
  }
}

extension DaybookCommand {
  /// Whether the data folder is locked, which the user is told then.
  static func refusesLocked(_ options: ServiceOptions) -> Bool {
    guard FolderLock.isShut(options) else { return false }
    Terminal.complain(
      "daybook: the app is locked, and only a frontend can have you unlock it: open one, and use it to do this or to switch the lock off"
    )
    return true
  }

  /// Says why something was refused, and returns the status for it.
  static func refuse(_ error: StoreError) -> Int32 {
    Terminal.complain("daybook: \(error.message.detailed(place: error.path, cause: error.systemText))")
    return Status.refused
  }
}
