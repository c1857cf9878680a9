package struct SHA256Digest: Hashable, Sendable {
  /// The length of the text: 64 lower-case hexadecimal digits.
  static let textLength = 64

  // Eight octets each, most significant first.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// The initial value for reading.
  static let zero = SHA256Digest(0, 0, 0, 0)

  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// Parses exactly 64 lower-case hexadecimal digits; nil for anything else.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == SHA256Digest.textLength, let base = UnsafeRawPointer(text.baseAddress) else { return nil }
    func word(_ offset: Int) -> UInt64? {
      guard let high = FixedText.hexadecimal((base + offset).loadUnaligned(as: UInt64.self)),
        let low = FixedText.hexadecimal((base + offset + 8).loadUnaligned(as: UInt64.self))
      else { return nil }
      return UInt64(high) &<< 32 | UInt64(low)
    }
    guard let first = word(0), let second = word(16), let third = word(32), let fourth = word(48) else { return nil }
    self.init(first, second, third, fourth)
  }

  /// Parses the same text from a string.
  package init?(_ text: String) {
    var text = text
    guard let digest = text.withUTF8({ SHA256Digest(utf8: $0) }) else { return nil }
    self = digest
  }

  /// The hash of the 32 octets at an offset.
  init(octets bytes: UnsafeRawBufferPointer, at offset: Int) {
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + index * 8, as: UInt64.self))
    }
    self.init(word(0), word(1), word(2), word(3))
  }

  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word &>> UInt64(56 - $0 * 8)) }
    }
  }

  /// Writes the 64 bytes of the text at `target`, which has room for them.
  func write(to target: UnsafeMutablePointer<UInt8>) {
    for (index, word) in [first, second, third, fourth].enumerated() {
      let at = UnsafeMutableRawPointer(target + index * 16)
      at.storeBytes(of: FixedText.hexadecimal(UInt32(truncatingIfNeeded: word &>> 32)), as: UInt64.self)
      (at + 8).storeBytes(of: FixedText.hexadecimal(UInt32(truncatingIfNeeded: word)), as: UInt64.self)
    }
  }
}

extension SHA256Digest: Comparable {
  /// The order of the texts.
  package static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
    (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
  }
}

extension SHA256Digest: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: SHA256Digest.textLength) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(to: base)
      return SHA256Digest.textLength
    }
  }
}
