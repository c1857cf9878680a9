/// A member's name with its punctuation, `,"day":`, so that writing it is one copy; it must need no escapes.
@usableFromInline
package struct MemberName: ExpressibleByStringLiteral {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  /// Inlines a literal to an address and a length.
  @inlinable
  @inline(__always)
  package init(stringLiteral text: StaticString) {
    start = text.utf8Start
    count = text.utf8CodeUnitCount
    assert(
      count > 3 && start[0] == UInt8(ascii: ",") && start[count - 1] == UInt8(ascii: ":"), "not of the form ,\"name\":")
  }
}
