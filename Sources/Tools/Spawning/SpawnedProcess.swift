import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if canImport(Glibc)
  // The headers declare it only with extensions enabled.
  @_extern(c, "posix_spawn_file_actions_addclosefrom_np") private func closeFrom(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
  ) -> Int32
#endif

/// A child process with pipes at its standard descriptors; does no I/O of its own.
///
/// It inherits no other descriptors and no blocked or ignored signals, and leads its own process group. No other
/// process inherits our ends of the pipes.
package final class SpawnedProcess: Sendable {
  /// Where its standard error goes.
  package enum StandardError: Sendable {
    /// To a pipe.
    case pipe
    /// To our standard error.
    case inherited
    /// To `/dev/null`.
    case discarded
  }

  package let pid: pid_t
  /// Our end of its standard input.
  package let input: Int32
  /// Our end of its standard output.
  package let output: Int32
  /// Our end of its standard error; -1 without a pipe.
  package let error: Int32
  /// How it ended, once it was reaped; from then on its id may be reused.
  private let ended = Mutex<ExitStatus?>(nil)

  /// Starts `arguments[0]`, looked up in `PATH` unless it has a slash, with the remaining arguments.
  ///
  /// - Parameter closed: Descriptors to close in the process.
  package init(
    _ arguments: [String], environment: [String: String], standardError: StandardError = .pipe,
    closing closed: [Int32] = []
  ) throws(SpawnError) {
    guard let program = arguments.first else { throw SpawnError("no command was given") }
    guard let input = CloseOnExecPipe() else { throw SpawnError.system("pipe") }
    guard let output = CloseOnExecPipe() else {
      input.close()
      throw SpawnError.system("pipe")
    }
    var errors: CloseOnExecPipe?
    if case .pipe = standardError {
      errors = CloseOnExecPipe()
      guard errors != nil else {
        for pipe in [input, output] { pipe.close() }
        throw SpawnError.system("pipe")
      }
    }
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let closing = 0 as Int32
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    switch standardError {
    case .pipe: if let errors { posix_spawn_file_actions_adddup2(&actions, errors.writing, 2) }
    case .inherited: break
    case .discarded: posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #if canImport(Glibc)
      // Closes descriptors that other code opened without close-on-exec; an inherited pipe end would keep the pipe
      // open.
      _ = closeFrom(&actions, 3)
    #endif
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP) | closing))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid = pid_t()
    let failure = posix_spawnp(&pid, program, &actions, &attributes, &words, &variables)
    input.closeReading()
    output.closeWriting()
    errors?.closeWriting()
    guard failure == 0 else {
      input.closeWriting()
      output.closeReading()
      errors?.closeReading()
      throw SpawnError("\(program): \(SystemText.error(failure))")
    }
    self.pid = pid
    (self.input, self.output, self.error) = (input.writing, output.reading, errors?.reading ?? -1)
  }

  /// Sends a signal, unless the process was reaped.
  package func signal(_ number: Int32) {
    ended.withLock { ended in
      if ended == nil { kill(pid, number) }
    }
  }

  /// How it ended, if it has.
  package func endedAs() -> ExitStatus? {
    ended.withLock { ended in
      var word: Int32 = 0
      if ended == nil, waitpid(pid, &word, WNOHANG) == pid { ended = ExitStatus(word) }
      return ended
    }
  }

  /// Waits for its end.
  package func waitForEnd() -> ExitStatus {
    while true {
      if let ended = endedAs() { return ended }
      // WNOWAIT keeps the id in use until the lock is held, so that no signal can reach another process.
      var info = siginfo_t()
      waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
    }
  }
}

extension SpawnedProcess {
  /// Runs a program to its end without input; returns its status and output.
  package static func run(
    _ arguments: [String], environment: [String: String] = SystemText.environment, standardError: StandardError
  ) throws(SpawnError) -> (status: ExitStatus, output: [UInt8]) {
    let process = try SpawnedProcess(arguments, environment: environment, standardError: standardError)
    Descriptor.close(process.input)
    defer { Descriptor.close(process.output) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while let count = piece.withUnsafeMutableBytes({ Descriptor.read(process.output, into: $0) }), count > 0 {
      output += piece[..<count]
    }
    return (process.waitForEnd(), output)
  }
}

/// How a process ended.
package enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
  case exited(Int)
  case killed(by: Int32)

  /// Decodes a status word of `waitpid`.
  init(_ word: Int32) {
    self = word & 0x7F == 0 ? .exited(Int((word >> 8) & 0xFF)) : .killed(by: word & 0x7F)
  }

  package var description: String {
    switch self {
    case .exited(let status): "status \(status)"
    case .killed(let signal): "signal \(signal)"
    }
  }
}

/// Why a process could not be started.
package struct SpawnError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// The error for a failed system call.
  static func system(_ call: String) -> SpawnError { SpawnError("\(call): \(SystemText.error(errno))") }
}
