#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finding the ends of lines.
package enum LineScan {
  /// The offset of the first newline at or after `start`; `end` when there is none.
  package static func newline(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
    guard start < end, let found = memchr(base + start, 0x0A, end &- start) else { return end }
    return UnsafeRawPointer(found) - base
  }
}
