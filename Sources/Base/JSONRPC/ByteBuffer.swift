import JSON

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A byte queue in memory that it owns: filled at the end, consumed at the front.
struct ByteBuffer: ~Copyable, Sendable {
  // The memory is unshared and the buffer not copyable, so it is safe to send; a pointer is not Sendable, a number is.
  private var address: UInt

  private var base: UnsafeMutableRawPointer {
    // The address came from the allocator and is never zero.
    UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
  }

  private var capacity: Int
  /// The offset of the first byte not consumed.
  private(set) var start = 0
  /// The offset after the last byte.
  private(set) var end = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    address = UInt(bitPattern: ByteBuffer.allocate(self.capacity))
  }

  deinit { free(base) }

  /// Allocates aligned memory; ends the process when there is none, as Swift's allocations do.
  private static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    malloc(size) ?? UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  }

  var count: Int { end - start }

  /// The byte at an offset between `start` and `end`.
  subscript(offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }

  /// The bytes of a range; valid until the buffer changes.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// The offset of the next newline at or after `offset`.
  func newline(from offset: Int) -> Int? {
    let found = LineScan.newline(base, from: offset, to: end)
    return found < end ? found : nil
  }

  mutating func consume(to offset: Int) { start = min(max(start, offset), end) }

  /// Lets `body` fill up to `room` bytes at the end and return their count. May move the contents; returns by how much
  /// offsets have decreased.
  mutating func fill(room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    var moved = 0
    if start == end || capacity - end < room {
      memmove(base, base + start, end - start)
      moved = start
      end -= start
      start = 0
    }
    if capacity - end < room { resize(to: max(capacity * 2, end + room)) }
    end += min(room, max(0, body(UnsafeMutableRawBufferPointer(start: base + end, count: room))))
    return moved
  }

  /// Releases memory beyond `limit` while little is held. May move the contents as `fill` does, and returns by how
  /// much.
  mutating func shrink(to limit: Int) -> Int {
    guard capacity > limit, count <= limit / 2 else { return 0 }
    let moved = start
    memmove(base, base + start, end - start)
    end -= start
    start = 0
    resize(to: limit)
    return moved
  }

  private mutating func resize(to size: Int) {
    // The system moves large blocks without copying them.
    guard let moved = realloc(base, size) else {
      let larger = ByteBuffer.allocate(size)
      memcpy(larger, base, min(end, size))
      free(base)
      address = UInt(bitPattern: larger)
      capacity = size
      return
    }
    address = UInt(bitPattern: moved)
    capacity = size
  }
}
