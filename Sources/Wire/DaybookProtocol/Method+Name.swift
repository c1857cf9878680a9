/// The effect of a method, which determines the order in which requests run.
package enum Effect: Sendable {
  /// Sees all earlier writes; may overlap other reads.
  case read
  /// Runs in arrival order; durable before it is answered.
  case write
  /// Reads the store and writes other files, such as backups.
  case files
  /// Concerns the connection.
  case session
  /// Not answered.
  case notification
}

extension Method {
  /// Whether the bytes are `name`; both must have the same length.
  @inline(__always)
  static func matches(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    let known = name.utf8Start
    for index in 0..<bytes.count where bytes[index] != known[index] { return false }
    return true
  }
}
