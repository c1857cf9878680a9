#if arch(x86_64) && canImport(Glibc)
  /// The C library's view of a CPUID leaf: four words as the processor reports them (EAX, EBX, ECX, EDX), then the four
  /// that programs may use.
  @_extern(c, "__x86_get_cpuid_feature_leaf")
  private func featureLeaf(_ leaf: UInt32) -> UnsafePointer<UInt32>?

  /// The checksum instructions that the processor has.
  enum ProcessorFeatures {
    /// CRC-32C (SSE4.2).
    static let hasCRC32C = (usable(leaf: 0, register: 2) & 1 << 20) != 0
    /// The rounds of SHA-256 (SHA, SSSE3, SSE4.1).
    static let hasSHA256 =
      (usable(leaf: 1, register: 1) & 1 << 29) != 0 && (usable(leaf: 0, register: 2) & 1 << 19) != 0

    /// A register of a glibc leaf: its leaf 0 is CPUID leaf 1, its leaf 1 is CPUID leaf 7.
    private static func usable(leaf: UInt32, register: Int) -> UInt32 {
      featureLeaf(leaf).map { $0[4 + register] } ?? 0
    }
  }
#endif
