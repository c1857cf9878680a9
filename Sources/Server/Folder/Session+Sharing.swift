import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Platform
import SettingsDocument

/// Other processes work on the same folder: what they wrote is taken in before each request, and a request that writes first
/// gets the folder's lock.
extension Session {
  /// How a message that may write goes on.
  enum Turn {
    /// It may be worked on; when it is done, `endTurn` is called.
    case now
    /// Another process has the lock: the message has to wait.
    case later
  }

  /// Ensures that what a message is going to write comes behind everything that others wrote.
  func beginTurn(_ message: Classified, _ text: UnsafeRawBufferPointer, _ frames: inout OutgoingFrames) -> Turn {
    // Messages answered again after a failed commit write nothing.
    guard writing.refusal == nil else { return .now }
    guard case .running = client.lifecycle, let timeout = lockTimeout(message, text) else {
      if writing.hasLooked || !readsNothing(message, text) { followOthers(&frames) }
      return .now
    }
    do throws(RPCError) {
      let store = try openStore()
      do throws(StoreError) {
        // Where there is no folder, none is made before something is to be stored.
        let isAbsent = try store.isAbsent
        if !isAbsent { folder.hasTurn = try store.beginWriting() }
        if !folder.hasTurn, !isAbsent {
          guard hasWaited(milliseconds: timeout) else { return .later }
          folder.turnRefusal = RPCError(store.busy)
        }
      } catch { folder.turnRefusal = RPCError(error) }
    } catch { folder.turnRefusal = error }
    writing.waitsSince = nil
    if folder.hasTurn { announceOthers(&frames) } else { followOthers(&frames) }
    return .now
  }

  /// Ends what `beginTurn` began; to be called before the answer is held or sent.
  func endTurn() {
    folder.turnRefusal = nil
    guard folder.hasTurn, let store else { return }
    folder.hasTurn = false
    // Before the proof begins, whose end opens the traffic.
    if store.needsProof { traffic.close(at: folder.latestRevision) }
    store.endWriting()
  }

  /// Nobody would ever release what is held while nothing is on its way to the disk.
  func checkInvariants() {
    assert(
      store?.isSettling == true || !notes.isSettled || !traffic.holdsReplies,
      "replies are held, and nothing will release them")
  }

  /// Takes in what other processes were answered before this message was read, and tells of it. Messages that were read together
  /// share one look: each of them was on its way when it is taken.
  func followOthers(_ frames: inout OutgoingFrames) {
    guard let store else { return }
    if !writing.hasLooked {
      writing.hasLooked = true
      do throws(StoreError) { try store.follow() } catch {
        // A request for data is told; what is in memory is not shown any more.
        log.error(.store, "the data folder cannot be read on: \(public: error)")
      }
    }
    announceOthers(&frames)
  }

  /// Whether a message is a request whose answer has nothing to do with the data folder.
  private func readsNothing(_ message: Classified, _ text: UnsafeRawBufferPointer) -> Bool {
    guard case .single(let envelope) = message, let method = method(envelope, text) else { return false }
    return method == .serverInfo || method == .rpcDiscover
  }

  /// Looks for what others did while no request came; called when something happened in the folder, and from time to time. Returns where
  /// something may happen next.
  func lookAround() -> [String] {
    guard takeInOthers() else { return [options.dataFolder] }
    letTimePass()
    scrubIfIdle()
    return store?.watchedPaths ?? [options.dataFolder]
  }

  /// Looks for what others did, and tells of it. False when the folder cannot be looked at now.
  @discardableResult
  func takeInOthers() -> Bool {
    guard let store, !store.hasFailed, var frames = outgoing.frames.take() else { return false }
    do throws(StoreError) { try store.lookAround() } catch {
      log.error(.store, "the data folder cannot be read on: \(public: error)")
    }
    announceOthers(&frames)
    tellRecovery(&frames)
    outgoing.frames = consume frames
    flush()
    return true
  }

