/// The names of files at a remote.
enum RemoteLayout {
  static func head(of stream: String) -> String { "heads/\(stream).json" }

  static func batches(of stream: String) -> String { "batches/\(stream)/" }

  /// The stream of a head; nil for a file of another name, as synchronisers and systems leave them.
  static func stream(ofHead name: String) -> String? {
    guard name.hasPrefix("heads/"), name.hasSuffix(".json") else { return nil }
    let stream = name.dropFirst(6).dropLast(5)
    return stream.count == 32 && stream.utf8.allSatisfy(isHexadecimal) ? String(stream) : nil
  }

  /// Whether a name has the exact form of a batch's.
  static func isBatch(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count >= 8 && parts[0].utf8.allSatisfy { (48...57).contains($0) }
      && parts[1].hasSuffix(".jsonl") && parts[1].utf8.count == 22 && parts[1].utf8.prefix(16).allSatisfy(isHexadecimal)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}
