import Foundation
import HTTPCarriage
import Platform

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request on its way, without cookies, caches or stored credentials.
final class Exchange: NSObject, URLSessionDataDelegate {
  private struct State {
    var response: HTTPURLResponse?
    var body: [UInt8] = []
    var redirects = 0
  }

  /// So many redirects are followed, within one origin.
  private static let mostRedirects = 3

  private let request: CarriedRequest
  private let state = Guarded(State())

  init(_ request: CarriedRequest) { self.request = request }

  /// Sends it. The outcome goes to the outlet.
  func begin() {
    guard let url = URL(string: request.url), Exchange.origin(url) != nil else {
      return fail(.badRequest, "this is no address of a server")
    }
    // The library's own limits begin again with every byte that comes.
    let isTimed = Threads.after(milliseconds: Int32(clamping: request.timeout)) { [request] in
      Outlet.finish(.failure(CarriedFailure(.timedOut, "no answer came within \(request.timeout) ms")))
    }
    guard isTimed else { return fail(.carrier, "the system gives no thread") }
    if url.scheme?.lowercased() == "http" { Exchange.avoidProxies(for: url.host ?? "") }
    // Even an ephemeral configuration makes folders for a cache and for cookies: where there can be none, nothing is left behind.
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

  /// Seconds after which the library may give up; longer than we wait.
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

  /// Nothing for this machine goes by way of another.
  private static func avoidProxies(for host: String) {
    let others = ProcessInfo.processInfo.environment["no_proxy"] ?? ProcessInfo.processInfo.environment["NO_PROXY"]
    setenv("no_proxy", [others, host].compactMap { $0 }.joined(separator: ","), 1)
  }

  private func fail(_ kind: CarriedFailure.Kind, _ message: String) {
    Outlet.finish(.failure(CarriedFailure(kind, message)))
  }

  // MARK: redirects

  /// Where an answer sends us that we follow: the key goes only where it was meant for, and a POST never becomes something else.
  private func next(after response: HTTPURLResponse) -> URL? {
    let isRead = request.method == "GET" || request.method == "HEAD"
    let keepsMethod = [307, 308].contains(response.statusCode) || isRead && (301...303).contains(response.statusCode)
    guard keepsMethod, let text = response.value(forHTTPHeaderField: "Location"),
      let url = URL(string: text, relativeTo: response.url)?.absoluteURL, let origin = Exchange.origin(url),
      origin == URL(string: request.url).flatMap({ Exchange.origin($0) })
    else { return nil }
    let isAllowed = state.withLock { state in
      state.redirects += 1
      return state.redirects <= Exchange.mostRedirects
    }
    return isAllowed ? url : nil
  }

  /// Scheme, host and port; nil for what is no address of a server.
  private static func origin(_ url: URL) -> String? {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
  }

  /// The library follows none: it would leave the body behind.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  // MARK: what the library tells

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // Nobody is asked for a password: the answer that wants one is the answer. The library would wait for ever.
    if let response = challenge.failureResponse as? HTTPURLResponse { return finish(response, []) }
    completionHandler(.performDefaultHandling, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else { return fail(.lost, "what came is no HTTP") }
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

  private func failTooLarge() { fail(.tooLarge, "the answer is longer than \(request.limit) bytes") }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { return Outlet.finish(.failure(Failures.failure(error))) }
    let (response, body) = state.withLock { ($0.response, $0.body) }
    guard let response = response ?? task.response as? HTTPURLResponse else { return fail(.lost, "nothing came") }
    if let url = next(after: response) { return send(to: url, in: session) }
    // A body cut off is not taken for a whole one.
    let isPlain = response.value(forHTTPHeaderField: "Content-Encoding") == nil && request.method != "HEAD"
    if isPlain, response.expectedContentLength >= 0, response.expectedContentLength != Int64(body.count) {
      return fail(.lost, "the connection broke before the answer was whole")
    }
    finish(response, body)
  }

  private func finish(_ response: HTTPURLResponse, _ body: [UInt8]) {
    var headers: [CarriedRequest.Header] = []
    for name in request.wantedHeaders {
      if let value = response.value(forHTTPHeaderField: name) { headers.append(CarriedRequest.Header(name, value)) }
    }
    Outlet.finish(.response(CarriedResponse(status: response.statusCode, headers: headers, body: body)))
  }
}