  /// Tells of everything that others changed since they were told of last.
  private func announceOthers(_ frames: inout OutgoingFrames) {
    // What failed and was not taken back yet is nobody's change.
    guard let store, !store.hasFailed, let present = store.knownRevision else { return }
    if store.exchanges != told.exchanges {
      told.exchanges = store.exchanges
      folder.announcedRevision = present
      folder.seenRevision = present
      folder.latestRevision = present
      folder.ownRevisions = RevisionSet()
      traffic.begin(at: present)
      forgetEverything()
      // Of what this client had deleted it hears in the answer.
      guard deletion.since == nil else { return }
      enqueue { $0.followExchange() }
      log.warning(.store, "the data folder was exchanged while it was open; everything was read again")
      tellOthers([Event(StoreReplacedParams.method, StoreReplacedParams(revision: present))], &frames)
      return
    }
    guard let told = folder.announcedRevision else { return begin(at: present) }
    // What it is compared with is not known any more once the present settings are asked for.
    let settingsBefore = folder.settingsBefore
    if present > folder.seenRevision {
      folder.seenRevision = present
      folder.latestRevision = max(folder.latestRevision, present)
      traffic.open(upTo: store.durableRevision)
      forget()
    }
    // The event of a change that is made for this client away from the session follows its answer.
    guard present > told, writing.detached == 0 else { return }
    folder.announcedRevision = present
    enqueue { $0.followChanges() }
    do throws(StoreError) {
      let page = try store.changes(since: told)
      // What this connection imported is found in the folder too.
      let isOurs = page.records.allSatisfy { folder.ownRevisions.contains($0.revision) }
      let origin = isOurs ? Origin.thisFrontend : .otherProcess
      let events = Session.events(
        for: Session.recordChanges(page), origin: origin, changed: changedSettings(page, since: settingsBefore))
      tellOthers(events + consequences(of: events.map(\.method), origin: origin).events, &frames)
    } catch {
      tellOthers([Event(StoreReplacedParams.method, StoreReplacedParams(revision: present))], &frames)
    }
  }

  /// Which settings others have changed: all where that is not known.
  private func changedSettings(_ page: ChangePage, since before: DataFolder.SettingsInForce?) -> [String] {
    guard let before, page.records.contains(where: { $0.collection == Settings.collection }),
      let present = try? folder.settings()
    else { return Settings.memberNames }
    let names = SettingsChanges.names(from: before.value, to: present)
    return names.isEmpty ? Settings.memberNames : names
  }

  /// Notes that a change is being made away from the session.
  func beginDetachedWrite() {
    writing.detached += 1
    store?.beginImport()
  }

  /// Notes that it is made and answered, and tells of it.
  func endDetachedWrite() {
    writing.detached -= 1
    _ = lookAround()
    if writing.detached == 0 { followed.end() }
    if writing.detached == 0, deletion.since != nil { endDeletion() }
  }

  private func tellOthers(_ events: [Event], _ frames: inout OutgoingFrames) {
    for event in events where isWanted(event) { frames.notify(event) }
  }

  // MARK: waiting for the lock

  /// Puts a message back to wait for the folder's lock, and has it tried again later.
  func postpone(_ message: Classified, _ text: UnsafeRawBufferPointer) {
    var request: (id: RequestID, method: String)?
    if case .single(let envelope) = message, let range = envelope.id {
      let id = RequestID(lexeme: UnsafeRawBufferPointer(rebasing: text[range]))
      request = (id, method(envelope, text).map { "\($0.name)" } ?? "")
    }
    let needsRetry = traffic.putBack(text, request, at: self.now())
    let now = Clock.monotonicNanoseconds()
    let waited = now &- (writing.waitsSince ?? now)
    writing.waitsSince = writing.waitsSince ?? now
    guard needsRetry else { return }
    // A short pause first, since a write takes a fraction of a millisecond; longer ones when somebody is busy for long.
    let pause = Int32(min(50, max(1, waited / 4_000_000)))
    let isStarted = Threads.after(milliseconds: pause) { [weak self] in self?.enqueue { $0.retry() } }
    // Where the system has no thread to give now, it is tried again without a pause.
    if !isStarted { enqueue { $0.retry() } }
  }

  private func retry() {
    traffic.beginRetry()
    takeMessages()
  }

  /// Looks again for everything that waits for a thread, in case the one that was to come never came to run: called from time to time.
  nonisolated func retryWaiting() {
    if traffic.hasMessages { enqueue { $0.takeMessages() } }
    executor.callThread()
    channel.callThread()
  }

  private func hasWaited(milliseconds: Int) -> Bool {
    guard let start = writing.waitsSince else { return milliseconds == 0 }
    return (Clock.monotonicNanoseconds() &- start) / 1_000_000 >= UInt64(clamping: milliseconds)
  }

  /// How long a message that writes waits for the lock at most, in milliseconds; nil when it writes nothing.
  private func lockTimeout(_ message: Classified, _ text: UnsafeRawBufferPointer) -> Int? {
    switch message {
    case .invalid: return nil
    case .single(let envelope): return lockTimeout(envelope, text)
    case .batch(let elements):
      return elements.compactMap { element in
        let part = UnsafeRawBufferPointer(rebasing: text[element])
        guard case .single(let envelope) = Envelope.classifyObject(part) else { return nil }
        return lockTimeout(envelope, part)
      }.max()
    }
  }

  private func lockTimeout(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> Int? {
    guard envelope.kind == .request, method(envelope, text)?.effect == .write else { return nil }
    // Only once it has to wait does it matter what the caller says.
    guard writing.waitsSince != nil, case .object(let range) = envelope.params,
      case .object(let params)? = try? JSONValue(json: Array(text[range])), case .object(let meta)? = params["_meta"],
      case .number(let number)? = meta["timeoutMs"], let milliseconds = number.integer, milliseconds >= 0
    else { return SessionConstants.lockTimeout }
    return milliseconds
  }
}
