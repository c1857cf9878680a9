#if os(Linux)
  /// `sync_file_range`, which the module map leaves out.
  @_extern(c, "sync_file_range") private func syncFileRange(
    _ descriptor: Int32, _ offset: Int64, _ count: Int64, _ flags: UInt32
  ) -> Int32
#else
  private func syncFileRange(_ descriptor: Int32, _ offset: Int64, _ count: Int64, _ flags: UInt32) -> Int32 { 0 }
#endif

/// The writing of what files have in memory to their medium.
package enum Writeback {
  /// Has the system begin with some bytes of a file, normally without waiting. Proves nothing; elsewhere than on Linux it does nothing.
  package static func begin(of descriptor: Int32, from offset: Int, count: Int) {
    // `SYNC_FILE_RANGE_WRITE`.
    _ = syncFileRange(descriptor, Int64(offset), Int64(count), 2)
  }
}
