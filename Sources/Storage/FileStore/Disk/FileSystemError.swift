package struct FileSystemError: Error, Sendable, Equatable {
  /// The causes to which the store reacts; everything else is `other`.
  package enum Reason: Sendable {
    case notFound, alreadyExists, notADirectory, symbolicLink
    case permissionDenied, readOnly
    case noSpace, inputOutput, other
  }

  package let call: String
  package let path: String
  package let reason: Reason
  /// The system's error number and text.
  package let errno: Int32
  package let text: String

  /// A file that does not read as written, or as before.
  static func differs(_ path: String, _ text: String) -> FileSystemError {
    FileSystemError(call: "pread", path: path, reason: .inputOutput, errno: 0, text: text)
  }

  /// Makes a call; nil if it fails for `reason`.
  package static func ignoring<Value>(_ reason: Reason, _ call: @autoclosure () throws(FileSystemError) -> Value)
    throws(FileSystemError) -> Value?
  {
    do throws(FileSystemError) { return try call() } catch {
      if error.reason == reason { return nil }
      throw error
    }
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
