/// Why bytes are not a valid message.
package struct MessageFault: Error, Sendable, Equatable {
  package enum Kind: Sendable {
    /// Not JSON, or not framed (−32700).
    case parseError
    /// JSON, but not a request (−32600).
    case invalidRequest
    /// Larger than the limit.
    case messageTooLarge
  }

  package let kind: Kind
  /// One sentence for people.
  package let message: String
  /// The byte offset of the fault in the message.
  package var offset: Int?
  /// The JSON Pointer to the value at fault.
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
