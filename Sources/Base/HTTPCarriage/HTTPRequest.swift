import JSON

/// An HTTP request, which `daybook-http` reads from its standard input: a line of JSON, then the bytes of the body.
package struct HTTPRequest: Sendable, Equatable {
  /// `GET`, `POST`, …
  package var method: String
  /// The absolute URL.
  package var url: String
  /// The headers to send, in order.
  package var headers: [Header]
  package var body: [UInt8]
  /// The time limit for the whole exchange, in milliseconds.
  package var timeout: Int
  /// The maximum length of the response body, in bytes.
  package var limit: Int
  /// Lower-case names of the response headers to return.
  package var wantedHeaders: [String]

  /// A header of a request or response.
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

extension HTTPRequest {
  /// The maximum length of the first line, in bytes.
  package static let maximumLineLength = 256 << 10
  /// The maximum length of the request body, in bytes.
  package static let maximumBodyLength = 64 << 20

  /// The encoded form.
  package var text: [UInt8] {
    let line = JSONObject([
      ("method", .string(method)), ("url", .string(url)), ("headers", .object(headers.object)),
      ("bodyLength", .number(JSONNumber(body.count))), ("timeout", .number(JSONNumber(timeout))),
      ("limit", .number(JSONNumber(limit))), ("wantedHeaders", .array(wantedHeaders.map { .string($0) })),
    ])
    return JSONValue.object(line).json + [UInt8(ascii: "\n")] + body
  }

  /// Decodes the first line: the request without its body, and the body's length. Nil when it is malformed.
  package static func reading(_ line: [UInt8]) -> (request: HTTPRequest, bodyLength: Int)? {
    guard case .object(let object)? = try? JSONValue(json: line), case .string(let method)? = object["method"],
      case .string(let url)? = object["url"], case .object(let headers)? = object["headers"],
      let length = object.integer("bodyLength"), (0...maximumBodyLength).contains(length),
      let timeout = object.integer("timeout"), timeout > 0, let limit = object.integer("limit"), limit >= 0,
      let found = [Header](headers)
    else { return nil }
    var wanted: [String] = []
    if case .array(let names)? = object["wantedHeaders"] {
      wanted = names.compactMap { if case .string(let name) = $0 { name.lowercased() } else { nil } }
    }
    let request = HTTPRequest(
      method: method, url: url, headers: found, timeout: timeout, limit: limit, wantedHeaders: wanted)
    return (request, length)
  }
}

extension [HTTPRequest.Header] {
  /// The headers in an object of strings; nil when another value is in it.
  init?(_ object: JSONObject) {
    self = []
    for member in object.members {
      guard case .string(let value) = member.value else { return nil }
      append(HTTPRequest.Header(member.name, value))
    }
  }

  /// The headers as an object; the last of several with one name wins.
  var object: JSONObject { JSONObject(map { ($0.name, .string($0.value)) }) }
}

extension JSONObject {
  /// The value of an integer member.
  func integer(_ name: String) -> Int? {
    if case .number(let number)? = self[name] { number.integer } else { nil }
  }
}
