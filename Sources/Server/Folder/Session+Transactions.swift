import DomainKit
import Platform

/// A write may carry the id of its change, `_meta.transaction`. A request that is repeated with it, because its reply
/// was lost, gets the first reply, and changes nothing again.
extension Session {
  /// Runs a request and writes its result; returns what it waits for if it is not answered yet. A write without its turn
  /// always fails: what it read may not be durable, or not the latest. Only invalid params are reported first.
  func perform(
    _ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter
  ) throws(RPCError) -> Preparation? {
    _ = call.turn.takeCommit()
    guard let writeRefusal = call.turn.writeRefusal, call.method.effect == .write else {
      let preparation = try answer(&reader, &call, &writer)
      if preparation == nil { publishCommit(&call) }
      return preparation
    }
    do throws(RPCError) { _ = try answer(&reader, &call, &writer) } catch {
      throw error.code == ErrorName.invalidParams.code ? error : writeRefusal
    }
    guard call.succeedsWithoutDisk else { throw writeRefusal }
    return nil
  }

  private func answer(
    _ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter
  ) throws(RPCError) -> Preparation? {
    guard call.method.effect == .write, let id = try transactionID(reader.text) else {
      return try resumeOrDispatch(&reader, &call, &writer)
    }
    if let first = try firstResult(of: id, call.method) {
      first.withUnsafeBytes { writer.append($0) }
      return nil
    }
    call.transaction = id
    let start = writer.count
    let preparation: Preparation?
    do throws(RPCError) { preparation = try resumeOrDispatch(&reader, &call, &writer) } catch {
      try finish(nil)
      throw error
    }
    try finish(preparation == nil ? call.result ?? Array(writer.buffer[start...]) : nil)
    return preparation
  }

  /// Completes the request with its preparation, or runs its handler once what that needs is ready.
  private func resumeOrDispatch(
    _ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter
  ) throws(RPCError) -> Preparation? {
    if let preparedOutcome = call.preparedOutcome {
      switch try preparedOutcome.resume(self, &call) {
      case .done(let text):
        call.result = text
        return nil
      case .waits(let preparation): return preparation
      case .begins: break
      }
    }
    // A store that cannot be read is the handler's to report, after invalid params.
    if call.mayWait, let build = try? projection(for: call) {
      return .work { _ in
        build()
        return { _, _ in .begins }
      }
    }
    if call.method.isPlanned { return try dispatchPlanned(call.method, &reader, &call, &writer) }
    try dispatch(call.method, &reader, &call, &writer)
    return nil
  }

  private func finish(_ result: [UInt8]?) throws(RPCError) {
    do throws(StoreError) { try store?.finish(result: result) } catch { throw RPCError(error) }
  }

  /// The result of the first request with this id; nil when there was none.
  private func firstResult(of id: EntityID, _ method: Method) throws(RPCError) -> [UInt8]? {
    _ = try revision()
    guard let known = try withStore({ store throws(StoreError) in try store.known(id) }) else { return nil }
    guard let result = known.result, known.label == "\(method.name)" else {
      throw RPCError(
        .conflict, "another change has this id", pointer: "/_meta/transaction",
        hint: "give each change a new id, and send it again only with the same request")
    }
    return result
  }

  /// Refuses the id of a change for a request that runs off the session, where it would have no effect.
  func refuseTransactionID(_ params: UnsafeRawBufferPointer) throws(RPCError) {
    // Avoids parsing large params.
    guard params.contains(quoted: Session.meta), try transactionID(params) != nil else { return }
    throw RPCError(
      .invalidParams, "this request cannot carry the id of a change", pointer: "/_meta/transaction", allowed: "nothing",
      hint: "leave it out; after a lost answer look what is there before you send the request again")
  }

  /// The member `transaction` of `_meta` in the text of params; nil when there is none.
  private func transactionID(_ params: UnsafeRawBufferPointer) throws(RPCError) -> EntityID? {
    // Few requests have one, and this check is cheap.
    guard let value = Session.meta(of: params)?["transaction"] else { return nil }
    guard case .string(let text) = value, let id = EntityID(text) else {
      throw RPCError(
        .invalidParams, "the id of a change is a UUID", pointer: "/_meta/transaction", allowed: "a UUID",
        hint: "make a new one for each change")
    }
    return id
  }

  /// The member `timeoutMs` of `_meta` in the text of params: how long the request waits for other processes.
  static func timeout(inMetaOf params: UnsafeRawBufferPointer) -> Int? {
    guard params.contains(quoted: meta), case .number(let number)? = meta(of: params)?["timeoutMs"],
      let milliseconds = number.integer, milliseconds >= 0
    else { return nil }
    return milliseconds
  }

  private static func meta(of params: UnsafeRawBufferPointer) -> JSONObject? {
    guard mayHaveMeta(params), case .object(let members)? = try? JSONValue(json: Array(params)),
      case .object(let meta)? = members["_meta"]
    else { return nil }
    return meta
  }

  private static let meta = Array("\"_meta\"".utf8)
  private static let metaBegins = Array("\"_".utf8)

  /// Whether the text may contain the name `_meta`, possibly escaped.
  private static func mayHaveMeta(_ text: UnsafeRawBufferPointer) -> Bool {
    text.contains(quoted: metaBegins) || text.contains(UInt8(ascii: "\\"))
  }
}
