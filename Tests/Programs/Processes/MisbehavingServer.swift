import Foundation
import JSON
import ProcessTesting
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A local server that sends scripted responses, valid or not. It waits only for its clients.
final class MisbehavingServer: Sendable {
  /// The response to a connection's request.
  enum Behaviour: Sendable {
    /// Sends this, and closes.
    case say(String)
    /// Sends this, and nothing more until the client disconnects.
    case hold(String)
    /// Sends the first, then repeats the second until the client disconnects.
    case endless(String, String)
  }

  /// A received request.
  struct Request: Sendable {
    let number: Int
    /// The request line and the headers.
    let head: String
    let body: String

    /// The value of a header.
    func header(_ name: String) -> String? {
      head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  let port: Int
  /// The requests not taken yet.
  let requests = Mailbox<Request>()
  /// The numbers of closed connections.
  let left = Mailbox<Int>()
  private let listener: Int32
  private let behaviours: Mutex<[Behaviour]>
  private let count = Mutex(0)

  /// - Parameter behaviours: One per connection; the last applies to all further ones.
  init(_ behaviours: [Behaviour]) throws {
    self.behaviours = Mutex(behaviours)
    let (listener, port) = try MisbehavingServer.listen()
    self.listener = listener
    self.port = port
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          if errno == EINTR || errno == ECONNABORTED { continue }
          break
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard let self else {
          close(connection)
          break
        }
        let (number, behaviour) = self.next()
        Thread.detachNewThread { [requests = self.requests, left = self.left] in
          MisbehavingServer.serve(connection, number, behaviour, requests)
          close(connection)
          left.put(number)
        }
      }
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// The number of connections.
  var connections: Int { count.withLock { $0 } }

  /// The address before `/chat/completions`.
  var baseURL: String { "http://127.0.0.1:\(port)/v1" }

  /// A port without a listener.
  static func deadPort() throws -> Int {
    let (listener, port) = try listen()
    close(listener)
    return port
  }

  private static func listen() throws -> (listener: Int32, port: Int) {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard listener >= 0 else { throw HarnessError("no socket") }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && Self.startListening(listener)
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isBound else { throw HarnessError("no port") }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func startListening(_ listener: Int32) -> Bool {
    #if canImport(Glibc)
      Glibc.listen(listener, 16) == 0
    #elseif canImport(Musl)
      Musl.listen(listener, 16) == 0
    #else
      Darwin.listen(listener, 16) == 0
    #endif
  }

  private func next() -> (Int, Behaviour) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return (number, behaviours.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .say("") })
  }

  private static func serve(_ connection: Int32, _ number: Int, _ behaviour: Behaviour, _ requests: Mailbox<Request>) {
    guard let request = read(connection, number) else { return }
    requests.put(request)
    switch behaviour {
    case .say(let text): _ = write(connection, text)
    case .hold(let text):
      _ = write(connection, text)
      var byte = [UInt8](repeating: 0, count: 64)
      while recv(connection, &byte, byte.count, 0) > 0 {}
    case .endless(let text, let more):
      var isThere = write(connection, text)
      while isThere { isThere = write(connection, more) }
    }
  }

  private static func write(_ connection: Int32, _ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var at = 0
    while at < bytes.count {
      let sent = bytes[at...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard sent > 0 else { return false }
      at += sent
    }
    return true
  }

  /// Reads the headers and the body.
  private static func read(_ connection: Int32, _ number: Int) -> Request? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let request = Request(
          number: number, head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...]))
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        if request.body.utf8.count >= length { return request }
      }
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      bytes += piece[..<count]
    }
  }
}

extension MisbehavingServer {
  /// A complete response. It announces the end of the connection, so that the client does not send its next request on
  /// it.
  static func answer(_ status: String, _ body: String = "", headers: [String] = []) -> Behaviour {
    .say(head(status, ["Content-Length: \(body.utf8.count)", "Connection: close"] + headers) + body)
  }

  /// A status line and headers.
  static func head(_ status: String, _ headers: [String] = []) -> String {
    "HTTP/1.1 \(status)\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// A chat completion with this text.
  static func completion(_ content: String) -> Behaviour {
    let text = String(decoding: content.json, as: UTF8.self)
    return answer(
      "200 OK",
      #"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":\#(text)},"finish_reason":"stop"}]}"#)
  }

  /// An estimate in a code fence, followed by a remark.
  static let good = completion(
    """
    Here it is:
    ```json
    {"items": [{"name": "Eggs", "assumptions": "two", "calories": {"low": 300.6, "high": 420.2}}],
     "total": {"calories": {"low": 300.6, "high": 420.2}}, "confidence": "medium"}
    ```
    Enjoy!
    """)
}
