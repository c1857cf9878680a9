import FileStore
import JSONRPC
import Platform
import Synchronization

extension Service {
  /// The client has closed its end.
  func inputEnded(_ decoder: inout FrameDecoder) -> Int32 {
    if let event = decoder.finish() {
      switch event {
      case .message(let range): put(decoder.bytes(range), decoder.framing ?? .newline)
      case .fault(let fault), .givingUp(let fault): schedule(decoder.framing ?? .newline, traffic.enqueue(fault))
      }
    }
    let isScript = options.skipsHandshake && decoder.framing != .header
    // A script wants all its answers, and a client that has sent “exit” those before it; an editor that is gone wants the end.
    let patience = hasExitWaiting.load(ordering: .relaxed) ? Service.exitPatience : 300
    rest(milliseconds: isScript ? .max : patience) { [self] in traffic.isSettled && executor.isIdle }
    if !isScript { traffic.cancelAll() }
    session.clientRequests.close()
    rest(milliseconds: isScript ? .max : 100) { [self] in traffic.hasNoRequests }
    guard isScript else {
      let status = session.statusAtEnd
      return end(status, status == 0 ? nil : "standard input was closed without “shutdown” and “exit”")
    }
    rest(milliseconds: .max) { [self] in traffic.isQuiet && executor.isIdle }
    channel.flush(within: .max)
    return channel.isBroken ? end(1, Service.outputClosed) : end(0, nil)
  }

  /// “exit” waits behind answers that may never leave: once nothing has left for a while, as the client does not read or the disk does
  /// not answer, the process ends without starting the queued messages.
  func endUnlessRead() {
    Threads.start { [self] in
      var (stalled, unsent) = (0, traffic.unsentBytes)
      while stalled < (channel.isAboveHighWater ? Service.unreadPatience : Service.exitPatience) {
        Threads.rest(milliseconds: Int32(Service.unreadPause))
        if isEnding.load(ordering: .acquiring) { return }
        let now = traffic.unsentBytes
        stalled = traffic.isFull && now == unsent ? stalled + Service.unreadPause : 0
        unsent = now
      }
      let status = hasShutdownWaiting.load(ordering: .relaxed) ? 0 : session.statusAtEnd
      Processes.end(end(status, status == 0 ? nil : Service.exitWithoutShutdown))
    }
  }

  /// How long the client may read nothing before that, and the interval between two checks, in milliseconds.
  private static let unreadPatience = 1000
  private static let unreadPause = 50

  /// How long the messages before “exit” may take once the input is closed, or the disk with the replies that wait for it, in
  /// milliseconds: longer than a write waits for the lock.
  private static let exitPatience = 10_000
  /// How long the end waits for the last lines of the log to be in its file, in milliseconds.
  private static let logPatience = 500
  /// How long the end waits for a checkpoint that has begun, in milliseconds; one that is cut off does no harm.
  private static let checkpointPatience = 2000

  /// How long the end waits for what is being noted beside the store, in milliseconds: longer than a note waits for another process.
  private static let notePatience = 5000
  /// How long the end waits for what follows the last answers, in milliseconds.
  private static let followUpPatience = 1000

  /// Waits for a condition that other threads bring about, or (not `evenUnread`) until nobody is left to care.
  func rest(milliseconds limit: Int, evenUnread: Bool = false, until condition: () -> Bool) {
    var left = limit
    while !condition(), left > 0, evenUnread || !channel.isBroken {
      _ = StandardStreams.isReady(-1, 0, timeout: 1)
      left -= 1
      if left % 1000 == 0 { session.retryWaiting() }
    }
  }

  /// Lets the write in hand reach the disk and the answers the client, as far as it takes them, and says why it ends.
  func end(_ status: Int32, _ reason: String?) -> Int32 {
    // The second caller has nothing left to do.
    if isEnding.exchange(true, ordering: .acquiringAndReleasing) { Parker().park() }
    let isOwner = executor.isIsolatingCurrentContext() == true
    func restWhileWorking() {
      rest(milliseconds: Service.followUpPatience, evenUnread: true) { [executor] in
        isOwner ? executor.settle() : executor.isIdle
      }
    }
    // The change in hand has no reply yet that could be waited for.
    restWhileWorking()
    rest(milliseconds: 10_000, evenUnread: true) { [executor, traffic] in
      // A failed commit is answered by the session, whose thread this may be.
      if isOwner { _ = executor.settle() }
      return traffic.hasNoReplies
    }
    // What follows an answer, such as a note in `flags.json`, belongs to it.
    restWhileWorking()
    rest(milliseconds: Service.notePatience, evenUnread: true) { [session] in session.notes.isSettled }
    traffic.closeToMessages()
    traffic.cancelAll()
    rest(milliseconds: 200) { [traffic] in traffic.hasNoRequests }
    channel.flush(within: 100)
    channel.close()
    // Scripts that come and go would else never get one to its end.
    session.host.checkpoints.stop()
    rest(milliseconds: Service.checkpointPatience, evenUnread: true) { [session] in !session.host.checkpoints.isRunning
    }
    if status != 0, let reason { log.last("\(reason); exit status \(status)") }
    log.finish(within: Service.logPatience)
    return status
  }
}
