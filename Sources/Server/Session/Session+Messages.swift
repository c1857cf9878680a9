import DomainKit
import Platform

extension Session {
  /// Processes one message. Its reply is in `outgoing`, held, or deferred. False when the message has to wait for the
  /// folder's lock: it is requeued at the front, and later messages wait behind it.
  @discardableResult
  func receive(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var frames = outgoing.frames.take() else {
      assertionFailure("a message is worked on before there is a framing, or within another one")
      return true
    }
    activity.note()
    defer { activity.note() }
    writing.notesBefore = notes.latest
    let message = Message(text)
    guard var turn = beginTurn(message, &frames) else {
      requeue(message, text)
      outgoing.frames = consume frames
      return false
    }
    switch message {
    case .invalid(let fault, let id):
      log.warning(.protocol, "not a message: \(unquoted: fault.message)")
      frames.fail(id, RPCError(fault))
    case .single(let incoming): single(incoming, &turn, &frames)
    case .batch(let elements, let text): batch(elements, text, &turn, &frames)
    }
    endTurn(&turn)
    checkInvariants()
    if turn.missedWriteLock {
      requeue(message, text)
      outgoing.frames = consume frames
      return false
    }
    announceFindings(&frames)
    for event in outgoing.deferredEvents where isWanted(event) { frames.notify(event) }
    outgoing.deferredEvents = []
    outgoing.frames = consume frames
    // With `--no-handshake`, no `initialized` starts the second phase.
    if options.skipsHandshake, start.hasBootstrapped, !start.hasLaunched, !options.isSingleCall {
      enqueue { $0.launch() }
    }
    return true
  }

  func receive(_ fault: MessageFault) {
    log.warning(.protocol, "not a message: \(unquoted: fault.message)")
    withFrames { $0.fail(nil, RPCError(fault)) }
  }

  /// Hands all replies to the channel. Input that is read later may depend on the replies of other processes.
  func flush() {
    writing.hasPolled = false
    withFrames { flush(&$0) }
  }

  func flush(_ frames: inout OutgoingFrames) {
    guard frames.count > 0 else { return }
    guard frames.isWritten else { return channel.send(frames.take()) }
    let isLarge = frames.writer.count > Session.keptOutput
    channel.send(frames.writer.buffer)
    frames.writer.truncate(to: 0)
    // Large replies tend to come in a row; the first small one after them frees the memory.
    if !isLarge { frames.writer.shrink(to: Session.keptOutput) }
  }

  private static let keptOutput = 64 << 10

  // MARK: one message

  private func single(_ incoming: Incoming, _ turn: inout MessageTurn, _ frames: inout OutgoingFrames) {
    switch incoming.envelope.kind {
    case .notification: receiveNotification(incoming)
    case .response: receiveResponse(incoming)
    case .request:
      let traces = trace(incoming).map { [$0] } ?? []
      let start = frames.begin()
      var answer = Answer()
      respond(incoming, &turn, &frames.writer, &answer, Session.completion(in: frames.framing, channel, traces))
      guard !turn.missedWriteLock else { return frames.writer.truncate(to: start) }
      if let (work, attempts) = answer.preparation {
        frames.writer.truncate(to: start)
        if !suspend(incoming, attempts, work, traces.first?.started) {
          frames.fail(nil, RPCError(.invalidRequest, "a request with this id is not answered yet", pointer: "/id"))
        }
        return
      }
      if answer.isDeferred {
        frames.writer.truncate(to: start)
      } else {
        if let (text, place) = answer.result { frames.insert(text, at: place) }
        frames.end(start)
        for event in answer.events where isWanted(event) { frames.notify(event) }
        if !outgoing.logLines.isEmpty, client.receivesEvents { sendLogLines(&frames) }
      }
      hold(start, incoming.text, answer, &turn, &frames, answer.isDeferred ? [] : traces)
    }
  }

