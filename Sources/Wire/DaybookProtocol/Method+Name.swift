/// What a method does, which decides what it may overtake.
package enum Effect: Sendable {
  /// Sees every write before it; may overlap other reads.
  case read
  /// Takes its place in arrival order; durable before it is answered.
  case write
  /// Changes files beside the store, as backups are; the store itself is read.
  case files
  /// Concerns the connection itself.
  case session
  /// Not answered.
  case notification
}

extension Method {
  /// Whether these bytes are that name.
  @inline(__always)
  static func matches(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    let known = name.utf8Start
    for index in 0..<bytes.count where bytes[index] != known[index] { return false }
    return true
  }
}
