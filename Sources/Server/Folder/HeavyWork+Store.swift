import DomainKit
import Platform
import Synchronization

extension HeavyWork {
  /// Runs disk work on the data folder on a thread of its own; `body` opens the folder itself. Reports progress under
  /// `title`, if there is one; cancelling the request cancels the work.
  func onThread<Value: Sendable>(
    _ title: String?, _ body: @escaping @Sendable (WorkMonitor) throws(StoreError) -> Value
  ) async throws(RPCError) -> Value {
    // Work that reports its progress is long.
    guard await turn.begin(isBulk: title != nil) else {
      throw RPCError(ofWork: StoreError(.cancelled, "It was cancelled."))
    }
    let cancellation = Cancellation()
    let progress = progress
    if let title { progress.begin(title) }
    defer { if title != nil { progress.end() } }
    let reported = Percentage()
    let monitor = WorkMonitor(
      report: { if title != nil, reported.rises(to: $0) { progress.report(percentage: $0) } },
      isCancelled: { cancellation.isSet })
    let result: Result<Value, StoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = Threads.startHeavy {
          do throws(StoreError) {
            continuation.resume(returning: .success(try body(monitor)))
          } catch { continuation.resume(returning: .failure(error)) }
        }
        if !isStarted {
          continuation.resume(
            returning: .failure(StoreError(.storeUnavailable, "The system gives no thread to work on.")))
        }
      }
    } onCancel: {
      cancellation.set()
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw RPCError(ofWork: error)
    }
  }
}

extension HeavyWork {
  /// Runs disk work on a thread of its own. Nil when the request was cancelled before, or the system has no thread to
  /// start.
  func offSession<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    guard !Task.isCancelled, await turn.begin() else { return nil }
    return await withCheckedContinuation { continuation in
      let isStarted = Threads.startHeavy(isAwaited: true) { continuation.resume(returning: body()) }
      if !isStarted { continuation.resume(returning: nil) }
    }
  }
}

/// Whether a piece of work is cancelled. Each check also yields to other threads.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool {
    Threads.yieldIfDue()
    return flag.load(ordering: .acquiring)
  }

  func set() { flag.store(true, ordering: .releasing) }
}

/// The percentage reported last, so that each is reported once.
private final class Percentage: Sendable {
  private let last = Guarded(0)

  func rises(to new: Int) -> Bool {
    last.withLock { last in
      guard new > last else { return false }
      last = new
      return true
    }
  }
}

extension RPCError {
  /// The client's error for a failed backup, export or import.
  init(ofWork error: StoreError) {
    let placed = error.message.detailed(place: error.path)
    switch error.code {
    case .cancelled: self.init(.requestCancelled, "cancelled before anything was committed")
    case .backupNotFound:
      self.init(.backupNotFound, error.message, pointer: "/id", hint: "“backup/list” has the ids")
    case .backupDamaged:
      self.init(.backupDamaged, placed, pointer: "/id", hint: "“backup/verify” tells what is wrong")
    case .backupBusy: self.init(.backupBusy, error.message, hint: "send the request again in a moment")
    case .lastBackup: self.init(.lastBackup, error.message, pointer: "/id", hint: "make another one first")
    case .nothingStored: self.init(.nothingStored, error.message)
    case .fileExists:
      self.init(
        .fileExists, placed, pointer: "/path", hint: "“overwrite”: true replaces the file")
    case .fileUnusable:
      self.init(
        .fileUnusable, error.message.detailed(place: error.path, cause: error.systemText), pointer: "/path")
    case .importInvalid, .recordTooLarge:
      self.init(
        error.code == .importInvalid ? .importInvalid : .recordTooLarge, error.message,
        pointer: error.details["pointer"] ?? "", hint: "“mode”: “preview” lists all such lines",
        line: error.details["line"].flatMap { Int($0) })
    default: self.init(error)
    }
  }
}
