#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes JSON text without white space into a buffer that it owns and grows.
@usableFromInline
package struct JSONWriter: ~Copyable {
  @usableFromInline private(set) var base: UnsafeMutablePointer<UInt8>
  @usableFromInline private(set) var capacity: Int
  /// Bytes written so far.
  @usableFromInline package internal(set) var count = 0

  package init(capacity: Int = 256) {
    let capacity = max(capacity, 16)
    base = JSONWriter.memory(capacity, insteadOf: nil)
    self.capacity = capacity
  }

  deinit { free(base) }

  /// The bytes written so far; valid until the next change.
  package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// A copy of the bytes written so far.
  package var bytes: [UInt8] { Array(buffer) }

  /// The output of `write`.
  package static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
  }

  /// Truncates the text to its first `count` bytes.
  package mutating func truncate(to count: Int) { self.count = min(self.count, max(0, count)) }

  /// Removes the first `count` bytes.
  package mutating func removeFirst(_ count: Int) {
    let gone = min(max(0, count), self.count)
    memmove(base, base + gone, self.count &- gone)
    self.count &-= gone
  }

  /// Releases memory beyond `limit` bytes while the buffer is empty.
  package mutating func shrink(to limit: Int) {
    guard count == 0, capacity > limit else { return }
    capacity = max(limit, 16)
    base = JSONWriter.memory(capacity, insteadOf: base)
  }

  /// Makes room for `more` bytes.
  @inlinable
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  @usableFromInline
  @inline(never)
  mutating func grow(_ more: Int) {
    let wanted = max(capacity &* 2, count &+ more)
    base = JSONWriter.memory(wanted, insteadOf: base)
    capacity = wanted
  }

  /// Reallocates the buffer; the kernel moves large blocks without copying.
  private static func memory(
    _ capacity: Int, insteadOf old: UnsafeMutablePointer<UInt8>?
  ) -> UnsafeMutablePointer<UInt8> {
    // Swift's own allocations also end the process when memory runs out.
    guard let memory = realloc(old, capacity) else { preconditionFailure("out of memory") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }

  /// Inserts a gap of `length` bytes at `offset`, or removes `-length` bytes there.
  package mutating func shift(at offset: Int, by length: Int) {
    guard offset <= count, count &+ length >= offset else { return }
    if length > 0 { reserve(length) }
    let from = length < 0 ? offset &- length : offset
    memmove(base + offset + max(0, length), base + from, count &- from)
    count &+= length
  }

  /// Overwrites the byte at `offset`.
  package mutating func patch(_ byte: UInt8, at offset: Int) {
    if offset >= 0, offset < count { base[offset] = byte }
  }

  // MARK: raw text

  @inlinable
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count &+= 1
  }

  /// Appends JSON text known at compile time.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    UnsafeMutableRawPointer(base + count).copyMemory(from: text.utf8Start, byteCount: length)
    count &+= length
  }

  /// Appends JSON text.
  @inlinable
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Lets `body` write up to `room` bytes and return their count.
  @inlinable
  package mutating func append(room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    reserve(room)
    count &+= min(room, max(0, body(base + count)))
  }

  // MARK: structure

  @inlinable
  package mutating func beginObject() { append(UInt8(ascii: "{")) }
  @inlinable
  package mutating func endObject() { append(UInt8(ascii: "}")) }
  @inlinable
  package mutating func beginArray() { append(UInt8(ascii: "[")) }
  @inlinable
  package mutating func endArray() { append(UInt8(ascii: "]")) }

  /// Writes a comma unless this is the first element of its array.
  @inlinable
  @inline(__always)
  package mutating func element() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  /// Writes a member's name that needs no escapes, with its comma and colon.
  @inlinable
  @inline(__always)
  package mutating func name(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    reserve(length &+ 4)
    var target = base + count
    if needsComma {
      target[0] = UInt8(ascii: ",")
      target += 1
      count &+= 1
    }
    target[0] = UInt8(ascii: "\"")
    JSONWriter.copyName(name.utf8Start, to: target + 1, length)
    target[length &+ 1] = UInt8(ascii: "\"")
    target[length &+ 2] = UInt8(ascii: ":")
    count &+= length &+ 3
  }

  /// Copies a name inline, without the call for a copy of unknown length: its first and last words, which may overlap.
  @inlinable
  @inline(__always)
  static func copyName(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ length: Int) {
    let (source, target) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    switch length {
    case 8...32:
      copyEnds(source, to: target, length, as: UInt64.self)
      if length > 16 { copyEnds(source + 8, to: target + 8, length &- 16, as: UInt64.self) }
    case 4..<8: copyEnds(source, to: target, length, as: UInt32.self)
    case 2..<4: copyEnds(source, to: target, length, as: UInt16.self)
    default: target.copyMemory(from: source, byteCount: length)
    }
  }

  /// Copies the first and last word of a range.
  @inlinable
  @inline(__always)
  static func copyEnds<Word: BitwiseCopyable>(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ length: Int, as word: Word.Type
  ) {
    let last = length &- MemoryLayout<Word>.size
    let words = (source.loadUnaligned(as: word), source.loadUnaligned(fromByteOffset: last, as: word))
    target.storeBytes(of: words.0, as: word)
    target.storeBytes(of: words.1, toByteOffset: last, as: word)
  }

  /// Writes a member's name, any text.
  // Disfavored, so that literals use the static overload above, which is much cheaper.
  @usableFromInline
  @_disfavoredOverload
  package mutating func name(_ name: String) {
    element()
    write(name)
    append(UInt8(ascii: ":"))
  }

  /// Whether the current array or object has an earlier element.
  @inlinable
  var needsComma: Bool {
    @inline(__always) get {
      guard count > 0 else { return false }
      let last = base[count &- 1]
      return last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
    }
  }
}
