import DaybookServer
import FileStore
import Platform

/// Shows the progress of long work on one terminal line, and lets termination signals cancel it.
final class WorkLine: Sendable {
  private let title: String
  private let isShown = StandardStreams.isTerminal(2)
  private let state = Guarded((percentage: -1, isEnded: false))

  /// Runs long work, and erases the line at its end. Termination signals stay blocked from here on.
  static func run<Value>(
    _ title: String, _ work: (WorkMonitor) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let line = WorkLine(title)
    defer { line.clear() }
    return try work(WorkMonitor(report: { line.show($0) }, isCancelled: { line.isEnded }))
  }

  private init(_ title: String) {
    self.title = title
    Signals.ignoreBrokenPipes()
    Signals.hold()
  }

  /// Whether a termination signal has come.
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

  private func clear() {
    guard isShown, state.withLock({ $0.percentage >= 0 }) else { return }
    Terminal.write("\r\u{1B}[K", to: 2)
  }
}

extension Arguments {
  /// The data folder for commands that access it directly; nil, with a message printed, while it is locked.
  func storeConfiguration() throws(UsageError) -> FileStore.Configuration? {
    let options = try serviceOptions()
    guard !DaybookCommand.refusesLocked(options) else { return nil }
    return options.folderConfiguration
  }
}

extension DaybookCommand {
  /// Whether the data folder is locked; prints a message if so.
  static func refusesLocked(_ options: ServiceOptions) -> Bool {
    guard FolderLock.isShut(options) else { return false }
    Terminal.complain(
      "daybook: the app is locked, and only a frontend can unlock it: open one, and do this there or turn the lock off"
    )
    return true
  }

  /// Prints why the store refused, and returns the exit status.
  static func refuse(_ error: StoreError) -> Int32 {
    Terminal.complain("daybook: \(error.message.detailed(place: error.path, cause: error.systemText))")
    return Status.refused
  }
}
