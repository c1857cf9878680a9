import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if canImport(Glibc)
  // The headers show both only to those who ask for extensions.
  @_extern(c, "pipe2") private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
  @_extern(c, "posix_spawn_file_actions_addclosefrom_np") private func closeFrom(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
  ) -> Int32
#endif

/// How a process ended.
package enum ExitStatus: Sendable, Equatable {
  case exited(Int)
  case killed(by: Int32)

  init(_ status: Int32) {
    self = status & 0x7F == 0 ? .exited(Int((status >> 8) & 0xFF)) : .killed(by: status & 0x7F)
  }
}

/// A process with pipes at its three standard descriptors. Nothing is read or written on its own.
package final class Spawned: Sendable {
  package let pid: pid_t
  package let input: Int32
  package let output: Int32
  package let error: Int32
  private let ended = Once<ExitStatus>()

  /// Starts `arguments[0]` with the others; descriptors in `closed` are closed in the new process.
  package init(_ arguments: [String], environment: [String: String], closing closed: [Int32] = []) throws {
    let pipes = try (0..<3).map { _ in try Spawned.makePipe() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let theirs = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
    for (target, descriptor) in zip(Int32(0)..., theirs) {
      posix_spawn_file_actions_adddup2(&actions, descriptor, target)
    }
    for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #if canImport(Glibc)
      // Whatever others have opened without care is not inherited: a pipe's end would stay open.
      _ = closeFrom(&actions, 3)
    #endif
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Nothing that the test run blocks or ignores may reach the process, nor a signal for its group.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid = pid_t()
    let failure = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
    for descriptor in theirs { close(descriptor) }
    guard failure == 0 else { throw HarnessError("\(arguments[0]): \(String(cString: strerror(failure)))") }
    self.pid = pid
    (input, output, error) = (pipes[0].writing, pipes[1].reading, pipes[2].reading)
    let ended = ended
    Thread.detachNewThread { [pid] in
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      ended.set(ExitStatus(status))
    }
  }

  /// Descriptors that no other process inherits.
  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      guard pipe2(&ends, O_CLOEXEC) == 0 else { throw HarnessError("no pipe") }
    #else
      guard pipe(&ends) == 0 else { throw HarnessError("no pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (ends[0], ends[1])
  }

  /// Sends a signal, unless the process is gone already.
  package func signal(_ number: Int32) {
    if ended.now == nil { kill(pid, number) }
  }

  /// Waits for its end; `patience` is a factor for the hang guard.
  package func exitStatus(_ patience: Double = 1) async throws -> ExitStatus {
    try await ended.value("process \(pid) does not end", patience: patience)
  }

  /// How it ended, if it has.
  package var endedAs: ExitStatus? { ended.now }
}
