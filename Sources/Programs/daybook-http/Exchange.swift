import Foundation
import HTTPCarriage
import Platform

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A running request, without cookies, caches or stored credentials.
final class Exchange: NSObject, URLSessionDataDelegate {
  private struct State {
    var response: HTTPURLResponse?
    var body: [UInt8] = []
    var redirects = 0
  }

  /// The maximum number of redirects; only those within one origin are followed.
  private static let maximumRedirects = 3

  private let request: HTTPRequest
  private let state = Guarded(State())

  init(_ request: HTTPRequest) { self.request = request }

  /// Sends the request; `ResponseWriter` receives the outcome.
  func begin() {
    guard let url = URL(string: request.url), Exchange.origin(url) != nil else {
      return fail(.badRequest, "the URL is not an HTTP address")
    }
    // The library's own time limits restart with every received byte.
    let isTimed = Threads.after(milliseconds: Int32(clamping: request.timeout)) { [request] in
      ResponseWriter.finish(.failure(HTTPFailure(.timedOut, "no response came within \(request.timeout) ms")))
    }
    guard isTimed else { return fail(.carrier, "the system cannot start a thread") }
    if url.scheme?.lowercased() == "http" { Exchange.avoidProxies(for: url.host ?? "") }
    // Even an ephemeral configuration creates folders for a cache and cookies, unless it cannot.
    for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME"] { setenv(name, "/dev/null", 1) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = patience
    send(to: url, in: URLSession(configuration: configuration, delegate: self, delegateQueue: nil))
  }

  /// The library's time limit in seconds, longer than ours.
  private var patience: Double { Double(request.timeout) / 1000 + 1 }

  private func send(to url: URL, in session: URLSession) {
    var message = URLRequest(url: url)
    message.httpMethod = request.method
    message.setValue(HTTPCarrier.programName, forHTTPHeaderField: "User-Agent")
    for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    message.timeoutInterval = patience
    session.dataTask(with: message).resume()
  }

  /// Sends requests to `host` directly.
  private static func avoidProxies(for host: String) {
    let others = ProcessInfo.processInfo.environment["no_proxy"] ?? ProcessInfo.processInfo.environment["NO_PROXY"]
    setenv("no_proxy", [others, host].compactMap { $0 }.joined(separator: ","), 1)
  }

  private func fail(_ kind: HTTPFailure.Kind, _ message: String) {
    ResponseWriter.finish(.failure(HTTPFailure(kind, message)))
  }

  // MARK: redirects

  /// The target of a redirect that may be followed: keys are sent only to the original origin, and a POST never changes
  /// its method.
  private func next(after response: HTTPURLResponse) -> URL? {
    let isRead = request.method == "GET" || request.method == "HEAD"
    let keepsMethod = [307, 308].contains(response.statusCode) || isRead && (301...303).contains(response.statusCode)
    guard keepsMethod, let text = response.value(forHTTPHeaderField: "Location"),
      let url = URL(string: text, relativeTo: response.url)?.absoluteURL, let origin = Exchange.origin(url),
      origin == URL(string: request.url).flatMap({ Exchange.origin($0) })
    else { return nil }
    let isAllowed = state.withLock { state in
      state.redirects += 1
      return state.redirects <= Exchange.maximumRedirects
    }
    return isAllowed ? url : nil
  }

  /// Scheme, host and port; nil when the URL is not an HTTP address.
  private static func origin(_ url: URL) -> String? {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
  }

  /// Stops the library from following redirects: it would drop the body.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  // MARK: delegate calls

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // Returns the response that asks for a password; the library would wait for one forever.
    if let response = challenge.failureResponse as? HTTPURLResponse { return finish(response, []) }
    completionHandler(.performDefaultHandling, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else { return fail(.lost, "the response is not HTTP") }
    let isTooLarge = response.expectedContentLength > Int64(request.limit)
    state.withLock { state in
      state.response = response
      state.body = []
    }
    if isTooLarge { failTooLarge() }
    completionHandler(isTooLarge ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let limit = request.limit
    let isTooLarge = state.withLock { state in
      guard state.body.count + data.count <= limit else { return true }
      state.body += data
      return false
    }
    if isTooLarge { failTooLarge() }
  }

  private func failTooLarge() { fail(.tooLarge, "the response is longer than \(request.limit) bytes") }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { return ResponseWriter.finish(.failure(Failures.failure(error))) }
    let (response, body) = state.withLock { ($0.response, $0.body) }
    guard let response = response ?? task.response as? HTTPURLResponse else { return fail(.lost, "no response came") }
    if let url = next(after: response) { return send(to: url, in: session) }
    // A truncated body is an error.
    let isPlain = response.value(forHTTPHeaderField: "Content-Encoding") == nil && request.method != "HEAD"
    if isPlain, response.expectedContentLength >= 0, response.expectedContentLength != Int64(body.count) {
      return fail(.lost, "the connection broke before the response was complete")
    }
    finish(response, body)
  }

  private func finish(_ response: HTTPURLResponse, _ body: [UInt8]) {
    var headers: [HTTPRequest.Header] = []
    for name in request.wantedHeaders {
      if let value = response.value(forHTTPHeaderField: name) { headers.append(HTTPRequest.Header(name, value)) }
    }
    ResponseWriter.finish(.response(HTTPResponse(status: response.statusCode, headers: headers, body: body)))
  }
}
