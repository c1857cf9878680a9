import DaybookProtocol
import JSONRPC

/// Classifies and decodes a message, and reports violations of rules that hold for any message.
struct MessageCheck {
  /// The number of decoded params, to check that some streams are valid.
  private(set) var decoded = 0

  /// The problem, or nil.
  mutating func check(_ message: UnsafeRawBufferPointer) -> String? {
    let classified = Envelope.classify(message)
    if case .batch(let elements) = classified {
      if elements.isEmpty || elements.count > Envelope.maximumBatch { return "a batch of \(elements.count)" }
      for element in elements {
        guard isWithin(element, message) else { return "a batch element out of range" }
        let text = UnsafeRawBufferPointer(rebasing: message[element])
        if let problem = check(Envelope.classifyObject(text), text) { return problem }
      }
      return nil
    }
    return check(classified, message)
  }

  private mutating func check(_ classified: Classified, _ text: UnsafeRawBufferPointer) -> String? {
    switch classified {
    case .batch: return "a batch within a batch"
    case .invalid(let fault, let id):
      if let id, !isWithin(id, text) || id.isEmpty { return "an id out of range" }
      if fault.kind == .parseError, id != nil { return "a parse error with an id" }
      if let offset = fault.offset, offset < 0 || offset > text.count { return "an offset out of range" }
      if let pointer = fault.pointer, !pointer.isEmpty, !pointer.hasPrefix("/") { return "the pointer \(pointer)" }
      return checkReply(id.map { UnsafeRawBufferPointer(rebasing: text[$0]) }, RPCError(fault))
    case .single(let envelope):
      for range in [envelope.id, envelope.method, envelope.result] {
        if let range, !isWithin(range, text) { return "a part out of range" }
      }
      if (envelope.kind == .notification) != (envelope.id == nil) { return "a request without an id, or the reverse" }
      return envelope.kind == .response ? nil : checkParams(envelope, text)
    }
  }

  private mutating func checkParams(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> String? {
    guard let name = envelope.method else { return envelope.escapedMethod == nil ? "no name" : nil }
    guard let method = Method(utf8: UnsafeRawBufferPointer(rebasing: text[name])),
      case .object(let range) = envelope.params
    else { return nil }
    guard isWithin(range, text) else { return "params out of range" }
    let params = UnsafeRawBufferPointer(rebasing: text[range])
    for strict in [true, false] {
      do throws(JSONError) {
        guard try ParamsTable.decode(method, params, strict: strict) else { return "params that change when written" }
        decoded += 1
      } catch {
        if error.isMalformed { return "params that were checked are malformed: \(error)" }
        let id = envelope.id.map { UnsafeRawBufferPointer(rebasing: text[$0]) }
        if let problem = checkReply(id, RPCError(params: error, in: params)) { return problem }
      }
    }
    return nil
  }

  /// Checks that a refusal is readable in either framing.
  private func checkReply(_ id: UnsafeRawBufferPointer?, _ error: RPCError) -> String? {
    var frames = OutgoingFrames(framing: .newline)
    frames.fail(id, error)
    let reply = frames.writer.buffer
    guard reply.last == 0x0A, !reply.dropLast().contains(0x0A) else { return "a reply with a newline inside" }
    guard case .single(let envelope) = Envelope.classify(UnsafeRawBufferPointer(rebasing: reply.dropLast())),
      envelope.kind == .response
    else { return "a reply that is none: \(String(decoding: reply, as: UTF8.self))" }
    return nil
  }

  private func isWithin(_ range: Range<Int>, _ text: UnsafeRawBufferPointer) -> Bool {
    range.lowerBound >= 0 && range.upperBound <= text.count
  }
}
