import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Premium

extension Session {
  /// Writes the response to a request, or arranges for it to come later through `complete`.
  func respond(
    _ envelope: Envelope, _ text: UnsafeRawBufferPointer, _ writer: inout JSONWriter, _ answer: inout Answer,
    _ complete: @escaping Completion
  ) {
    let id = envelope.id.map { UnsafeRawBufferPointer(rebasing: text[$0]) }
    let start = writer.count
    let workedOut = writing.workedOut.isEmpty ? nil : id.flatMap { writing.takeWorkedOut(RequestID(lexeme: $0)) }
    defer { workedOut?.drop() }
    do throws(RPCError) {
      let method = try admit(envelope, text, isInBatch: answer.isInBatch)
      answer.method = method
      answer.tellsOfNotes = method.scope.isEmpty && method != .rpcDiscover
      try prepare(method)
      // What is replayed to a subscriber rests on the store; other answers of the session's stay right.
      answer.isRepeatable = method.effect != .session || method == .eventsSubscribe
      if !traffic.hasNoRequests, let id, traffic.contains(RequestID(lexeme: id)) {
        // Its answer must not be taken for that of the first one.
        return OutgoingFrames.writeError(
          nil, RPCError(.invalidRequest, "a request with this id is not answered yet", pointer: "/id"), to: &writer)
      }
      var reader = JSONReader(try params(envelope, text))
      reader.refusesUnknownMembers = client.isStrict
      var result: JSONFragment<JSONValue>?
      if method.isHeavy {
        switch try beginHeavy(method, &reader) {
        case .now(let text): result = text
        case .work(let body):
          return try startHeavy(
            method, reader, id, &answer, { work throws(RPCError) in try await body(work).json }, complete)
        case nil: return try startHeavy(method, reader, id, &answer, heavyWork(method, &reader), complete)
        }
      }
      if method.effect == .write, let refusal = writing.refusal { throw refusal }
      var call = Call(method: method)
      call.isInBatch = answer.isInBatch
      call.workedOut = workedOut
      OutgoingFrames.beginResponse(id, to: &writer)
      writer.append(",\"result\":" as StaticString)
      if let result {
        result.encode(to: &writer)
      } else {
        do throws(RPCError) { try perform(&reader, &call, &writer) } catch {
          if let preparation = call.preparation {
            writer.truncate(to: start)
            answer.preparation = (preparation, call.attempts + 1)
            return
          }
          throw error
        }
        if let result = call.result {
          if result.count < OutgoingPieces.large || answer.isInBatch {
            result.withUnsafeBytes { writer.append($0) }
          } else {
            answer.result = (result, writer.count)
          }
        }
      }
      writer.append(UInt8(ascii: "}"))
      answer.revision = call.revision ?? 0
      answer.events = call.events
      if !call.followUps.isEmpty {
        let followUps = call.followUps
        answer.start = { [weak self] in
          for body in followUps { self?.enqueue(body) }
        }
      }
      log.debug(.protocol, "\(public: method.name)")
    } catch {
      writer.truncate(to: start)
      // Not the message: it names what the client sent.
      log.debug(
        .protocol, "refused with \(error.code): \(public: answer.method.map { "\($0.name)" } ?? "a request")")
      OutgoingFrames.writeError(id, error, to: &writer)
      if error.code == ErrorName.internalError.code { tellDefect(error) }
    }
    // Anything written while changes are on their way to the disk may have to wait, and its id with it; so may a change that finds
    // nothing to do.
    if let id, let method = answer.method,
      folder.hasTurn || folder.latestRevision > traffic.openedRevision || !notes.isSettled
    {
      answer.answered.append((RequestID(lexeme: id), method))
    }
  }

  /// Tells the client's log pane of a defect of ours, by the number that finds it in the log.
  private func tellDefect(_ error: RPCError) {
    guard case .object(let data)? = try? JSONValue(json: error.data),
      case .string(let incident)? = data["incident"]
    else { return }
    tell(.error, "\(error.message), incident \(incident); its log has the details")
  }

  /// Begins to answer a heavy request; nil for one that the session answers itself.
  private func beginHeavy(
    _ method: Method, _ reader: inout JSONReader
  ) throws(RPCError) -> HeavyAnswer<JSONFragment<JSONValue>>? {
    useStore(for: method)
    return try heavyAnswer(method, &reader, Call(method: method))
  }

