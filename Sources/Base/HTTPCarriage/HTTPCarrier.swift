import Platform

/// Carries HTTP requests by a process of its own for each, `daybook-http`: `daybook` itself knows no sockets.
package struct HTTPCarrier: Sendable {
  /// The program's name.
  package static let programName = "daybook-http"

  /// The path of the program.
  package let path: String

  package init(path: String) { self.path = path }

  /// Whether there is such a program.
  package var isThere: Bool { Files.isExecutable(path) }

  /// Where the program is when nobody says: beside the one that runs.
  package static func besideThisProgram() -> String? {
    guard let own = Processes.executable, let slash = own.lastIndex(of: "/") else { return nil }
    return own[...slash] + programName
  }

  /// Milliseconds that the carrier may take beyond the request's own time to say so.
  private static let grace = 2000

  /// Sends a request and waits for its answer on the calling thread, which has to be one of its own. When `cancellation` is set, the
  /// carrier is ended at once and the answer is `cancelled`.
  package func carry(_ request: CarriedRequest, _ cancellation: CarriageCancellation) -> CarriedAnswer {
    guard isThere else { return .failure(CarriedFailure(.carrier, "there is no program \(HTTPCarrier.programName)")) }
    guard let child = ChildProcess(path: path, environment: HTTPCarrier.environment) else {
      return .failure(CarriedFailure(.carrier, "\(HTTPCarrier.programName) cannot be started"))
    }
    // Set before: then the handler ends it right away.
    cancellation.whenSet { child.kill() }
    defer {
      cancellation.whenSet(nil)
      child.end()
    }
    // Its input stays open: the end of it tells the carrier that nobody waits.
    guard child.write(request.text) else { return failure(cancellation, "took no request") }
    let patience = request.timeout.addingReportingOverflow(HTTPCarrier.grace)
    let read = child.readAll(
      limit: CarriedAnswer.longestLine + request.limit + 1,
      within: patience.overflow ? .max : patience.partialValue)
    switch read {
    case .whole(let text): return CarriedAnswer(reading: text) ?? failure(cancellation, "gave no proper answer")
    case .tooLong: return .failure(CarriedFailure(.tooLarge, "the answer is longer than \(request.limit) bytes"))
    case .timedOut: return .failure(CarriedFailure(.timedOut, "no answer came within \(request.timeout) ms"))
    case .failed: return failure(cancellation, "cannot be read")
    }
  }

  private func failure(_ cancellation: CarriageCancellation, _ what: String) -> CarriedAnswer {
    cancellation.isSet
      ? .failure(CarriedFailure(.cancelled, "cancelled"))
      : .failure(CarriedFailure(.carrier, "\(HTTPCarrier.programName) \(what)"))
  }

  /// What the carrier is to know of this process's surroundings: how to reach the network, and no keys.
  private static var environment: [String] {
    let names = [
      "PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "http_proxy", "https_proxy",
      "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]
    return names.compactMap { name in Processes.environment(name).map { "\(name)=\($0)" } }
  }
}

/// Tells a piece of work on another thread that it is not wanted any more.
package final class CarriageCancellation: Sendable {
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

  /// Ends the work, and every rest of it.
  package func set() {
    let handler = state.withLock { state in
      defer { state.isSet = true }
      return state.isSet ? nil : state.handler
    }
    handler?()
    waker?.write([0])
  }

  /// What is done when it is set, at once if it is already; nil for nothing.
  func whenSet(_ handler: (@Sendable () -> Void)?) {
    let isSet = state.withLock { state in
      state.handler = handler
      return state.isSet
    }
    if isSet { handler?() }
  }

  /// Lets the calling thread rest so many milliseconds, or until it is set; false when it is.
  package func rest(_ milliseconds: Int) -> Bool {
    if let waker {
      _ = StandardStreams.isReadable(waker.reading, within: Int32(clamping: milliseconds))
    } else {
      Threads.rest(milliseconds: Int32(clamping: milliseconds))
    }
    return !isSet
  }
}
