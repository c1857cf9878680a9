import DomainKit
import Platform
import SettingsDocument

/// Several processes share the data folder: the session reads the others' changes before each request, and acquires the
/// folder's lock before a write.
extension Session {
  /// Begins the turn of a message, with the write lock if it may write, after reading everything that others wrote;
  /// `endTurn` is called afterwards. Nil when it has to wait because another process has the lock.
  func beginTurn(_ message: Message, _ frames: inout OutgoingFrames) -> MessageTurn? {
    var turn = MessageTurn()
    // Messages that are answered again after a failed commit write nothing.
    guard writing.refusal == nil else { return turn }
    guard case .running = client.lifecycle, let timeout = lockTimeout(message) else {
      if writing.hasPolled || !isIndependentOfStore(message) { readOthers(&frames) }
      return turn
    }
    do throws(RPCError) {
      let store = try openStore()
      do throws(StoreError) {
        // A folder that does not exist is not created before there is something to store.
        let isAbsent = try store.isAbsent
        if !isAbsent { turn.holdsWriteLock = try store.beginWriting() }
        if !turn.holdsWriteLock, !isAbsent {
          guard hasWaited(milliseconds: timeout) else { return nil }
          turn.writeRefusal = RPCError(store.busy)
        }
      } catch { turn.writeRefusal = RPCError(error) }
    } catch { turn.writeRefusal = error }
    writing.waitingSince = nil
    if turn.holdsWriteLock { announceOthers(&frames) } else { readOthers(&frames) }
    return turn
  }

  /// Ends the write turn; called before the reply is held or sent.
  func endTurn(_ turn: inout MessageTurn) {
    turn.writeRefusal = nil
    guard turn.holdsWriteLock, let store else { return }
    turn.holdsWriteLock = false
    // Before the proof starts: its end releases the replies.
    if store.needsProof { traffic.close(at: folder.latestRevision) }
    store.endWriting()
  }

  /// Checks that held replies will be released: something is on its way to the disk.
  func checkInvariants() {
    assert(
      store?.isSettling == true || !notes.isSettled || !traffic.holdsReplies,
      "replies are held, and nothing will release them")
  }

  /// Reads and announces what other processes had answered before this message was read. Messages that were read
  /// together share one poll: each was in transit when it happens.
  func readOthers(_ frames: inout OutgoingFrames) {
    guard let store else { return }
    if !writing.hasPolled {
      writing.hasPolled = true
      do throws(StoreError) { try store.follow() } catch {
        // Requests for data report the error; what is in memory is no longer served.
        log.error(.store, "the data folder cannot be read on: \(public: error)")
      }
    }
    announceOthers(&frames)
  }

  /// Whether a message is a request whose reply does not depend on the data folder.
  private func isIndependentOfStore(_ message: Message) -> Bool {
    guard case .single(let incoming) = message else { return false }
    return incoming.method == .serverInfo || incoming.method == .rpcDiscover
  }

  /// Polls the folder between requests, when something changed in it and periodically. Returns the paths to watch next.
  func pollFolder() -> [String] {
    // Another process may have written it.
    onboarding.flagsMayHaveChanged()
    guard pollOthers() else { return [options.dataFolder] }
    tick()
    scrubIfIdle()
    return store?.watchedPaths ?? [options.dataFolder]
  }

  /// Reads and announces the changes of others. False without a store, and while a message is processed or a failed
  /// commit is not rolled back.
  @discardableResult
  func pollOthers() -> Bool {
    guard let store, !store.hasFailed, var frames = outgoing.frames.take() else { return false }
    do throws(StoreError) { try store.poll() } catch {
      log.error(.store, "the data folder cannot be read on: \(public: error)")
    }
    announceOthers(&frames)
    announceFindings(&frames)
    outgoing.frames = consume frames
    flush()
    return true
  }

