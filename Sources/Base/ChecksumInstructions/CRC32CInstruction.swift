#if arch(x86_64) && canImport(Glibc)
  import _Builtin_intrinsics.intel
#endif

/// The checksum CRC-32C by the processor's own instruction, eight bytes a step.
package enum CRC32CInstruction {
  #if arch(x86_64) && canImport(Glibc)
    /// Whether the processor has it. Nothing else here may be called without it.
    package static var isThere: Bool { ProcessorFeatures.hasCRC32C }

    /// The checksum of bytes whose own was `previous`, followed by `bytes`.
    package static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 {
      guard let base = bytes.baseAddress else { return previous }
      var crc = UInt64(~previous)
      var at = 0
      while bytes.count &- at >= 8 {
        crc = _mm_crc32_u64(crc, (base + at).loadUnaligned(as: UInt64.self))
        at &+= 8
      }
      var rest = UInt32(truncatingIfNeeded: crc)
      while at < bytes.count {
        rest = _mm_crc32_u8(rest, bytes[at])
        at &+= 1
      }
      return ~rest
    }
  #else
    package static var isThere: Bool { false }

    package static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 { previous }
  #endif
}
