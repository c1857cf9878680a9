import DaybookProtocol
import FileStore
import JSONRPC

extension Session {
  /// Defers a heavy request, which runs off the session, on a snapshot taken when it starts.
  func startHeavy(
    _ method: Method, _ reader: borrowing JSONReader, _ lexeme: UnsafeRawBufferPointer?, _ answer: inout Answer,
    _ body: @escaping @Sendable (HeavyWork) async throws(RPCError) -> [UInt8], _ complete: @escaping Completion
  ) throws(RPCError) {
    if method.effect == .write { try refuseTransactionID(reader.text) }
    let id = RequestID(lexeme: Array(lexeme ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    guard traffic.add(id, method: "\(method.name)", state: .queued, since: now()) else {
      // A request with this id has been registered since the check.
      throw RPCError(.invalidRequest, "a request with this id is not answered yet", pointer: "/id")
    }
    let workDone = token(reader.common.workDoneToken, reader)
    let partialResult = token(reader.common.partialResultToken, reader)
    guard traffic.claim([workDone, partialResult].compactMap { $0 }, for: id) else {
      traffic.remove(id)
      throw RPCError(
        .invalidParams, "a request that is not answered yet reports under this token",
        pointer: workDone == nil ? "/partialResultToken" : "/workDoneToken",
        hint: "give each request a token of its own")
    }
    let work = HeavyWork(
      revision: store?.knownRevision ?? 0, answeredPrompts: lock.answeredPrompts,
      progress: Progress(
        channel: channel, framing: client.framing, workDone: workDone, partialResult: partialResult),
      turn: WorkTurn(workTurns, isBulk: method.effect != .read),
      client: client.abilities.confirms ? clientRequests : nil,
      session: self, configuration: folderConfiguration, author: author,
      patience: Session.timeout(inMetaOf: reader.text))
    let receivesEvents = client.receivesEvents
    answer.isDeferred = true
    answer.deferred = [id]
    answer.start = { [traffic, log] in
      traffic.set(id, .running)
      let task = Task.detached(executorPreference: WorkExecutor.shared) {
        if method.effect == .write { await self.beginDetachedWrite(method) }
        let response: OutgoingPieces
        do throws(RPCError) {
          response = OutgoingFrames.response(id, try await body(work))
        } catch {
          response = OutgoingFrames.response(id, error)
        }
        log.debug(.protocol, "\(public: method.name) (deferred)")
        // The reply may depend on notes.
        await self.notes.settle()
        let events = receivesEvents ? work.progress.events : []
        traffic.complete(id) { complete(response, events) }
        work.turn.end()
        // The session sees its writes as it sees those of another process.
        if method.effect == .write { await self.endDetachedWrite(method) }
      }
      traffic.attach(id) { task.cancel() }
    }
  }

  private func token(_ range: Range<Int>?, _ reader: borrowing JSONReader) -> Token? {
    guard let range else { return nil }
    // Any value but a string or number is no token, and reports nothing.
    return try? Token(json: Array(reader.text[range]))
  }
}

extension OutgoingFrames {
  /// The response with the text of a result, which is not copied if it is large.
  fileprivate static func response(_ id: RequestID, _ result: [UInt8]) -> OutgoingPieces {
    var pieces = OutgoingPieces(
      JSONWriter.text { writer in
        id.lexeme.withUnsafeBytes { OutgoingFrames.beginResponse($0, to: &writer) }
        writer.append(",\"result\":" as StaticString)
      })
    pieces.append(result)
    pieces.append([UInt8(ascii: "}")])
    return pieces
  }

  fileprivate static func response(_ id: RequestID, _ error: RPCError) -> OutgoingPieces {
    OutgoingPieces(
      JSONWriter.text { writer in id.lexeme.withUnsafeBytes { OutgoingFrames.writeError($0, error, to: &writer) } })
  }
}
