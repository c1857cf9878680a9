/// A member's name as it stands between two values, `,"day":`, so that it is one copy; it needs no escape.
@usableFromInline
package struct MemberName: ExpressibleByStringLiteral {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  /// The name for a literal, which is inlined to an address and a number.
  @inlinable
  @inline(__always)
  package init(stringLiteral text: StaticString) {
    start = text.utf8Start
    count = text.utf8CodeUnitCount
    assert(
      count > 3 && start[0] == UInt8(ascii: ",") && start[count - 1] == UInt8(ascii: ":"), "not of the form ,\"name\":")
  }
}
