/// What is wrong with bytes that are no proper message.
package struct MessageFault: Error, Sendable, Equatable {
  package enum Kind: Sendable {
    /// Not JSON, or not in a frame (−32700).
    case parseError
    /// JSON, but no request (−32600).
    case invalidRequest
    /// Larger than the limit.
    case messageTooLarge
  }

  package let kind: Kind
  /// One sentence for people.
  package let message: String
  /// Offset of the fault in bytes from the start of the message.
  package var offset: Int?
  /// JSON Pointer of the value at fault within the message.
  package var pointer: String?
  package var allowed: String?
  package var hint: String?

  package init(
    _ kind: Kind, _ message: String, offset: Int? = nil, pointer: String? = nil, allowed: String? = nil,
    hint: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.offset = offset
    self.pointer = pointer
    self.allowed = allowed
    self.hint = hint
  }
}