  /// Announces everything that others have changed since the last announcement.
  private func announceOthers(_ frames: inout OutgoingFrames) {
    // A failed change that is not rolled back yet is not announced.
    guard let store, !store.hasFailed, let present = store.knownRevision else { return }
    if store.replacements != announced.replacements {
      announced.replacements = store.replacements
      folder.announcedRevision = present
      folder.seenRevision = present
      folder.latestRevision = present
      folder.ownRevisions = RevisionSet()
      traffic.begin(at: present)
      forgetEverything()
      // This client hears of its own deletion in the reply.
      guard deletion.since == nil else { return }
      enqueue { $0.reloadAfterReplacement() }
      log.warning(.store, "the data folder was exchanged while it was open; everything was read again")
      write([Event(StoreReplacedParams.method, StoreReplacedParams(revision: present))], &frames)
      return
    }
    guard let announced = folder.announcedRevision else { return begin(at: present) }
    // Not known any longer after the present settings are read.
    let settingsBefore = folder.lastKnownSettings
    if present > folder.seenRevision {
      folder.seenRevision = present
      folder.latestRevision = max(folder.latestRevision, present)
      traffic.open(upTo: store.durableRevision)
      forget()
    }
    // The event of a change made for this client off the session follows its reply.
    guard present > announced, writing.detached == 0 else { return }
    folder.announcedRevision = present
    enqueue { $0.refreshDerivedState() }
    do throws(RPCError) {
      // This connection finds its own imports in the folder too.
      write(try feed.events(since: announced) { changedSettings(since: settingsBefore) }.all, &frames)
    } catch {
      write([Event(StoreReplacedParams.method, StoreReplacedParams(revision: present))], &frames)
    }
  }

  /// The names of the settings that others have changed; all when that is unknown.
  private func changedSettings(since before: DataFolder.SettingsInForce?) -> [String] {
    guard let before, let present = try? folder.settings() else { return Settings.memberNames }
    let names = SettingsChanges.names(from: before.value, to: present)
    return names.isEmpty ? Settings.memberNames : names
  }

  /// Notes that a change is being made off the session.
  func beginDetachedWrite(_ method: Method) {
    // What a pass changes is nobody's: it is told as it comes, and so is what others change meanwhile.
    if method == .syncNow { return rooms.sync.beginRequest() }
    writing.detached += 1
    store?.beginImport()
  }

  /// Notes that it is made and answered, and announces it.
  func endDetachedWrite(_ method: Method) {
    if method != .syncNow { writing.detached -= 1 }
    _ = pollFolder()
    if method == .syncNow { return atDesk { rooms, desk in rooms.sync.endRequest(&desk) } }
    if writing.detached == 0 { followed.end() }
    if writing.detached == 0, deletion.since != nil { endDeletion() }
  }

  private func write(_ events: [Event], _ frames: inout OutgoingFrames) {
    for event in events where isWanted(event) { frames.notify(event) }
  }

  // MARK: waiting for the lock

  /// Requeues a message that waits for the folder's lock, and schedules a retry.
  func requeue(_ message: Message, _ text: UnsafeRawBufferPointer) {
    var request: (id: RequestID, method: String)?
    if case .single(let incoming) = message, let id = incoming.requestID { request = (id, incoming.methodName) }
    let needsRetry = traffic.requeue(text, request, at: self.now())
    let now = Clock.monotonicNanoseconds()
    let waited = now &- (writing.waitingSince ?? now)
    writing.waitingSince = writing.waitingSince ?? now
    guard needsRetry else { return }
    // Short pauses first, as a write takes a fraction of a millisecond; longer ones during long work.
    let pause = Int32(min(50, max(1, waited / 4_000_000)))
    let isStarted = Threads.after(milliseconds: pause) { [weak self] in self?.enqueue { $0.retry() } }
    // Without a thread to start, the retry follows at once.
    if !isStarted { enqueue { $0.retry() } }
  }

  private func retry() {
    traffic.beginRetry()
    drainMessages()
  }

  /// Retries everything that waits for a thread, in case none could be started; called periodically.
  nonisolated func retryWaiting() {
    if traffic.hasMessages { enqueue { $0.drainMessages() } }
    executor.wakeThread()
    channel.wakeThread()
  }

  private func hasWaited(milliseconds: Int) -> Bool {
    guard let start = writing.waitingSince else { return milliseconds == 0 }
    return (Clock.monotonicNanoseconds() &- start) / 1_000_000 >= UInt64(clamping: milliseconds)
  }

  /// How long a message that writes waits for the lock, in milliseconds; nil when it writes nothing.
  private func lockTimeout(_ message: Message) -> Int? {
    switch message {
    case .invalid: nil
    case .single(let incoming): lockTimeout(incoming)
    case .batch(let elements, let text):
      elements.compactMap { element in
        guard case .single(let incoming) = Message(object: UnsafeRawBufferPointer(rebasing: text[element])) else {
          return nil
        }
        return lockTimeout(incoming)
      }.max()
    }
  }

  private func lockTimeout(_ incoming: Incoming) -> Int? {
    guard incoming.envelope.kind == .request, incoming.method?.effect == .write else { return nil }
    // The caller's timeout matters only once the message has to wait.
    guard writing.waitingSince != nil, let text = incoming.params else { return SessionConstants.lockTimeout }
    return Session.timeout(inMetaOf: text) ?? SessionConstants.lockTimeout
  }
}
