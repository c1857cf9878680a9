import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that was started, and our ends of its three pipes, which do not block.
struct Spawn {
  /// Its process id.
  let pid: pid_t
  /// What it reads.
  let input: Int32
  /// What it prints.
  let output: Int32
  /// What it complains.
  let errors: Int32

  /// Held from the making of pipes to the start of the process: one started in between would inherit their ends, and a
  /// service would wait for the end of an input that another one holds open.
  private static let turn = Mutex(())

  /// Starts a command; the first word is looked up in `PATH`.
  static func start(_ command: [String], environment: [String: String]) throws(WireError) -> Spawn {
    try turn.withLock { _ throws(WireError) in try Spawn(command, environment: environment) }
  }

  /// Starts a command while nobody else does.
  private init(_ command: [String], environment: [String: String]) throws(WireError) {
    guard let program = command.first else { throw .unstartable("no command was given") }
    let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
    // The parent may ignore signals for its own sake; a service starts with the defaults.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&defaults, signal) }
    var none = sigset_t()
    sigemptyset(&none)
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var pid: pid_t = -1
    let status = Spawn.withStrings(command) { words in
      Spawn.withStrings(environment.map { "\($0.key)=\($0.value)" }.sorted()) { variables in
        posix_spawnp(&pid, program, &actions, &attributes, words, variables)
      }
    }
    for end in [input.reading, output.writing, errors.writing] { close(end) }
    guard status == 0 else {
      for end in [input.writing, output.reading, errors.reading] { close(end) }
      throw .unstartable("\(program): \(SystemText.error(status))")
    }
    (self.pid, self.input, self.output, self.errors) = (pid, input.writing, output.reading, errors.reading)
    for end in [self.input, self.output, self.errors] { Pipe.unblock(end) }
  }

  /// The environment of this process.
  static func inheritedEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var at = environ
    while let entry = at.pointee {
      let text = String(cString: entry)
      let name = text.prefix { $0 != "=" }
      result[String(name)] = String(text.dropFirst(name.count + 1))
      at += 1
    }
    return result
  }

  /// Lends texts as a list of C strings that ends in nil.
  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
