import DomainKit
import Platform
import SyncEngine
import SyncRemotes

/// What the doctor finds where the devices leave their changes.
package struct RemoteExamination: Sendable {
  package struct Problem: Sendable {
    package let message: String
    package let advice: String
  }

  /// The folder that is the remote.
  package let path: String
  /// How many devices have left changes, and in how many files.
  package private(set) var devices = 0
  package private(set) var batches = 0
  package private(set) var problems: [Problem] = []

  /// Reads the remote of a data folder, and writes nothing; nil if there is none, or if the data folder cannot be read.
  package init?(_ options: ServiceOptions) {
    guard let store = try? FileStore.open(options.readerConfiguration) else { return nil }
    defer { store.close() }
    guard let snapshot = try? store.snapshot, let profile = SyncProfile(snapshot) else { return nil }
    path = profile.path
    let remote = FolderRemote(path, PosixFileSystem(), newID: options.newID)
    do throws(RemoteFailure) { _ = try RemoteIdentity(of: remote, expected: profile.storeID) } catch {
      add(error, .open)
      return
    }
    do throws(RemoteFailure) {
      let survey = try RemoteSurvey(remote, snapshot)
      (devices, batches) = (survey.devices, survey.batches)
      for problem in survey.problems { add(problem, .pull) }
    } catch { add(error, .list) }
  }

  private mutating func add(_ failure: RemoteFailure, _ phase: PassFailure.Phase) {
    let problem = SyncReport.Problem(
      id: EntityID(high: 0, low: 0), phase: phase, cause: failure.cause.rawValue, message: failure.message,
      at: Instant(milliseconds: 0))
    problems.append(Problem(message: failure.message, advice: problem.hint))
  }
}
