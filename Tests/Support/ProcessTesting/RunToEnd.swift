import Foundation

/// The result of a command that ran to its end.
package struct Finished: Sendable {
  package let status: ExitStatus
  package let output: String
  package let error: String
}

extension Program {
  /// Runs a command to its end, with this standard input.
  package static func run(
    _ arguments: [String], input: String = "", closing closed: [Int32] = [], wrapper: [String] = [],
    environment: [String: String] = [:]
  ) async throws -> Finished {
    let process = try Spawned(
      wrapper + [try path()] + arguments, environment: Program.environment.merging(environment) { $1 },
      closing: closed)
    let writer = InputPipe(process.input)
    writer.post(Array(input.utf8))
    writer.close()
    return try await finish(process, 1)
  }

  /// Reads all output, and waits for the end; `patience` is a factor for the hang guard.
  private static func finish(
    _ process: Spawned, _ patience: Double, hearing: @escaping Hearing = { _ in }
  ) async throws -> Finished {
    async let output = text(process.output, patience, hearing)
    async let error = text(process.error, patience) { _ in }
    do {
      let status = try await process.exitStatus(patience)
      return Finished(status: status, output: try await output, error: try await error)
    } catch {
      process.signal(SIGKILL)
      throw error
    }
  }

  private static func text(
    _ descriptor: Int32, _ patience: Double, _ hearing: @escaping Hearing
  ) async throws -> String {
    let bytes = Guard<[UInt8]>([])
    let ended = Once<Bool>()
    OutputPipe(descriptor).start { piece in
      hearing(piece)
      bytes.with { $0 += piece }
    } atEnd: {
      ended.set(true)
    }
    _ = try await ended.value("a stream stays open", patience: patience)
    return String(decoding: bytes.with { $0 }, as: UTF8.self)
  }
}

extension Program {
  /// Receives pieces of standard output on a thread of its own.
  package typealias Hearing = @Sendable (ArraySlice<UInt8>) -> Void

  /// Runs another program to its end.
  ///
  /// - Parameter patience: A factor for the hang guard.
  package static func command(
    _ arguments: [String], input: String = "", environment: [String: String] = Program.environment,
    patience: Double = 1, hearing: @escaping Hearing = { _ in }
  ) async throws -> Finished {
    let process = try Spawned(arguments, environment: environment)
    let writer = InputPipe(process.input)
    writer.post(Array(input.utf8))
    writer.close()
    return try await finish(process, patience, hearing: hearing)
  }
}