  /// Answers the messages of a batch in one array, in the same order.
  private func batch(
    _ elements: [Range<Int>], _ text: UnsafeRawBufferPointer, _ turn: inout MessageTurn,
    _ frames: inout OutgoingFrames
  ) {
    let traces = traces(elements, text)
    let reply = BatchReply(Session.completion(in: frames.framing, channel, traces))
    var answer = Answer()
    // The work of deferred members, and what follows the reply.
    var (starts, followUps): ([@Sendable () -> Void], [@Sendable () -> Void]) = ([], [])
    var responses = JSONWriter()
    var parts: [(place: Int, range: Range<Int>)] = []
    var ids: Set<RequestID> = []
    for element in elements {
      let part = UnsafeRawBufferPointer(rebasing: text[element])
      let start = responses.count
      switch Message(object: part) {
      case .invalid(let fault, let id):
        OutgoingFrames.writeError(id, RPCError(fault), to: &responses)
        parts.append((reply.reserve(), start..<responses.count))
      case .single(let incoming) where incoming.envelope.kind == .request:
        var own = Answer()
        own.isInBatch = true
        let place = reply.reserve()
        if let id = incoming.requestID, !ids.insert(id).inserted {
          // The client could not match the two replies to their requests.
          OutgoingFrames.writeError(
            nil, RPCError(.invalidRequest, "two requests of this batch have one id", pointer: "/id"), to: &responses)
          parts.append((place, start..<responses.count))
          continue
        }
        respond(incoming, &turn, &responses, &own) { reply.put($0, at: place, $1) }
        // Earlier members may already have been carried out, so the batch cannot be requeued.
        turn.missedWriteLock = false
        if let start = own.start {
          if own.isDeferred { starts.append(start) } else { followUps.append(start) }
        }
        if !own.isDeferred { parts.append((place, start..<responses.count)) }
        answer.merge(own)
      case .single(let incoming) where incoming.envelope.kind == .notification: receiveNotification(incoming)
      case .single(let incoming): receiveResponse(incoming)
      case .batch: break
      }
    }
    let events = answer.events.filter { isWanted($0) }
    let afterwards = followUps
    let start = frames.begin()
    if starts.isEmpty {
      if !afterwards.isEmpty { answer.start = { for body in afterwards { body() } } }
      guard !parts.isEmpty else { return frames.writer.truncate(to: start) }
      frames.writer.beginArray()
      for part in parts {
        frames.writer.element()
        frames.writer.append(UnsafeRawBufferPointer(rebasing: responses.buffer[part.range]))
      }
      frames.writer.endArray()
      frames.end(start)
      for event in events { frames.notify(event) }
    } else {
      frames.writer.truncate(to: start)
      for part in parts { reply.put(OutgoingPieces(Array(responses.buffer[part.range])), at: part.place) }
      let begins = starts
      answer.start = {
        for begin in begins { begin() }
        reply.end(events, then: afterwards)
      }
    }
    hold(start, text, answer, &turn, &frames, starts.isEmpty ? traces : [])
  }

  /// Holds what was written since `start` if it depends on changes or notes that are not on disk yet; the traces follow
  /// it.
  private func hold(
    _ start: Int, _ text: UnsafeRawBufferPointer, _ answer: Answer, _ turn: inout MessageTurn,
    _ frames: inout OutgoingFrames, _ traces: [RequestTrace]
  ) {
    endTurn(&turn)
    if answer.revision > 0 { host.note(committed: answer.revision) }
    guard folder.latestRevision > traffic.releasedRevision || !notes.isSettled else {
      for trace in traces { trace.write(to: &frames) }
      answer.start?()
      return
    }
    // A reply that depends on records only need not wait for earlier notes.
    let restsOnNotes = answer.dependsOnNotes || notes.latest > writing.notesBefore
    let reply = TrafficState.Reply(
      revision: folder.latestRevision, note: restsOnNotes ? notes.latest : 0,
      frames: frames.take(from: start), message: Array(text), answered: answer.answered,
      deferred: answer.deferred, isRepeatable: answer.isRepeatable, start: answer.start,
      traces: traces.isEmpty ? nil : TrafficState.Traces(framing: frames.framing, traces: traces))
    // Earlier replies leave first.
    flush(&frames)
    guard !traffic.hold(reply, at: now()) else { return }
    channel.send(reply.frames)
    for trace in traces { trace.write(to: &frames) }
    answer.start?()
  }

  /// Writes an event that belongs to no reply. It is held, after the replies to them, while changes or notes that it
  /// may depend on are not on disk.
  func notify(_ event: Event, _ frames: inout OutgoingFrames) {
    let start = frames.writer.count
    frames.notify(event)
    guard folder.latestRevision > traffic.releasedRevision || !notes.isSettled else { return }
    let dependsOnNotes = dependsOnNotes(event)
    var held = TrafficState.Reply(
      revision: folder.latestRevision, note: dependsOnNotes ? notes.latest : 0,
      frames: frames.take(from: start), message: [], answered: [], deferred: [], isRepeatable: false,
      mayBeOvertaken: dependsOnNotes && folder.latestRevision <= traffic.releasedRevision)
    // A reminder is noted as delivered once it has left.
    if !reminders.delivered.isEmpty { held.start = { [weak self] in self?.enqueue { $0.noteDeliveredReminders() } } }
    if !traffic.hold(held, at: now()) { frames.append(held.frames) }
  }

  private func sendLogLines(_ frames: inout OutgoingFrames) {
    for line in outgoing.logLines { frames.notify(line) }
    outgoing.logLines = []
  }

  /// Frames and sends a deferred response and its events.
  private static func completion(
    in framing: Framing, _ channel: OutputChannel, _ traces: [RequestTrace]
  ) -> Completion {
    { response, events in
      var frames = OutgoingFrames(framing: framing)
      let start = frames.begin()
      frames.append(response)
      frames.end(start)
      for event in events { frames.notify(event) }
      for trace in traces { trace.write(to: &frames) }
      channel.send(frames.take())
    }
  }
}
