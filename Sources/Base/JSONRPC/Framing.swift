/// How messages are told apart in a stream of bytes.
package enum Framing: String, Sendable, CaseIterable {
  /// A header block with `Content-Length`, as in the Language Server Protocol.
  case header
  /// One message a line.
  case newline
}

/// What a reader of frames puts up with.
package struct FrameLimits: Sendable {
  /// The largest message, in bytes.
  package var message = 64 << 20
  /// The largest header block, in bytes.
  package var headerBlock = 8 << 10
  /// So many unusable header blocks in a row end the connection.
  package var failures = 3

  package init() {}
}
