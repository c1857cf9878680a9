/// How messages are delimited in a byte stream.
package enum Framing: String, Sendable, CaseIterable {
  /// A header block with `Content-Length`, as in the Language Server Protocol.
  case header
  /// One message a line.
  case newline
}

/// Limits of the frame decoder.
package struct FrameLimits: Sendable {
  /// The largest message, in bytes.
  package var message = 64 << 20
  /// The largest header block, in bytes.
  package var headerBlock = 8 << 10
  /// The number of consecutive unusable header blocks that ends the connection.
  package var failures = 3

  package init() {}
}
