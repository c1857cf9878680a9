import JSON

extension UnsafeRawBufferPointer {
  /// Whether a text stands at an offset.
  func hasText(_ text: StaticString, at offset: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let baseAddress, offset >= 0, count - offset >= length else { return false }
    return StringScan.areSame(baseAddress + offset, text.utf8Start, length)
  }

  func endsIn(_ text: StaticString) -> Bool { hasText(text, at: count - text.utf8CodeUnitCount) }
}

extension [UInt8] {
  /// Lends the bytes; what `body` throws keeps its type.
  func lend<Value, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
    try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}

extension Range<Int> {
  /// The first number of an ordered range that does not come before what is looked for; the end when all do.
  @inline(__always) func firstIndex(notBefore isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low &+ high) / 2
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
