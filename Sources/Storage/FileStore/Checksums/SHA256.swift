import Platform

/// The hash SHA-256 (FIPS 180-4), computed incrementally. It is a value, so a copy gives the hash of a prefix.
package struct SHA256: Sendable {
  static let blockLength = 64
  /// The maximum number of blocks processed at once, which takes a fraction of a millisecond.
  private static let maximumBlocks = 4096

  private var state = State()
  /// The bytes of an incomplete block; bytes after `pendingCount` are undefined.
  private var pending = [UInt8](repeating: 0, count: blockLength)
  private var pendingCount = 0
  /// The number of bytes so far.
  private var length: UInt64 = 0

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    length &+= UInt64(bytes.count)
    var at = 0
    if pendingCount > 0 {
      at = min(SHA256.blockLength - pendingCount, bytes.count)
      hold(UnsafeRawBufferPointer(rebasing: bytes[..<at]))
      guard pendingCount == SHA256.blockLength else { return }
      pending.withUnsafeBytes { block in if let first = block.baseAddress { state.update(first, blocks: 1) } }
      pendingCount = 0
    }
    var blocks = (bytes.count - at) / SHA256.blockLength
    while blocks > 0 {
      let count = min(blocks, SHA256.maximumBlocks)
      state.update(base + at, blocks: count)
      at += count * SHA256.blockLength
      blocks -= count
      Threads.yieldIfDue()
    }
    hold(UnsafeRawBufferPointer(rebasing: bytes[at...]))
  }

  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The hash of all bytes so far.
  package func finish() -> SHA256Digest {
    var last = self
    let bits = length &* 8
    // A one bit, zeros up to eight bytes before the end of a block, and the length in bits.
    let zeros = (2 * SHA256.blockLength - 9 - pendingCount) % SHA256.blockLength
    var padding = [UInt8](repeating: 0, count: zeros + 9)
    padding[0] = 0x80
    for index in 0..<8 { padding[zeros + 1 + index] = UInt8(truncatingIfNeeded: bits &>> UInt64(56 - index * 8)) }
    last.update(padding)
    return last.state.digest
  }

  package static func hash(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  package static func hash(_ bytes: [UInt8]) -> SHA256Digest { bytes.withUnsafeBytes { hash($0) } }

  /// Keeps bytes for a later block; they fit.
  private mutating func hold(_ bytes: UnsafeRawBufferPointer) {
    let start = pendingCount
    pending.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: bytes) }
    pendingCount += bytes.count
  }
}
