import DomainKit
import Platform

/// A write may carry the id of its change, `_meta.transaction`. A request that is repeated with it, because its reply
/// was lost, gets the first reply, and changes nothing again.
extension Session {
  /// Runs a request and writes its result. A write without its turn always fails: what it read may not be durable, or
  /// not the latest. Only invalid params are reported first.
  func perform(_ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter) throws(RPCError) {
    _ = folder.takeCommit()
    guard let writeRefusal = folder.writeRefusal, call.method.effect == .write else {
      try answer(&reader, &call, &writer)
      return publishCommit(&call)
    }
    do throws(RPCError) { try answer(&reader, &call, &writer) } catch {
      throw error.code == ErrorName.invalidParams.code ? error : writeRefusal
    }
    guard call.succeedsWithoutDisk else { throw writeRefusal }
  }

  private func answer(_ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter) throws(RPCError) {
    guard call.method.effect == .write, let id = try transactionID(reader.text) else {
      return try resumeOrDispatch(&reader, &call, &writer)
    }
    if let first = try firstResult(of: id, call.method) { return first.withUnsafeBytes { writer.append($0) } }
    call.transaction = id
    let start = writer.count
    var result: [UInt8]?
    do throws(RPCError) {
      try resumeOrDispatch(&reader, &call, &writer)
      result = call.result ?? Array(writer.buffer[start...])
    } catch {
      try finish(nil)
      throw error
    }
    try finish(result)
  }

  /// Completes the request with its preparation, or dispatches it.
  private func resumeOrDispatch(_ reader: inout JSONReader, _ call: inout Call, _ writer: inout JSONWriter)
    throws(RPCError)
  {
    if let preparedOutcome = call.preparedOutcome, let result = try preparedOutcome.resume(self, &call) {
      call.result = result
      return
    }
    folder.mayPrepare = call.method.effect == .read && !call.isInBatch && call.attempts < Session.maximumAttempts
    defer { folder.mayPrepare = false }
    var failure: RPCError?
    do throws(RPCError) { try dispatch(call.method, &reader, &call, &writer) } catch { failure = error }
    // Also when the handler has passed over the error: an answer made without what was not ready is none.
    if let making = folder.takePreparation() {
      throw call.suspend(
        .work { _ in
          making()
          return { _, _ in nil }
        })
    }
    guard let failure else { return }
    guard let planned = call.planned else { throw failure }
    call.result = try end(with: planned, &call)
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
    guard Session.mayHaveMeta(params), case .object(let members)? = try? JSONValue(json: Array(params)),
      case .object(let meta)? = members["_meta"], let value = meta["transaction"]
    else { return nil }
    guard case .string(let text) = value, let id = EntityID(text) else {
      throw RPCError(
        .invalidParams, "the id of a change is a UUID", pointer: "/_meta/transaction", allowed: "a UUID",
        hint: "make a new one for each change")
    }
    return id
  }

  private static let meta = Array("\"_meta\"".utf8)
  private static let metaBegins = Array("\"_".utf8)

  /// Whether the text may contain the name `_meta`, possibly escaped.
  private static func mayHaveMeta(_ text: UnsafeRawBufferPointer) -> Bool {
    text.contains(quoted: metaBegins) || text.contains(UInt8(ascii: "\\"))
  }
}
