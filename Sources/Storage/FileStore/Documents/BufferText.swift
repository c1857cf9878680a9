import JSON

extension UnsafeRawBufferPointer {
  /// Whether the bytes at an offset are those of `text`.
  func hasText(_ text: StaticString, at offset: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let baseAddress, offset >= 0, count - offset >= length else { return false }
    return StringScan.areSame(baseAddress + offset, text.utf8Start, length)
  }

  func endsIn(_ text: StaticString) -> Bool { hasText(text, at: count - text.utf8CodeUnitCount) }
}

extension [UInt8] {
  /// Lends the bytes, keeping the type of errors that `body` throws.
  func lend<Value, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
    try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}

extension Range<Int> {
  /// Binary search: the first number for which `isBefore` is false; the end when there is none.
  @inline(__always) func firstIndex(notBefore isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low &+ high) / 2
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
