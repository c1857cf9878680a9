import Foundation
import Spawning

package typealias ExitStatus = Spawning.ExitStatus

/// A process with pipes at its three standard descriptors, whose end can be awaited; does no I/O of its own.
package final class Spawned: Sendable {
  private let process: SpawnedProcess
  private let ended = Once<ExitStatus>()

  package var pid: pid_t { process.pid }
  package var input: Int32 { process.input }
  package var output: Int32 { process.output }
  package var error: Int32 { process.error }

  /// Starts `arguments[0]` with the remaining arguments; descriptors in `closed` are closed in the new process.
  package init(_ arguments: [String], environment: [String: String], closing closed: [Int32] = []) throws {
    process = try SpawnedProcess(arguments, environment: environment, closing: closed)
    Thread.detachNewThread { [process, ended] in ended.set(process.waitForEnd()) }
  }

  /// Sends a signal, unless the process has ended.
  package func signal(_ number: Int32) { process.signal(number) }

  /// Waits for its end; `patience` is a factor for the hang guard.
  package func exitStatus(_ patience: Double = 1) async throws -> ExitStatus {
    try await ended.value("process \(pid) does not end", patience: patience)
  }

  /// How it ended, if it has.
  package var endedAs: ExitStatus? { ended.now }
}
