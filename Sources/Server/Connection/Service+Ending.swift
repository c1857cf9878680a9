import FileStore
import JSONRPC
import Platform
import Synchronization

extension Service {
  /// Ends the connection after the client has closed its end of the input.
  func inputEnded(_ decoder: inout FrameDecoder) -> Int32 {
    if let event = decoder.finish() {
      switch event {
      case .message(let range): queue(decoder.bytes(range), decoder.framing ?? .newline)
      case .fault(let fault), .givingUp(let fault): schedule(decoder.framing ?? .newline, traffic.enqueue(fault))
      }
    }
    let isScript = options.skipsHandshake && decoder.framing != .header
    // A script waits for all replies, and a client that sent “exit” for those before it; an editor that has closed the
    // input waits for nothing but what is on its way to the disk.
    let isPatient = hasExitWaiting.load(ordering: .relaxed) || traffic.holdsReplies
    let patience = isPatient ? Service.exitPatience : 300
    wait(milliseconds: isScript ? .max : patience) { [self] in traffic.isSettled && executor.isIdle }
    if !isScript { traffic.cancelAll() }
    session.clientRequests.close()
    wait(milliseconds: isScript ? .max : 100) { [self] in traffic.hasNoRequests }
    guard isScript else {
      let status = hasShutdownWaiting.load(ordering: .relaxed) ? 0 : session.host.statusAtEnd
      return end(status, status == 0 ? nil : "standard input was closed without “shutdown” and “exit”")
    }
    wait(milliseconds: .max) { [self] in traffic.isQuiet && executor.isIdle }
    channel.flush(within: .max)
    return channel.isBroken ? end(1, Service.outputClosed) : end(0, nil)
  }

  /// Ends the process when “exit” is queued behind replies that never leave: once no byte has left for a while, because
  /// the client does not read or the disk does not respond, without starting the queued messages.
  func endIfStalled() {
    Threads.start { [self] in
      var (stalled, unsent) = (0, traffic.unsentBytes)
      while stalled < (channel.isAboveHighWater ? Service.unreadPatience : Service.exitPatience) {
        Threads.rest(milliseconds: Int32(Service.unreadPause))
        if isEnding.load(ordering: .acquiring) { return }
        let now = traffic.unsentBytes
        stalled = traffic.isFull && now == unsent ? stalled + Service.unreadPause : 0
        unsent = now
      }
      let status = hasShutdownWaiting.load(ordering: .relaxed) ? 0 : session.host.statusAtEnd
      Processes.end(end(status, status == 0 ? nil : Service.exitWithoutShutdown))
    }
  }

  /// How long the client may read nothing before that, and the interval between two checks, in milliseconds.
  private static let unreadPatience = 1000
  private static let unreadPause = 50

  /// How long the messages before “exit” may take once the input is closed, or the disk with the held replies, in
  /// milliseconds: longer than a write waits for the lock.
  private static let exitPatience = 10_000
  /// How long the end waits for the last log lines to reach the file, in milliseconds.
  private static let logPatience = 500
  /// How long the end waits for a running checkpoint, in milliseconds; interrupting one does no harm.
  private static let checkpointPatience = 2000

  /// How long the end waits for notes that are being written, in milliseconds: longer than a note waits for another
  /// process.
  private static let notePatience = 5000
  /// How long the end waits for the follow-ups of the last replies, in milliseconds.
  private static let followUpPatience = 1000

  /// Waits at most `limit` milliseconds for a condition that other threads establish; unless `evenUnread`, stops when
  /// the reader is gone.
  func wait(milliseconds limit: Int, evenUnread: Bool = false, until condition: () -> Bool) {
    var left = limit
    while !condition(), left > 0, evenUnread || !channel.isBroken {
      _ = StandardStreams.isReady(-1, 0, timeout: 1)
      left -= 1
      if left % 1000 == 0 { session.retryWaiting() }
    }
  }

  /// Once the client does not take answers any more: that its changes are stored nevertheless.
  private var unansweredChanges: String {
    guard channel.isBroken || channel.unsentBytes > 0,
      let revision = session.host.storedRevision(durable: traffic.releasedRevision)
    else {
      return ""
    }
    return ": the changes up to revision \(revision) are stored; the last answers could not be written"
  }

  /// Lets the current write reach the disk and the replies the client, as far as it reads them, and logs why the
  /// process ends.
  func end(_ status: Int32, _ reason: String?) -> Int32 {
    // A second caller has nothing left to do.
    if isEnding.exchange(true, ordering: .acquiringAndReleasing) { Parker().park() }
    let isOwner = executor.isIsolatingCurrentContext() == true
    func waitWhileWorking() {
      wait(milliseconds: Service.followUpPatience, evenUnread: true) { [executor] in
        isOwner ? executor.drain() : executor.isIdle
      }
    }
    // The current change has no held reply yet to wait for.
    waitWhileWorking()
    wait(milliseconds: 10_000, evenUnread: true) { [executor, traffic] in
      // The session answers after a failed commit, and this may be its thread.
      if isOwner { _ = executor.drain() }
      return traffic.hasNoReplies
    }
    // The follow-ups of a reply belong to it, such as a note in `flags.json`.
    waitWhileWorking()
    wait(milliseconds: Service.notePatience, evenUnread: true) { [session] in session.notes.isSettled }
    traffic.closeInbox()
    traffic.cancelAll()
    wait(milliseconds: 200) { [traffic] in traffic.hasNoRequests }
    channel.flush(within: 100)
    // What has left is noted, or the next process would deliver it again.
    if session.host.owesDeliveryNote {
      session.enqueue { $0.noteDeliveredReminders() }
      waitWhileWorking()
    }
    // Closing the channel makes it look as if the reader were gone.
    let unanswered = status == 0 ? "" : unansweredChanges
    channel.close()
    // Otherwise scripts in quick succession would never let a checkpoint finish.
    session.host.checkpoints.stop()
    wait(milliseconds: Service.checkpointPatience, evenUnread: true) { [session] in !session.host.checkpoints.isRunning
    }
    if status != 0, let reason { log.last("\(reason)\(unanswered); exit status \(status)") }
    log.finish(within: Service.logPatience)
    return status
  }
}
