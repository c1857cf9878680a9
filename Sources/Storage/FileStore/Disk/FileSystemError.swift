/// A file call that failed.
package struct FileSystemError: Error, Sendable, Equatable {
  /// The causes that the store reacts to; everything else is `other`.
  package enum Reason: Sendable {
    case notFound, alreadyExists, notADirectory, symbolicLink
    case permissionDenied, readOnly
    case noSpace, inputOutput, other
  }

  /// The system call's name.
  package let call: String
  /// What it was called for.
  package let path: String
  package let reason: Reason
  /// The system's own number and words.
  package let errno: Int32
  package let text: String

  /// A file that does not read as it was written, or as it did before.
  static func differs(_ path: String, _ text: String) -> FileSystemError {
    FileSystemError(call: "pread", path: path, reason: .inputOutput, errno: 0, text: text)
  }

  package init(call: String, path: String, reason: Reason, errno: Int32, text: String) {
    self.call = call
    self.path = path
    self.reason = reason
    self.errno = errno
    self.text = text
  }
}

extension FileSystemError: CustomStringConvertible {
  package var description: String { "\(call) \(path): \(text) (errno \(errno))" }
}
