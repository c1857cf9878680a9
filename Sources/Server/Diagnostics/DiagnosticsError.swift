import FileStore

/// Why the log could not be read, or no bundle be made.
package struct DiagnosticsError: Error, Sendable, Equatable {
  /// What kind of failure it is. New ones may be added, so it is no enum.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    /// A number outside its range was asked for.
    package static let outOfRange = Code("outOfRange")
    /// A file of the log, or the data folder, cannot be read.
    package static let unreadable = Code("unreadable")
    /// Something is at the bundle's path already.
    package static let alreadyExists = Code("alreadyExists")
    /// The folder that the bundle is to be in is not there.
    package static let noFolder = Code("noFolder")
    /// The bundle cannot be written there.
    package static let unwritable = Code("unwritable")
    /// There is no room for the bundle.
    package static let diskFull = Code("diskFull")
    /// What has to be in the bundle is larger than one may be.
    package static let tooLarge = Code("tooLarge")
    /// A name that no entry of an archive can have.
    package static let invalidName = Code("invalidName")
  }

  package let code: Code
  /// One sentence for people.
  package let message: String
  /// The file or folder it is about.
  package let path: String?
  /// What the system said.
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
  /// The failure of a call made for reading.
  init(reading error: FileSystemError) {
    self.init(.unreadable, "The log cannot be read.", path: error.path, systemText: error.text)
  }

  /// The failure of a call made for writing a bundle.
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