  /// Opens the store for a method of a service that reads or writes it. What is wrong with the store is told when it is used.
  func useStore(for method: Method) {
    folder.obstacle = nil
    guard !method.scope.isEmpty else { return }
    do throws(RPCError) { _ = try revision() } catch { folder.obstacle = error }
  }

  /// The method of a request, if it may be called now.
  private func admit(
    _ envelope: Envelope, _ text: UnsafeRawBufferPointer, isInBatch: Bool
  ) throws(RPCError) -> Method {
    let found = method(envelope, text)
    let isAlwaysAnswered = found == .serverInfo || found == .rpcDiscover
    // What is answered again was admitted once, even if the shutdown came since.
    let isRepeated = writing.refusal != nil
    switch isRepeated
      ? .served : client.lifecycle.admits(isInitialize: found == .initialize, isAlwaysAnswered: isAlwaysAnswered)
    {
    case .served: break
    case .notInitialized:
      throw RPCError(
        .serverNotInitialized, "the first request is “initialize”", hint: "send “initialize”, then “initialized”")
    case .initializedTwice:
      throw RPCError(.invalidRequest, "“initialize” comes once, and was answered", pointer: "/method")
    case .afterShutdown: throw RPCError(.invalidRequest, "after “shutdown” only “exit” may come", pointer: "/method")
    }
    guard let found, found.effect != .notification else {
      let name = methodName(envelope, text)
      let nearest = Spelling.nearest(
        to: name, among: Method.allCases.filter { $0.effect != .notification }.map { "\($0.name)" })
      throw RPCError(
        .methodNotFound, "there is no request “\(name.prefix(100))”", pointer: "/method",
        hint: nearest.map { "did you mean “\($0)”?" } ?? "“rpc.discover” lists them")
    }
    if isInBatch, found == .initialize || found == .shutdown {
      throw RPCError(.invalidRequest, "“\(found.name)” cannot be part of a batch", pointer: "/method")
    }
    return found
  }

  /// Ensures that the start has come as far as a method needs, and refuses what the lock or the entitlement keeps closed.
  private func prepare(_ method: Method) throws(RPCError) {
    guard method != .serverInfo, method != .rpcDiscover, method != .initialize else { return }
    if !start.hasBootstrapped {
      // Some methods tell of a folder that cannot be used; the others are refused by it.
      do throws(RPCError) { try bootstrap() } catch  where method.isServedWhileLocked {}
    }
    lock.noteRequest(at: Session.monotonicMilliseconds())
    if lock.isAway { lockWhileAway() }
    // The lock goes by the settings as they are now, not as they were seen at the start.
    if !method.isServedWhileLocked, folder.announcedRevision == nil { _ = try? revision() }
    if !method.isServedWhileLocked, isLocked {
      throw RPCError(.locked, "the app is locked", hint: "“lock/unlock” has the user open it")
    }
    if let name = method.feature, let feature = Feature.known.first(where: { $0.rawValue == "\(name)" }) {
      try require(feature)
    }
  }

  /// The text of the params; an empty object when there are none.
  private func params(
    _ envelope: Envelope, _ text: UnsafeRawBufferPointer
  ) throws(RPCError) -> UnsafeRawBufferPointer {
    switch envelope.params {
    case .none: return Session.noParams
    case .object(let range):
      log.params(
        String(decoding: text[range], as: UTF8.self), isSensitive: method(envelope, text)?.isSensitive ?? false)
      return UnsafeRawBufferPointer(rebasing: text[range])
    case .positional:
      throw RPCError(
        .invalidParams, "params are given by name, in an object", pointer: "", allowed: "an object",
        hint: "send params by name: {\"name\": value}")
    }
  }

  private static var noParams: UnsafeRawBufferPointer {
    let text: StaticString = "{}"
    return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// The method of a message, if this build knows it.
  nonisolated func method(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> Method? {
    if let range = envelope.method { return Method(utf8: UnsafeRawBufferPointer(rebasing: text[range])) }
    var name = envelope.escapedMethod ?? ""
    return name.withUTF8 { Method(utf8: UnsafeRawBufferPointer($0)) }
  }

  private func methodName(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> String {
    envelope.escapedMethod ?? envelope.method.map { String(decoding: text[$0], as: UTF8.self) } ?? ""
  }

  /// What is wrong with the params of a request.
  func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    RPCError(params: error, in: text)
  }
}
