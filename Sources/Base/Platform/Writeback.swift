#if os(Linux)
  /// `sync_file_range`, which the module map omits.
  @_extern(c, "sync_file_range") private func syncFileRange(
    _ descriptor: Int32, _ offset: Int64, _ count: Int64, _ flags: UInt32
  ) -> Int32
#else
  private func syncFileRange(_ descriptor: Int32, _ offset: Int64, _ count: Int64, _ flags: UInt32) -> Int32 { 0 }
#endif

/// Early write-back of file contents.
package enum Writeback {
  /// Starts writing a range of a file to its medium, normally without blocking. Guarantees nothing; does nothing
  /// outside Linux.
  package static func begin(of descriptor: Int32, from offset: Int, count: Int) {
    // `SYNC_FILE_RANGE_WRITE`.
    _ = syncFileRange(descriptor, Int64(offset), Int64(count), 2)
  }
}
