import FileStore

/// The reason why the log could not be read, or a bundle not be written.
package struct DiagnosticsError: Error, Sendable, Equatable {
  /// The kind of failure. A struct, because kinds may be added.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    /// A number is out of range.
    package static let outOfRange = Code("outOfRange")
    /// A log file or the data folder cannot be read.
    package static let unreadable = Code("unreadable")
    /// The bundle's path already exists.
    package static let alreadyExists = Code("alreadyExists")
    /// The bundle's folder does not exist.
    package static let noFolder = Code("noFolder")
    /// The bundle cannot be written there.
    package static let unwritable = Code("unwritable")
    package static let diskFull = Code("diskFull")
    /// The required entries exceed the size limit of a bundle.
    package static let tooLarge = Code("tooLarge")
    /// An entry of an archive cannot have this name.
    package static let invalidName = Code("invalidName")
  }

  package let code: Code
  /// One sentence for people.
  package let message: String
  /// The path of the file or folder concerned.
  package let path: String?
  /// The system's error message.
  package let systemText: String?

  package init(_ code: Code, _ message: String, path: String? = nil, systemText: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.systemText = systemText
  }
}

extension DiagnosticsError: CustomStringConvertible {
  package var description: String { "\(code): \(message.detailed(place: path, cause: systemText))" }
}

extension DiagnosticsError {
  /// The failure of a system call for reading.
  init(reading error: FileSystemError) {
    self.init(.unreadable, "The log cannot be read.", path: error.path, systemText: error.text)
  }

  /// The failure of a system call for writing a bundle.
  init(writing error: FileSystemError) {
    let (code, message): (Code, String) =
      switch error.reason {
      case .alreadyExists: (.alreadyExists, "Something is there already.")
      case .notFound, .notADirectory: (.noFolder, "The folder that the bundle is to be in is not there.")
      case .noSpace: (.diskFull, "There is no room left to write the bundle.")
      default: (.unwritable, "The bundle cannot be written.")
      }
    self.init(code, message, path: error.path, systemText: error.text)
  }
}
