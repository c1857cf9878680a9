import JSON

/// The outcome of an HTTP request, which `daybook-http` writes to its standard output: a line of JSON, then the bytes
/// of the body.
package enum HTTPOutcome: Sendable, Equatable {
  /// A complete response of any status.
  case response(HTTPResponse)
  /// No complete response.
  case failure(HTTPFailure)
}

/// The response of an HTTP server.
package struct HTTPResponse: Sendable, Equatable {
  /// The status code, 100…999.
  package var status: Int
  /// The requested headers that the response had, with lower-case names.
  package var headers: [HTTPRequest.Header]
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPRequest.Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of a header; `name` in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no response.
package struct HTTPFailure: Error, Sendable, Equatable {
  /// The kinds of failure; their raw values are written to the pipe.
  package enum Kind: String, Sendable, CaseIterable {
    /// The host name does not resolve.
    case dns
    /// The connection was refused, or there is no route.
    case refused
    /// The connection broke before the response was complete, or the response is not HTTP.
    case lost
    /// No trusted TLS connection.
    case tls
    case timedOut
    /// The response body exceeds the limit.
    case tooLarge
    /// The request is not valid.
    case badRequest
    /// The request was cancelled.
    case cancelled
    /// `daybook-http` cannot be started, or violates the pipe protocol.
    case carrier
  }

  package let kind: Kind
  /// One sentence for people, without any of the request's headers or bodies.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension HTTPOutcome {
  /// The maximum length of the first line, in bytes.
  package static let maximumLineLength = 256 << 10

  /// The encoded form.
  package var text: [UInt8] {
    switch self {
    case .response(let response):
      let line = JSONObject([
        ("status", .number(JSONNumber(response.status))), ("headers", .object(response.headers.object)),
        ("bodyLength", .number(JSONNumber(response.body.count))),
      ])
      return JSONValue.object(line).json + [UInt8(ascii: "\n")] + response.body
    case .failure(let failure):
      let line = JSONObject([("error", .string(failure.kind.rawValue)), ("message", .string(failure.message))])
      return JSONValue.object(line).json + [UInt8(ascii: "\n")]
    }
  }

  /// Decodes the complete output of `daybook-http`; nil when it is malformed or incomplete.
  package init?(reading text: [UInt8]) {
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")), end <= HTTPOutcome.maximumLineLength,
      case .object(let object)? = try? JSONValue(json: Array(text[..<end]))
    else { return nil }
    if case .string(let name)? = object["error"] {
      guard let kind = HTTPFailure.Kind(rawValue: name) else { return nil }
      var message = ""
      if case .string(let text)? = object["message"] { message = text }
      self = .failure(HTTPFailure(kind, message))
      return
    }
    guard let status = object.integer("status"), (100...999).contains(status),
      let length = object.integer("bodyLength"), case .object(let headers)? = object["headers"],
      let found = [HTTPRequest.Header](headers)
    else { return nil }
    let body = text[(end + 1)...]
    guard body.count == length else { return nil }
    self = .response(HTTPResponse(status: status, headers: found, body: Array(body)))
  }
}
