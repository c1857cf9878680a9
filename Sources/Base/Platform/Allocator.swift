#if canImport(Glibc)
  import Glibc

  /// `mallopt`, which the module map omits.
  @_extern(c, "mallopt") private func mallopt(_ parameter: Int32, _ value: Int32) -> Int32
#endif

/// Tuning of the C library's allocator.
package enum Allocator {
  /// Makes the allocator return freed memory to the system. By default glibc raises the threshold for separate mappings
  /// to the largest block freed so far and gives each thread an arena of its own, so memory freed by an import or its
  /// undo stays with the process.
  /// Call it before any other thread starts.
  package static func returnFreedMemory() {
    #if canImport(Glibc)
      // `M_ARENA_MAX`; `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD`, in bytes.
      for (parameter, value) in [(-8, 1), (-3, 1 << 20), (-1, 1 << 20)] as [(Int32, Int32)] {
        _ = mallopt(parameter, value)
      }
    #endif
  }
}
