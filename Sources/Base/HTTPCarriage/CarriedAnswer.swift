import JSON

/// What became of an HTTP request, as `daybook-http` writes it to its standard output: a line of JSON, and behind it the bytes of the body.
package enum CarriedAnswer: Sendable, Equatable {
  /// The server answered, with success or failure.
  case response(CarriedResponse)
  /// There is no whole answer.
  case failure(CarriedFailure)
}

/// The answer of an HTTP server.
package struct CarriedResponse: Sendable, Equatable {
  /// Three digits.
  package var status: Int
  /// Those that were wanted and came, their names in lower case.
  package var headers: [CarriedRequest.Header]
  package var body: [UInt8]

  package init(status: Int, headers: [CarriedRequest.Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of a header; `name` in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no answer.
package struct CarriedFailure: Error, Sendable, Equatable {
  /// The kinds of failure, by the names they are written with.
  package enum Kind: String, Sendable, CaseIterable {
    /// The host's name has no address.
    case dns
    /// Nobody listens, or there is no way there.
    case refused
    /// The connection broke before the answer was whole, or what came is no HTTP.
    case lost
    /// No connection that can be trusted.
    case tls
    case timedOut
    /// The body is longer than was allowed.
    case tooLarge
    /// The request cannot be sent as it is.
    case badRequest
    /// It is not wanted any more.
    case cancelled
    /// The carrier cannot be started, or does not keep to what was agreed.
    case carrier
  }

  package let kind: Kind
  /// One sentence for people; nothing of the request's headers or bodies.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension CarriedAnswer {
  /// Bytes of the longest first line that is read.
  package static let longestLine = 256 << 10

  /// As the carrier writes it.
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

  /// Reads what a carrier wrote up to its end; nil when it is not what was agreed, or not whole.
  package init?(reading text: [UInt8]) {
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")), end <= CarriedAnswer.longestLine,
      case .object(let object)? = try? JSONValue(json: Array(text[..<end]))
    else { return nil }
    if case .string(let name)? = object["error"] {
      guard let kind = CarriedFailure.Kind(rawValue: name) else { return nil }
      var message = ""
      if case .string(let text)? = object["message"] { message = text }
      self = .failure(CarriedFailure(kind, message))
      return
    }
    guard let status = object.integer("status"), (100...999).contains(status),
      let length = object.integer("bodyLength"), case .object(let headers)? = object["headers"],
      let found = [CarriedRequest.Header](headers)
    else { return nil }
    let body = text[(end + 1)...]
    guard body.count == length else { return nil }
    self = .response(CarriedResponse(status: status, headers: found, body: Array(body)))
  }
}
