import Platform

/// An operating system thread that runs one closure.
struct CommitThread: Sendable {
  private let end = Parker()

  /// Starts the thread; nil when the system refuses.
  init?(_ body: @escaping @Sendable () -> Void) {
    let end = end
    let isStarted = Threads.start {
      body()
      end.unpark()
    }
    if !isStarted { return nil }
  }

  /// Waits until the closure has returned; to be called once.
  func join() { end.park() }
}

// All waiting of threads in this target is in this file.

extension CommitQueue {
  /// Waits until everything queued is written or has failed.
  func waitUntilIdle() {
    let mustWait = state.withLock { state in
      guard state.isWriting || state.isNotifying || !state.lines.isEmpty else { return false }
      state.isOwnerWaiting = true
      return true
    }
    if mustWait { idle.park() }
  }

  /// Takes everything queued; sleeps while there is nothing; nil when the queue is finished.
  func next() -> [PendingLine]? {
    while true {
      let (lines, isFinished) = takeLines()
      if !lines.isEmpty { return lines }
      if isFinished { return nil }
      work.park()
    }
  }
}
