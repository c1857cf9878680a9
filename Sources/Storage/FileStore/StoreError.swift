package struct StoreError: Error, Sendable, Equatable {
  /// The kind of failure; extensible, hence no enum.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    /// Another process is writing, and held the lock longer than the timeout.
    package static let storeBusy = Code("storeBusy")
    /// Reading works, writing does not: because of the medium or permissions, or because a write could not be proven
    /// durable.
    package static let storeReadOnly = Code("storeReadOnly")
    /// No space left; reading works, and writing will once there is space.
    package static let diskFull = Code("diskFull")
    /// The folder or a file in it is unusable: failing medium, no permission, not a folder.
    package static let storeUnavailable = Code("storeUnavailable")
    /// A link, a special file or a file of another user stands where one of ours belongs.
    package static let storeUntrusted = Code("storeUntrusted")
    /// The folder is not the one that was opened: reopen it.
    package static let storeChanged = Code("storeChanged")
    /// The changes since that revision are unknown: read everything again.
    package static let revisionTooOld = Code("revisionTooOld")
    /// The transaction's line would exceed the line limit.
    package static let recordTooLarge = Code("recordTooLarge")
    /// The transaction cannot be stored: its body is no JSON object, or a day is out of range.
    package static let invalidTransaction = Code("invalidTransaction")
    /// An earlier commit failed, and its in-memory changes were not rolled back yet.
    package static let rollBackPending = Code("rollBackPending")
    package static let storeClosed = Code("storeClosed")
  }

  package let code: Code
  package let message: String
  package let path: String?
  /// The operating system's text.
  package let systemText: String?
  /// Further facts by name.
  package let details: [String: String]

  package init(
    _ code: Code, _ message: String, path: String? = nil, systemText: String? = nil, details: [String: String] = [:]
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.systemText = systemText
    self.details = details
  }
}

extension StoreError {
  /// The name of the detail that is `unknown` when the change may have been stored although its write failed.
  package static let outcome = "outcome"
  package static let unknown = "unknown"

  /// The error for writes after one that failed for good: nothing of theirs is stored.
  var forLaterWrites: StoreError {
    guard details[StoreError.outcome] == StoreError.unknown else { return self }
    return StoreError(
      code, "The store is read-only since the disk did not confirm an earlier write: nothing was stored.", path: path,
      systemText: systemText, details: details.filter { $0.key != StoreError.outcome })
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String { "\(code): \(message.detailed(place: path, cause: systemText))" }
}

extension String {
  /// Inserts the place and the cause before the full stop: `The log cannot be read: “/a/b” (No such file).`
  package func detailed(place: String? = nil, cause: String? = nil) -> String {
    let details = (place.map { ": “\($0)”" } ?? "") + (cause.map { " (\($0))" } ?? "")
    return !details.isEmpty && last == "." ? dropLast() + details + "." : self + details
  }
}

extension StoreError {
  /// The error for a failed read call.
  init(reading error: FileSystemError) {
    switch error.reason {
    case .symbolicLink:
      self.init(.storeUntrusted, "A symbolic link is where a file of the store should be.", error)
    case .notADirectory: self.init(.storeUnavailable, "The data folder is not a folder.", error)
    case .permissionDenied: self.init(.storeUnavailable, "There is no permission to read the store.", error)
    default: self.init(.storeUnavailable, "The store cannot be read.", error)
    }
  }

  /// The error for a failed write call.
  init(writing error: FileSystemError) {
    switch error.reason {
    case .noSpace: self.init(.diskFull, "There is no space left on the disk.", error)
    case .readOnly, .permissionDenied: self.init(.storeReadOnly, "The store can be read but not written.", error)
    case .symbolicLink:
      self.init(.storeUntrusted, "A symbolic link is where a file of the store should be.", error)
    default: self.init(.storeUnavailable, "The store cannot be written.", error)
    }
  }

  private init(_ code: Code, _ message: String, _ error: FileSystemError) {
    self.init(
      code, message, path: error.path, systemText: error.text,
      details: ["call": error.call, "errno": String(error.errno)])
  }
}

extension StoreError {
  static func revision(after last: Int) throws(StoreError) -> Int {
    let (next, overflow) = last.addingReportingOverflow(1)
    guard !overflow else { throw StoreError(.storeUnavailable, "The revision numbers are exhausted.") }
    return next
  }

  static func reading<Value>(_ call: @autoclosure () throws(FileSystemError) -> Value) throws(StoreError) -> Value {
    do throws(FileSystemError) { return try call() } catch { throw StoreError(reading: error) }
  }

  static func writing<Value>(_ call: @autoclosure () throws(FileSystemError) -> Value) throws(StoreError) -> Value {
    do throws(FileSystemError) { return try call() } catch { throw StoreError(writing: error) }
  }

  /// Makes a read call for something that may be absent: nil when it is.
  static func readingIfPresent<Value>(_ call: @autoclosure () throws(FileSystemError) -> Value) throws(StoreError)
    -> Value?
  {
    try reading { () throws(FileSystemError) in try FileSystemError.ignoring(.notFound, call()) }
  }

  /// The same for a closure of several calls.
  static func reading<Value>(_ body: () throws(FileSystemError) -> Value) throws(StoreError) -> Value {
    try reading(body())
  }
  static func writing<Value>(_ body: () throws(FileSystemError) -> Value) throws(StoreError) -> Value {
    try writing(body())
  }
  static func readingIfPresent<Value>(_ body: () throws(FileSystemError) -> Value) throws(StoreError) -> Value? {
    try readingIfPresent(body())
  }
}
