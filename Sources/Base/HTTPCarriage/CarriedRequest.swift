import JSON

/// One HTTP request as `daybook-http` reads it from its standard input: a line of JSON, and behind it the bytes of the body.
package struct CarriedRequest: Sendable, Equatable {
  /// `GET`, `POST`, …
  package var method: String
  /// Where to, with scheme.
  package var url: String
  /// Headers to send, in order.
  package var headers: [Header]
  package var body: [UInt8]
  /// How long all of it may take, in milliseconds.
  package var timeout: Int
  /// Bytes of the longest body that is taken back.
  package var limit: Int
  /// The names of the headers wanted back, in lower case.
  package var wantedHeaders: [String]

  /// A header of a request or an answer.
  package struct Header: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    method: String, url: String, headers: [Header] = [], body: [UInt8] = [], timeout: Int, limit: Int,
    wantedHeaders: [String] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.limit = limit
    self.wantedHeaders = wantedHeaders
  }
}

extension CarriedRequest {
  /// Bytes of the longest first line that is read.
  package static let longestLine = 256 << 10
  /// Bytes of the longest body that is sent.
  package static let longestBody = 64 << 20

  /// As it goes to the carrier.
  package var text: [UInt8] {
    let line = JSONObject([
      ("method", .string(method)), ("url", .string(url)), ("headers", .object(headers.object)),
      ("bodyLength", .number(JSONNumber(body.count))), ("timeout", .number(JSONNumber(timeout))),
      ("limit", .number(JSONNumber(limit))), ("wantedHeaders", .array(wantedHeaders.map { .string($0) })),
    ])
    return JSONValue.object(line).json + [UInt8(ascii: "\n")] + body
  }

  /// Reads the first line. Returns the request without its body, and how many bytes of it follow; nil when it is not what was agreed.
  package static func reading(_ line: [UInt8]) -> (request: CarriedRequest, bodyLength: Int)? {
    guard case .object(let object)? = try? JSONValue(json: line), case .string(let method)? = object["method"],
      case .string(let url)? = object["url"], case .object(let headers)? = object["headers"],
      let length = object.integer("bodyLength"), (0...longestBody).contains(length),
      let timeout = object.integer("timeout"), timeout > 0, let limit = object.integer("limit"), limit >= 0,
      let found = [Header](headers)
    else { return nil }
    var wanted: [String] = []
    if case .array(let names)? = object["wantedHeaders"] {
      wanted = names.compactMap { if case .string(let name) = $0 { name.lowercased() } else { nil } }
    }
    let request = CarriedRequest(
      method: method, url: url, headers: found, timeout: timeout, limit: limit, wantedHeaders: wanted)
    return (request, length)
  }
}

extension [CarriedRequest.Header] {
  /// The headers of an object of texts; nil when something else is in it.
  init?(_ object: JSONObject) {
    self = []
    for member in object.members {
      guard case .string(let value) = member.value else { return nil }
      append(CarriedRequest.Header(member.name, value))
    }
  }

  /// As an object; of two with one name the later.
  var object: JSONObject { JSONObject(map { ($0.name, .string($0.value)) }) }
}

extension JSONObject {
  /// A member that is an integer.
  func integer(_ name: String) -> Int? {
    if case .number(let number)? = self[name] { number.integer } else { nil }
  }
}
