import Platform

/// Sends HTTP requests, each in a `daybook-http` process of its own: `daybook` itself opens no sockets.
package struct HTTPCarrier: Sendable {
  /// The program's name.
  package static let programName = "daybook-http"

  /// The path of the program.
  package let path: String

  package init(path: String) { self.path = path }

  /// Whether the program is installed.
  package var isInstalled: Bool { Files.isExecutable(path) }

  /// The default path: the folder of the running program.
  package static func defaultPath() -> String? {
    guard let own = Processes.executable, let slash = own.lastIndex(of: "/") else { return nil }
    return own[...slash] + programName
  }

  /// How long to wait beyond the request's own time limit for the process to report it, in milliseconds.
  private static let grace = 2000

  /// Sends a request and blocks for the outcome, so it must run on a thread of its own. Setting `cancellation` kills
  /// the process at once, and the outcome is `cancelled`.
  package func carry(_ request: HTTPRequest, _ cancellation: HTTPCancellation) -> HTTPOutcome {
    guard isInstalled else {
      return .failure(HTTPFailure(.carrier, "there is no program \(HTTPCarrier.programName)"))
    }
    guard let child = ChildProcess(path: path, environment: HTTPCarrier.environment) else {
      return .failure(HTTPFailure(.carrier, "\(HTTPCarrier.programName) cannot be started"))
    }
    // If it is already set, the handler runs right away.
    cancellation.whenSet { child.kill() }
    defer {
      cancellation.whenSet(nil)
      child.end()
    }
    // Its input stays open: end-of-file would tell the process that it is no longer needed.
    guard child.write(request.text) else { return failure(cancellation, "took no request") }
    let patience = request.timeout.addingReportingOverflow(HTTPCarrier.grace)
    let read = child.readAll(
      limit: HTTPOutcome.maximumLineLength + request.limit + 1,
      within: patience.overflow ? .max : patience.partialValue)
    switch read {
    case .whole(let text): return HTTPOutcome(reading: text) ?? failure(cancellation, "gave no proper answer")
    case .tooLong: return .failure(HTTPFailure(.tooLarge, "the answer is longer than \(request.limit) bytes"))
    case .timedOut: return .failure(HTTPFailure(.timedOut, "no answer came within \(request.timeout) ms"))
    case .failed: return failure(cancellation, "cannot be read")
    }
  }

  private func failure(_ cancellation: HTTPCancellation, _ what: String) -> HTTPOutcome {
    cancellation.isSet
      ? .failure(HTTPFailure(.cancelled, "cancelled"))
      : .failure(HTTPFailure(.carrier, "\(HTTPCarrier.programName) \(what)"))
  }

  /// The environment of the process: what it needs to reach the network, and no keys.
  private static var environment: [String] {
    let names = [
      "PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "http_proxy", "https_proxy",
      "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]
    return names.compactMap { name in Processes.environment(name).map { "\(name)=\($0)" } }
  }
}

/// Cancels work on another thread.
package final class HTTPCancellation: Sendable {
  private struct State {
    var isSet = false
    var handler: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())
  private let waker = Pipe()

  package init() {}

  deinit {
    waker?.closeWriting()
    waker?.closeReading()
  }

  package var isSet: Bool { state.withLock { $0.isSet } }

  /// Cancels the work and ends its current and future `rest` calls.
  package func set() {
    let handler = state.withLock { state in
      defer { state.isSet = true }
      return state.isSet ? nil : state.handler
    }
    handler?()
    waker?.write([0])
  }

  /// Sets what runs on cancellation, immediately if it is already cancelled; nil removes it.
  func whenSet(_ handler: (@Sendable () -> Void)?) {
    let isSet = state.withLock { state in
      state.handler = handler
      return state.isSet
    }
    if isSet { handler?() }
  }

  /// Sleeps for `milliseconds` or until cancelled; returns false when cancelled.
  package func rest(_ milliseconds: Int) -> Bool {
    if let waker {
      _ = StandardStreams.isReadable(waker.reading, within: Int32(clamping: milliseconds))
    } else {
      Threads.rest(milliseconds: Int32(clamping: milliseconds))
    }
    return !isSet
  }
}
