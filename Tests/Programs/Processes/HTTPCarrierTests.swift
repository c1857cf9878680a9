import Foundation
import HTTPCarriage
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("Carrying a request", .processes)
struct HTTPCarrierTests {
  private static let program = (try? Program.path()).map { $0 + "-http" } ?? ""

  /// Sends a request on a thread of its own.
  private func carry(
    _ url: String, method: String = "POST", body: String = "{}", timeout: Int = Int(HangGuard.seconds * 1000),
    limit: Int = 10_000, _ cancellation: HTTPCancellation = HTTPCancellation(), path: String = program
  ) async -> HTTPOutcome {
    let request = HTTPRequest(
      method: method, url: url, headers: [.init("Authorization", "Bearer sk-secret")], body: Array(body.utf8),
      timeout: timeout, limit: limit, wantedHeaders: ["retry-after", "location"])
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: HTTPCarrier(path: path).carry(request, cancellation))
      }
    }
  }

  private func kind(_ answer: HTTPOutcome) -> HTTPFailure.Kind? {
    if case .failure(let failure) = answer { failure.kind } else { nil }
  }

  private func response(_ answer: HTTPOutcome) throws -> HTTPResponse {
    guard case .response(let response) = answer else { throw HarnessError("\(answer)") }
    return response
  }

  @Test("A request arrives unchanged, and the response has the requested headers")
  func plain() async throws {
    let server = try MisbehavingServer([
      MisbehavingServer.answer("418 Odd", "tëa", headers: ["Retry-After: 7", "X-Other: 1"])
    ])
    let body = #"{"ä":"🍵"}"# + String(repeating: " ", count: 200_000)
    let response = try response(await carry("http://127.0.0.1:\(server.port)/a?b=c", body: body))
    #expect(response == HTTPResponse(status: 418, headers: [.init("retry-after", "7")], body: Array("tëa".utf8)))
    let request = try #require(try await server.requests.take("the request") { _ in true })
    #expect(request.head.hasPrefix("POST /a?b=c HTTP/1.1\r\n"))
    #expect(request.header("Authorization") == "Bearer sk-secret")
    #expect(request.body == body)
  }

  @Test("It leaves nothing in the home folder")
  func home() async throws {
    let server = try MisbehavingServer([
      MisbehavingServer.answer(
        "200 OK", "tea", headers: ["Set-Cookie: a=b; Max-Age=1000", "Cache-Control: max-age=1000"])
    ])
    let home = try TemporaryFolder()
    let carrier = try Spawned([HTTPCarrierTests.program], environment: ["HOME": home.path])
    let url = "http://127.0.0.1:\(server.port)/"
    let request = HTTPRequest(
      method: "GET", url: url, headers: [], body: [], timeout: Int(HangGuard.seconds * 1000), limit: 1000,
      wantedHeaders: [])
    #expect(Descriptor.writeAll(carrier.input, request.text[...]))
    #expect(try await carrier.exitStatus() == .exited(0))
    Descriptor.close(carrier.input)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path).isEmpty)
  }

  @Test("Methods without a body, and binary bodies", arguments: ["GET", "DELETE", "PUT"])
  func methods(_ method: String) async throws {
    let server = try MisbehavingServer([MisbehavingServer.answer("200 OK", "\u{0}\u{1}\r\n")])
    let answer = await carry("http://127.0.0.1:\(server.port)/", method: method, body: method == "PUT" ? "x" : "")
    #expect(try response(answer).body == [0, 1, 13, 10])
    #expect(try await server.requests.take("it") { _ in true }?.head.hasPrefix(method + " ") == true)
  }

  @Test(
    "All failures are distinguished",
    arguments: [
      (.say(""), .lost), (.say("\u{0}\u{1}\u{2} no HTTP\r\n\r\n"), .lost),
      (.say("HTTP/1.1 200 OK\r\nContent-Le"), .lost),
      (.say(MisbehavingServer.head("200 OK", ["Content-Length: 100"]) + "half"), .lost),
      (.say(MisbehavingServer.head("200 OK", ["Transfer-Encoding: chunked"]) + "zzz\r\nno number\r\n"), .lost),
      (.say(MisbehavingServer.head("200 OK", ["Transfer-Encoding: chunked"]) + "5\r\nhello\r\n"), .lost),
      (.say(MisbehavingServer.head("200 OK", ["Content-Encoding: gzip", "Content-Length: 5"]) + "plain"), .lost),
      (.hold(MisbehavingServer.head("200 OK", ["Content-Length: 99999999"])), .tooLarge),
      (
        .endless(MisbehavingServer.head("200 OK", ["Transfer-Encoding: chunked"]), "10\r\n0123456789abcdef\r\n"),
        .tooLarge
      ),
      (.endless(MisbehavingServer.head("200 OK"), "for ever and ever "), .tooLarge),
    ] as [(MisbehavingServer.Behaviour, HTTPFailure.Kind)])
  func failures(_ behaviour: MisbehavingServer.Behaviour, _ expected: HTTPFailure.Kind) async throws {
    let server = try MisbehavingServer([behaviour])
    let answer = await carry("http://127.0.0.1:\(server.port)/")
    #expect(kind(answer) == expected, "\(answer)")
    _ = try await server.left.take("the carrier goes away") { _ in true }
  }

  @Test(
    "Who is silent, from the first byte or in the middle, is given up when the time is over",
    arguments: ["", "HTTP/1.1 200 OK\r\nX-Slow: ", MisbehavingServer.head("200 OK", ["Content-Length: 10"]) + "half"])
  func silent(_ beginning: String) async throws {
    let server = try MisbehavingServer([.hold(beginning)])
    #expect(kind(await carry("http://127.0.0.1:\(server.port)/", timeout: 1000)) == .timedOut)
  }

  @Test("A body of the maximum length is accepted, one byte more is not")
  func limit() async throws {
    let server = try MisbehavingServer([MisbehavingServer.answer("200 OK", "12345")])
    #expect(try response(await carry("http://127.0.0.1:\(server.port)/", limit: 5)).body.count == 5)
    #expect(kind(await carry("http://127.0.0.1:\(server.port)/", limit: 4)) == .tooLarge)
  }

  @Test(
    "Refused connection, unknown host, invalid URL",
    arguments: ["ftp://127.0.0.1/", "http://", "", "/etc/passwd", "https:///x"])
  func nowhere(_ address: String) async throws {
    #expect(kind(await carry("http://127.0.0.1:\(try MisbehavingServer.deadPort())/")) == .refused)
    #expect(kind(await carry("http://no-such-host.invalid/")) == .dns)
    #expect(kind(await carry(address)) == .badRequest)
  }

  @Test("A redirect to another origin is not followed, so that no key leaves", arguments: [301, 302, 303, 307, 308])
  func elsewhere(_ status: Int) async throws {
    let other = try MisbehavingServer([MisbehavingServer.good])
    let place = "http://127.0.0.1:\(other.port)/v1"
    let server = try MisbehavingServer([MisbehavingServer.answer("\(status) Moved", headers: ["Location: \(place)"])])
    for method in ["POST", "GET"] {
      let answer = try response(
        await carry("http://127.0.0.1:\(server.port)/", method: method, body: method == "GET" ? "" : "x"))
      #expect(answer == HTTPResponse(status: status, headers: [.init("location", place)]))
    }
    #expect(other.connections == 0)
  }

  @Test("Within one origin a redirect is followed that keeps the method, with body and key, and not for ever")
  func atHome() async throws {
    let server = try MisbehavingServer([
      MisbehavingServer.answer("307 Over there", headers: ["Location: /there"]),
      MisbehavingServer.answer("200 OK", "here"),
    ])
    #expect(try response(await carry("http://127.0.0.1:\(server.port)/", body: "abc")).body == Array("here".utf8))
    _ = try await server.requests.take("the first") { $0.number == 1 }
    let second = try #require(try await server.requests.take("the second") { $0.number == 2 })
    #expect(second.head.hasPrefix("POST /there ") && second.body == "abc")
    #expect(second.header("Authorization") == "Bearer sk-secret")
    let loop = try MisbehavingServer([MisbehavingServer.answer("308 Round", headers: ["Location: /"])])
    #expect(try response(await carry("http://127.0.0.1:\(loop.port)/", body: "abc")).status == 308)
    #expect(loop.connections == 4)
    let changing = try MisbehavingServer([MisbehavingServer.answer("302 Found", headers: ["Location: /"])])
    #expect(try response(await carry("http://127.0.0.1:\(changing.port)/", body: "abc")).status == 302)
    #expect(changing.connections == 1, "a POST becomes no GET")
  }

  @Test(
    "A request for a password is returned as a response, without a prompt",
    arguments: ["Basic realm=x", "Bearer", "Digest realm=x"])
  func passwords(_ demand: String) async throws {
    let server = try MisbehavingServer([
      MisbehavingServer.answer("401 Unauthorized", "no", headers: ["WWW-Authenticate: \(demand)"])
    ])
    #expect(try response(await carry("http://127.0.0.1:\(server.port)/")).status == 401)
    #expect(server.connections == 1)
  }

  @Test("A cancellation ends it and its connection at once")
  func cancelled() async throws {
    let server = try MisbehavingServer([.hold("")])
    let cancellation = HTTPCancellation()
    async let answer = carry("http://127.0.0.1:\(server.port)/", cancellation)
    _ = try await server.requests.take("the request") { _ in true }
    cancellation.set()
    #expect(kind(await answer) == .cancelled)
    _ = try await server.left.take("the carrier goes away") { _ in true }
    #expect(kind(await carry("http://127.0.0.1:\(server.port)/", cancellation)) == .cancelled, "before it begins")
    #expect(!cancellation.rest(1_000_000))
  }

  @Test(
    "A program that is not a carrier is reported as such",
    arguments: ["/usr/bin/false", "/usr/bin/yes", "/nonexistent/x", "/usr"])
  func noCarrier(_ path: String) async throws {
    let kind = kind(await carry("http://127.0.0.1:1/", limit: 1000, path: path))
    #expect(kind == (path == "/usr/bin/yes" ? .tooLarge : .carrier))
  }

  @Test("It ends with its input, even while it waits")
  func orphaned() async throws {
    let server = try MisbehavingServer([.hold("")])
    let process = try Spawned([Self.program], environment: Program.environment)
    let request = HTTPRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/", timeout: 3_600_000, limit: 10)
    _ = request.text.withUnsafeBytes { write(process.input, $0.baseAddress, $0.count) }
    _ = try await server.requests.take("the request") { _ in true }
    close(process.input)
    #expect(try await process.exitStatus() == .exited(0))
    close(process.output)
    close(process.error)
  }

  @Test(
    "Anything but a request is refused in the agreed form",
    arguments: [
      "{}\n", "hello\n", "[]\n",
      #"{"method":"GET","url":"http://a","headers":{"a":1},"bodyLength":0,"timeout":1,"limit":1}"# + "\n",
      #"{"method":"GET","url":"http://a","headers":{},"bodyLength":-1,"timeout":1,"limit":1}"# + "\n",
      #"{"method":"GET","url":"http://a","headers":{},"bodyLength":3,"timeout":1,"limit":1}"# + "\nab",
    ])
  func unusable(_ input: String) async throws {
    let finished = try await Program.runCarrier(input)
    #expect(finished.status == .exited(0))
    #expect(finished.output.hasPrefix(#"{"error":"badRequest""#))
    #expect(finished.error.isEmpty)
  }
}

extension Program {
  /// Runs the carrier with this input, and returns its output.
  fileprivate static func runCarrier(_ input: String) async throws -> Finished {
    try await command(["/bin/sh", "-c", "printf '%s' \"$2\" | \"$1\"", "sh", try path() + "-http", input])
  }
}
