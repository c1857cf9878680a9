#if arch(x86_64) && canImport(Glibc)
  import _Builtin_intrinsics.intel
#endif

/// CRC-32C by the processor's instruction, eight bytes a step.
package enum CRC32CInstruction {
  #if arch(x86_64) && canImport(Glibc)
    /// Whether the processor has the instruction; required by `checksum`.
    package static var isSupported: Bool { ProcessorFeatures.hasCRC32C }

    /// Extends `previous`, the checksum of the preceding bytes, by `bytes`.
    package static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 {
      guard let base = bytes.baseAddress else { return previous }
      var crc = UInt64(~previous)
      var at = 0
      if bytes.count >= partLength &* 3 {
        shifts.withUnsafeBufferPointer { shifts in
          while bytes.count &- at >= partLength &* 3 {
            crc = threeParts(base + at, crc, shifts)
            at &+= partLength &* 3
          }
        }
      }
      while bytes.count &- at >= 8 {
        crc = _mm_crc32_u64(crc, (base + at).loadUnaligned(as: UInt64.self))
        at &+= 8
      }
      var rest = UInt32(truncatingIfNeeded: crc)
      if bytes.count &- at >= 4 {
        rest = _mm_crc32_u32(rest, (base + at).loadUnaligned(as: UInt32.self))
        at &+= 4
      }
      while at < bytes.count {
        rest = _mm_crc32_u8(rest, bytes[at])
        at &+= 1
      }
      return ~rest
    }

    /// The bytes of each of three parts that are read in turn: an instruction waits three cycles for the result of the one before it, and
    /// meanwhile those of the other parts run.
    private static let partLength = 128

    /// The state after three parts in a row.
    @inline(__always) private static func threeParts(
      _ first: UnsafeRawPointer, _ crc: UInt64, _ shifts: UnsafeBufferPointer<UInt32>
    ) -> UInt64 {
      var (a, b, c) = (crc, UInt64(0), UInt64(0))
      var at = 0
      while at < partLength {
        let part = first + at
        a = _mm_crc32_u64(a, part.loadUnaligned(as: UInt64.self))
        b = _mm_crc32_u64(b, (part + partLength).loadUnaligned(as: UInt64.self))
        c = _mm_crc32_u64(c, (part + partLength &* 2).loadUnaligned(as: UInt64.self))
        at &+= 8
      }
      return shifted(shifted(a, shifts) ^ b, shifts) ^ c
    }

    /// The state that `crc` becomes after a part of zeros: what it contributes to the state after any part.
    @inline(__always) private static func shifted(_ crc: UInt64, _ shifts: UnsafeBufferPointer<UInt32>) -> UInt64 {
      func shift(_ byte: UInt64) -> UInt32 { shifts[Int(byte &* 256 &+ (crc &>> (byte &* 8)) & 0xFF)] }
      return UInt64((shift(0) ^ shift(1)) ^ (shift(2) ^ shift(3)))
    }

    /// `shifted` for the values of each of a state's four bytes, the lowest first: 256 entries a byte. It is linear: an entry is the sum of
    /// those of its bits.
    private static let shifts = [UInt32](unsafeUninitializedCapacity: 4 * 256) { table, count in
      count = 4 * 256
      for byte in 0..<4 {
        let first = byte &* 256
        table[first] = 0
        for bit in 0..<8 {
          var crc = UInt64(1) &<< (byte &* 8 &+ bit)
          for _ in 0..<(partLength / 8) { crc = _mm_crc32_u64(crc, 0) }
          for index in first..<first &+ 1 &<< bit {
            table[index &+ 1 &<< bit] = table[index] ^ UInt32(truncatingIfNeeded: crc)
          }
        }
      }
    }
  #else
    package static var isSupported: Bool { false }

    package static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 { previous }
  #endif
}
