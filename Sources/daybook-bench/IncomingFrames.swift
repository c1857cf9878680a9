import Foundation

/// Cuts what a server sends into messages; header framing, one header.
struct IncomingFrames: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var start = 0
  private var end = 0

  deinit { memory.deallocate() }

  /// Lets `body` put bytes behind those that are there and say how many.
  mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    if start == end { (start, end) = (0, 0) }
    if memory.count - end < 1 << 18 {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
      (start, end) = (0, end - start)
    }
    if memory.count - end < 1 << 18 {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<end]))
      memory.deallocate()
      memory = larger
    }
    let count = body(UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
    if count > 0 { end += count }
    return count
  }

  /// Whether a whole message is there.
  var hasNext: Bool { (try? find()) != nil }

  /// The body of the next message, if all of it is there; valid until `fill`.
  mutating func next() throws(BenchError) -> UnsafeRawBufferPointer? {
    guard let body = try find() else { return nil }
    start = body.upperBound
    return UnsafeRawBufferPointer(rebasing: memory[body])
  }

  private static let header: StaticString = "Content-Length: "

  private func find() throws(BenchError) -> Range<Int>? {
    let header = IncomingFrames.header
    let length = header.utf8CodeUnitCount
    guard end - start > length, let base = memory.baseAddress else { return nil }
    guard memcmp(base + start, header.utf8Start, length) == 0 else { throw .wrong("its framing is broken") }
    var at = start + length
    var size = 0
    while at < end, memory[at] &- UInt8(ascii: "0") < 10, size < 1 << 40 {
      size = size * 10 + Int(memory[at] &- UInt8(ascii: "0"))
      at += 1
    }
    guard end - at >= 4 else { return nil }
    guard memory[at] == 13, memory[at + 1] == 10, memory[at + 2] == 13, memory[at + 3] == 10 else {
      throw .wrong("its framing is broken")
    }
    at += 4
    return end - at >= size ? at..<at + size : nil
  }
}
