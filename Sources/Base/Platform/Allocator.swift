#if canImport(Glibc)
  import Glibc

  /// `mallopt`, which the module map leaves out.
  @_extern(c, "mallopt") private func mallopt(_ parameter: Int32, _ value: Int32) -> Int32
#endif

/// What the C library's allocator keeps for itself.
package enum Allocator {
  /// Has what an import or its undo has freed go back to the system, where the allocator would keep it: by itself glibc raises the size
  /// from which a block is a mapping of its own to that of the largest freed so far, and gives each thread a heap of its own. To be
  /// called before anything else.
  package static func keepLittle() {
    #if canImport(Glibc)
      // `M_ARENA_MAX`; `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD`, in bytes.
      for (parameter, value) in [(-8, 1), (-3, 1 << 20), (-1, 1 << 20)] as [(Int32, Int32)] {
        _ = mallopt(parameter, value)
      }
    #endif
  }
}
