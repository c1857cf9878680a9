import FileStore

/// Where devices leave their files for each other. Names are relative, with `/` between parts.
package protocol PassRemote {
  /// The names of all files that begin with a prefix, in no order.
  func list(_ prefix: String) throws(RemoteFailure) -> [String]
  /// The content of a file; nil if there is none.
  func get(_ name: String) throws(RemoteFailure) -> [UInt8]?
  /// Creates or replaces a file as a whole. Once it returns, the file is durable.
  func put(_ name: String, _ bytes: [UInt8]) throws(RemoteFailure)
  /// Removes a file; a missing one is no error.
  func delete(_ name: String) throws(RemoteFailure)
}

/// Why a remote did not do what it was asked.
package struct RemoteFailure: Error, Equatable, Sendable {
  package enum Cause: String, Sendable, CaseIterable {
    /// It may work later.
    case missing, timedOut, lost, awaited, localFull
    /// It works only after somebody mended something.
    case notAFolder, notPermitted, full, foreignFiles, remoteEmpty, storeMissing, storeChanged, newerFormat, damaged
  }

  package let cause: Cause
  /// A sentence for people.
  package let message: String

  package init(_ cause: Cause, _ message: String) {
    self.cause = cause
    self.message = message
  }
}

/// A device, as a pass sees it: its store belongs to somebody who carries out each step.
package protocol PassDevice {
  func perform<Value: Sendable>(
    _ step: @Sendable (Replica) throws(StoreError) -> Value
  ) throws(StoreError) -> Value

  /// Makes a backup, unless there is nothing of the user's: what others have said is about to be applied for the first
  /// time.
  func backUp() throws(StoreError)
}

/// Why a pass ended early.
package enum PassFailure: Error {
  /// The remote failed in a phase.
  case remote(RemoteFailure, Phase)
  /// The own store failed.
  case store(StoreError)
  /// A head needs a newer version of the program; nothing was changed.
  case needsUpdate

  package enum Phase: String, Sendable { case open, list, pull, apply, push, publish, compact }
}
