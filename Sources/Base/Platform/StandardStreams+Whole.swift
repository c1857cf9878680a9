extension StandardStreams {
  /// Writes all bytes, blocking as needed; false when the reader has closed its end.
  @discardableResult
  package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    var at = 0
    while at < bytes.count {
      let written = bytes[at...].withUnsafeBytes { writeWaiting(descriptor, $0) }
      guard case .bytes(let count) = written else { return false }
      at += count
    }
    return true
  }

  /// Reads until the end; nil when the descriptor fails, or yields more than `limit` bytes.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      guard let count = piece.withUnsafeMutableBytes({ read(descriptor, into: $0) }) else { return nil }
      if count == 0 { return bytes }
      guard count <= limit - bytes.count else { return nil }
      bytes += piece[..<count]
    }
  }
}
