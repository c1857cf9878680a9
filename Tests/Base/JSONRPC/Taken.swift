import JSONRPC

/// A classified message with the texts of its parts, for comparison.
enum Taken: Equatable {
  case request(id: String, method: String, params: String? = nil)
  case notification(method: String, params: String? = nil)
  case response(id: String, result: String?)
  case batch([String])
  /// The id to which the refusal is sent.
  case invalid(MessageFault.Kind, id: String?, pointer: String? = nil)
}

/// Classifies a message and reads the texts at its ranges.
func take(_ text: String) -> Taken { take(Array(text.utf8)) }

/// Classifies the bytes of a message.
func take(_ bytes: [UInt8]) -> Taken {
  bytes.withUnsafeBytes { buffer in
    func text(_ range: Range<Int>) -> String { String(decoding: buffer[range], as: UTF8.self) }
    switch Envelope.classify(buffer) {
    case .batch(let elements): return .batch(elements.map(text))
    case .invalid(let fault, let id): return .invalid(fault.kind, id: id.map(text), pointer: fault.pointer)
    case .single(let envelope):
      let method = envelope.escapedMethod ?? envelope.method.map(text) ?? ""
      let params: String? =
        switch envelope.params {
        case .none: nil
        case .object(let range): text(range)
        case .positional: "positional"
        }
      switch envelope.kind {
      case .request: return .request(id: envelope.id.map(text) ?? "no id", method: method, params: params)
      case .notification: return .notification(method: method, params: params)
      case .response: return .response(id: envelope.id.map(text) ?? "no id", result: envelope.result.map(text))
      }
    }
  }
}
