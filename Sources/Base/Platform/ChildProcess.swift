#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Kills a process group; at file scope, because methods named `kill` hide the system call.
private func killGroup(_ leader: pid_t) { _ = kill(-leader, SIGKILL) }

/// A helper program that runs once, connected by pipes. It leads its own process group, so that `kill` ends all of it.
/// It inherits only the descriptors 0…2, of which 2 is `/dev/null`, and no blocked or ignored signals.
package final class ChildProcess: Sendable {
  /// The outcome of reading the program's output.
  package enum Reading: Sendable, Equatable {
    /// Everything, up to the end.
    case whole([UInt8])
    case tooLong
    case timedOut
    case failed
  }

  private let input: Int32
  private let output: Int32
  /// The process id until the process is reaped; afterwards the system may reuse the number.
  private let process: Guarded<pid_t?>

  /// Serializes spawning, so that no child inherits the pipes of another that is being started.
  private static let spawning = Guarded(())

  /// Starts a program without arguments; nil on failure.
  ///
  /// - Parameter environment: Entries of the form `NAME=value`.
  package init?(path: String, environment: [String]) {
    let started = ChildProcess.spawning.withLock { _ in ChildProcess.start(path, environment) }
    guard let started else { return nil }
    (input, output) = (started.input, started.output)
    process = Guarded(started.process)
  }

  deinit {
    kill()
    close(input)
    close(output)
  }

  /// Writes all bytes, blocking until the program reads them; false when it does not.
  package func write(_ bytes: [UInt8]) -> Bool {
    // An ended program must show as a failed write, even if this process handles the signal.
    var pipes = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipes, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    guard !StandardStreams.writeAll(input, bytes) else { return true }
    // Consumes the pending signal, so that it is not delivered when the mask is restored.
    var pending = sigset_t()
    if sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1 {
      var number: Int32 = 0
      sigwait(&pipes, &number)
    }
    return false
  }

  /// Reads until the program closes its output.
  ///
  /// - Parameters:
  ///   - limit: The maximum output, in bytes.
  ///   - milliseconds: The time limit.
  package func readAll(limit: Int, within milliseconds: Int) -> Reading {
    let begun = Clock.monotonicNanoseconds()
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let elapsed = Int(clamping: (Clock.monotonicNanoseconds() &- begun) / 1_000_000)
      guard elapsed < milliseconds else { return .timedOut }
      guard StandardStreams.isReadable(output, within: Int32(clamping: milliseconds - elapsed)) else { continue }
      guard let count = piece.withUnsafeMutableBytes({ StandardStreams.read(output, into: $0) }) else { return .failed }
      if count == 0 { return .whole(bytes) }
      bytes += piece[..<count]
      if bytes.count > limit { return .tooLong }
    }
  }

  /// Kills the program's process group.
  package func kill() {
    process.withLock { process in
      if let process { killGroup(process) }
    }
  }

  /// Kills the program if it still runs, and reaps it.
  package func end() {
    kill()
    process.withLock { process in
      guard let id = process else { return }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      process = nil
    }
  }

  private static func start(
    _ path: String, _ environment: [String]
  ) -> (process: pid_t, input: Int32, output: Int32)? {
    guard let input = Pipe() else { return nil }
    guard let output = Pipe() else {
      input.closeWriting()
      input.closeReading()
      return nil
    }
    let process = spawn(path, environment, input: input.reading, output: output.writing)
    input.closeReading()
    output.closeWriting()
    guard let process else {
      input.closeWriting()
      output.closeReading()
      return nil
    }
    return (process, input.writing, output.reading)
  }

  private static func spawn(_ path: String, _ environment: [String], input: Int32, output: Int32) -> pid_t? {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    return posix_spawn(&process, path, &actions, &attributes, &words, &variables) == 0 ? process : nil
  }
}
