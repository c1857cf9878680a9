import DomainKit
import Premium

extension Session {
  /// Writes the response to a request, or defers it and passes it to `complete`.
  func respond(
    _ incoming: Incoming, _ turn: inout MessageTurn, _ writer: inout JSONWriter, _ answer: inout Answer,
    _ complete: @escaping Completion
  ) {
    let id = incoming.id
    let start = writer.count
    let preparedOutcome =
      writing.preparedOutcome.isEmpty ? nil : id.flatMap { writing.takePreparedOutcome(RequestID(lexeme: $0)) }
    defer { preparedOutcome?.drop() }
    do throws(RPCError) {
      let method = try admit(incoming, isInBatch: answer.isInBatch)
      answer.method = method
      answer.dependsOnNotes = method.scope.isEmpty && method != .rpcDiscover
      try prepare(method)
      // A replay to a subscriber depends on the store; other session replies stay valid without it.
      answer.isRepeatable = method.effect != .session || method == .eventsSubscribe
      if !traffic.hasNoRequests, let id, traffic.contains(RequestID(lexeme: id)) {
        // The client would take its reply for that of the first request.
        return OutgoingFrames.writeError(
          nil, RPCError(.invalidRequest, "a request with this id is not answered yet", pointer: "/id"), to: &writer)
      }
      var reader = JSONReader(try params(incoming))
      reader.refusesUnknownMembers = client.isStrict
      var call = Call(method: method, turn: turn)
      defer { turn = call.turn }
      if method.isHeavy {
        useStore(for: method)
        return try startHeavy(method, reader, id, &answer, heavyWork(method, &reader, call), complete)
      }
      if method.effect == .write, let refusal = writing.refusal { throw refusal }
      call.isInBatch = answer.isInBatch
      call.preparedOutcome = preparedOutcome
      OutgoingFrames.beginResponse(id, to: &writer)
      writer.append(",\"result\":" as StaticString)
      if let preparation = try perform(&reader, &call, &writer) {
        writer.truncate(to: start)
        answer.preparation = (preparation, call.attempts + 1)
        return
      }
      if let result = call.result {
        if result.count < OutgoingPieces.large || answer.isInBatch {
          result.withUnsafeBytes { writer.append($0) }
        } else {
          answer.result = (result, writer.count)
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
      // The message is not logged: it quotes the client's input.
      log.debug(
        .protocol, "refused with \(error.code): \(public: answer.method.map { "\($0.name)" } ?? "a request")")
      OutgoingFrames.writeError(id, error, to: &writer)
      if error.code == ErrorName.internalError.code { logDefect(error) }
    }
    // A reply that is written while changes are in flight may be held, and keeps its id in use; so may a change that
    // turns out to be empty.
    if let id, let method = answer.method,
      turn.holdsWriteLock || folder.latestRevision > traffic.releasedRevision || !notes.isSettled
    {
      answer.answered.append((RequestID(lexeme: id), method))
    }
  }

  /// Reports a defect of ours in the client's log pane, with the incident number under which the log has the details.
  private func logDefect(_ error: RPCError) {
    guard case .object(let data)? = try? JSONValue(json: error.data),
      case .string(let incident)? = data["incident"]
    else { return }
    tell(.error, "\(error.message), incident \(incident); its log has the details")
  }

  /// Opens the store for a method of a service that reads or writes it. An error is thrown when the store is used.
  func useStore(for method: Method) {
    guard !method.scope.isEmpty else { return }
    do throws(RPCError) { _ = try revision() } catch { if store == nil { folder.opened = .failure(error) } }
  }

  /// The method of a request, if it may be called now.
  private func admit(_ incoming: Incoming, isInBatch: Bool) throws(RPCError) -> Method {
    let found = incoming.method
    let isAlwaysAnswered = found == .serverInfo || found == .rpcDiscover
    // A request that is answered again was admitted before, even if the shutdown has come since.
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
      let name = incoming.methodName
      let near = Session.requests(near: name).map { "“\($0)”" }.joined(separator: " or ")
      throw RPCError(
        .methodNotFound, "there is no request “\(name.prefix(100))”", pointer: "/method",
        hint: near.isEmpty ? "“rpc.discover” lists them" : "did you mean \(near)?")
    }
    if isInBatch, found == .initialize || found == .shutdown {
      throw RPCError(.invalidRequest, "“\(found.name)” cannot be part of a batch", pointer: "/method")
    }
    return found
  }

  /// The requests that a wrong name may mean, at most three: the one with the fewest typing errors, else those that do
  /// what the name says, else those of the collection that it begins.
  private static func requests(near name: String) -> [String] {
    let names = Method.allCases.filter { $0.effect != .notification }.map { "\($0.name)" }
    if let nearest = Spelling.nearest(to: name, among: names) { return [nearest] }
    guard name.utf8.count >= 3 else { return [] }
    let word = name.lowercased()
    let doing = names.filter { $0.lowercased().hasSuffix("/" + word) }
    let among = names.filter { $0.lowercased().hasPrefix(word) && $0.contains("/") }
    return Array((doing.isEmpty ? among : doing).prefix(3))
  }

  /// Runs the bootstrap if needed, and refuses what the lock or the entitlement does not allow.
  private func prepare(_ method: Method) throws(RPCError) {
    guard method != .serverInfo, method != .rpcDiscover, method != .initialize else { return }
    if !start.hasBootstrapped {
      // Some methods report that the folder cannot be used; the others fail because of it.
      do throws(RPCError) { try bootstrap() } catch  where method.isServedWhileLocked {}
    }
    lock.noteRequest(at: Session.monotonicMilliseconds())
    lockAfterAbsence(isBack: false)
    // The lock depends on the present settings, not on those at the start.
    if !method.isServedWhileLocked, folder.announcedRevision == nil { _ = try? revision() }
    if !method.isServedWhileLocked, isLocked {
      throw RPCError(.locked, "the app is locked", hint: "“lock/unlock” has the user open it")
    }
    if let name = method.feature, let feature = Feature.known.first(where: { $0.rawValue == "\(name)" }) {
      try require(feature)
    }
  }

  /// The text of the params; an empty object when there are none.
  private func params(_ incoming: Incoming) throws(RPCError) -> UnsafeRawBufferPointer {
    switch incoming.envelope.params {
    case .none: return Session.noParams
    case .object(let range):
      let text = UnsafeRawBufferPointer(rebasing: incoming.text[range])
      log.params(String(decoding: text, as: UTF8.self), isSensitive: incoming.method?.isSensitive ?? false)
      return text
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

  func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    RPCError(params: error, in: text)
  }
}
