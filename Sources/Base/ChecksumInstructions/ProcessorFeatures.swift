#if arch(x86_64) && canImport(Glibc)
  /// What the C library knows of the processor: for a leaf of CPUID four words as the processor tells them (EAX, EBX, ECX, EDX), and
  /// four with what the system lets programs use of it.
  @_extern(c, "__x86_get_cpuid_feature_leaf")
  private func featureLeaf(_ leaf: UInt32) -> UnsafePointer<UInt32>?

  /// Which instructions for checksums the processor has.
  enum ProcessorFeatures {
    /// SSE4.2: the checksum CRC-32C.
    static let hasCRC32C = (usable(leaf: 0, register: 2) & 1 << 20) != 0
    /// SHA, with SSSE3 and SSE4.1: the rounds of SHA-256.
    static let hasSHA256 =
      (usable(leaf: 1, register: 1) & 1 << 29) != 0 && (usable(leaf: 0, register: 2) & 1 << 19) != 0

    /// A register of one of glibc's leaves: its number 0 is CPUID's 1, its number 1 CPUID's 7.
    private static func usable(leaf: UInt32, register: Int) -> UInt32 {
      featureLeaf(leaf).map { $0[4 + register] } ?? 0
    }
  }
#endif
