import DaybookProtocol
import JSONRPC

/// A message as it arrived, with its method looked up once: several steps of its processing ask for it.
struct Incoming {
  let envelope: Envelope
  /// The text that the ranges of the envelope refer to.
  let text: UnsafeRawBufferPointer
  /// Nil for a response, and for a name that this build does not know.
  let method: Method?

  init(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) {
    self.envelope = envelope
    self.text = text
    if let range = envelope.method {
      method = Method(utf8: UnsafeRawBufferPointer(rebasing: text[range]))
    } else {
      var name = envelope.escapedMethod ?? ""
      method = name.withUTF8 { Method(utf8: UnsafeRawBufferPointer($0)) }
    }
  }

  /// The JSON text of the id; nil for a notification.
  var id: UnsafeRawBufferPointer? { envelope.id.map { UnsafeRawBufferPointer(rebasing: text[$0]) } }

  var requestID: RequestID? { id.map { RequestID(lexeme: $0) } }

  /// The method's name as it was sent, even if it is unknown; empty for a response.
  var methodName: String {
    envelope.escapedMethod ?? envelope.method.map { String(decoding: text[$0], as: UTF8.self) } ?? ""
  }

  /// The text of the params; nil when they are not an object with members.
  var params: UnsafeRawBufferPointer? {
    guard case .object(let range) = envelope.params else { return nil }
    return UnsafeRawBufferPointer(rebasing: text[range])
  }
}

/// What arrived as one text.
enum Message {
  case single(Incoming)
  /// The elements of a batch, as ranges of the text.
  case batch([Range<Int>], UnsafeRawBufferPointer)
  /// Not a valid message; the id is that of the intended request, if recognizable.
  case invalid(MessageFault, id: UnsafeRawBufferPointer?)

  init(_ text: UnsafeRawBufferPointer) { self.init(Envelope.classify(text), text) }

  /// A message that is no batch, or a member of one.
  init(object text: UnsafeRawBufferPointer) { self.init(Envelope.classifyObject(text), text) }

  private init(_ classified: Classified, _ text: UnsafeRawBufferPointer) {
    switch classified {
    case .single(let envelope): self = .single(Incoming(envelope, text))
    case .batch(let elements): self = .batch(elements, text)
    case .invalid(let fault, let id):
      self = .invalid(fault, id: id.map { UnsafeRawBufferPointer(rebasing: text[$0]) })
    }
  }
}
