import Platform

/// A thread of the operating system that runs one closure.
struct CommitThread: Sendable {
  private let end = Parker()

  /// Starts the thread; nil when the system has none to give.
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

// Everything in this target that makes a thread wait is in this file.

extension CommitQueue {
  /// Sleeps until everything queued is written or has failed.
  func waitUntilIdle() {
    let mustWait = state.withLock { state in
      guard state.isWriting || state.isTelling || !state.lines.isEmpty else { return false }
      state.isOwnerWaiting = true
      return true
    }
    if mustWait { idle.park() }
  }

  /// Everything queued by now; sleeps while there is nothing; nil when the queue is finished.
  func next() -> [PendingLine]? {
    while true {
      let (lines, isFinished) = takeLines()
      if !lines.isEmpty { return lines }
      if isFinished { return nil }
      work.park()
    }
  }
}
