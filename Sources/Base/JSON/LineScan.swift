#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds newlines and other single bytes.
package enum LineScan {
  /// The offset of the first newline at or after `start`; `end` when there is none.
  package static func newline(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
    first(UInt8(ascii: "\n"), base, from: start, to: end)
  }

  /// The offset of the first `byte` at or after `start`; `end` when there is none.
  package static func first(_ byte: UInt8, _ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
    guard start < end, let found = memchr(base + start, Int32(byte), end &- start) else { return end }
    return UnsafeRawPointer(found) - base
  }
}
