import Foundation

/// What a command that ends by itself has left.
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
    async let output = text(process.output)
    async let error = text(process.error)
    do {
      let status = try await process.exitStatus()
      return Finished(status: status, output: try await output, error: try await error)
    } catch {
      process.signal(SIGKILL)
      throw error
    }
  }

  private static func text(_ descriptor: Int32) async throws -> String {
    let bytes = Guard<[UInt8]>([])
    let ended = Once<Bool>()
    OutputPipe(descriptor).start { piece in
      bytes.with { $0 += piece }
    } atEnd: {
      ended.set(true)
    }
    _ = try await ended.value("a stream stays open")
    return String(decoding: bytes.with { $0 }, as: UTF8.self)
  }
}

extension Program {
  /// Runs another program to its end.
  package static func command(_ arguments: [String]) async throws -> Finished {
    let process = try Spawned(arguments, environment: Program.environment)
    Daybook.close(process.input)
    async let output = text(process.output)
    async let error = text(process.error)
    return Finished(status: try await process.exitStatus(), output: try await output, error: try await error)
  }
}
