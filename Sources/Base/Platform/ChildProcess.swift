#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// A program of our own that was started to do one thing, spoken to over pipes. It leads a group of processes, so that all of it can be
/// ended; it inherits no descriptor but its three, the last of which leads nowhere, and no blocked or ignored signal.
package final class ChildProcess: Sendable {
  /// What became of reading.
  package enum Reading: Sendable, Equatable {
    /// Everything, up to the end.
    case whole([UInt8])
    case tooLong
    case timedOut
    case failed
  }

  private let input: Int32
  private let output: Int32
  /// The process, until its end is collected: afterwards the number may be another's.
  private let process: Guarded<pid_t?>

  /// One at a time, so that no child inherits the pipes of another that is being started.
  private static let spawning = Guarded(())

  /// Starts a program without arguments. Nil when that cannot be done.
  ///
  /// - Parameter environment: Each `NAME=value`.
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

  /// Writes everything, waiting for the program; false when it does not read.
  package func write(_ bytes: [UInt8]) -> Bool {
    // A program that is gone must show as a failed write, also if this process handles the signal.
    var pipes = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipes, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    guard !StandardStreams.writeAll(input, bytes) else { return true }
    // Taken, so that it does not come once it is let through again.
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
  ///   - limit: The most bytes that are taken.
  ///   - milliseconds: How long that may take.
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

  /// Ends the program at once.
  package func kill() {
    process.withLock { process in
      guard let id = process else { return }
      #if os(Linux)
        #if canImport(Musl)
          _ = Musl.kill(-id, SIGKILL)
        #else
          _ = Glibc.kill(-id, SIGKILL)
        #endif
      #else
        _ = Darwin.kill(-id, SIGKILL)
      #endif
    }
  }

  /// Ends the program if it still runs, and collects its exit status. Called once nothing more is wanted of it.
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
