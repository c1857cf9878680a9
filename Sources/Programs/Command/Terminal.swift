import Platform

/// Texts for people and scripts.
enum Terminal {
  static func print(_ text: String) { write(text + "\n", to: 1) }

  static func complain(_ text: String) { write(text + "\n", to: 2) }

  /// Writes all of a text, waiting as long as it takes; false when nobody reads any more.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool { StandardStreams.writeAll(descriptor, bytes) }
}
