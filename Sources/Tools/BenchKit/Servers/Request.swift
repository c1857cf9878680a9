import Foundation

/// A request that is sent many times; framed once, only its id changes.
package struct Request: Sendable {
  let method: String
  /// The frame, with nine digits for each occurrence of the id.
  private let template: [UInt8]
  private let places: [Int]

  /// The length of the frame in bytes.
  var count: Int { template.count }

  /// `{{i}}` in the params is replaced by the id.
  package init(_ method: String, _ params: String? = nil) {
    self.method = method
    let mark = "{{i}}"
    let rest = params.map { ",\"params\":\($0)" } ?? ""
    let body = "{\"jsonrpc\":\"2.0\",\"id\":\(mark),\"method\":\"\(method)\"\(rest)}"
    let parts = body.components(separatedBy: mark)
    let frame = Request.frame(parts.joined(separator: "000000000"))
    var places: [Int] = []
    var at = frame.count - body.utf8.count - 4 * (parts.count - 1)
    for part in parts.dropLast() {
      at += part.utf8.count
      places.append(at)
      at += 9
    }
    template = frame
    self.places = places
  }

  /// A message with its header block.
  static func frame(_ body: String) -> [UInt8] { Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8) }

  /// The frame of the request with an id.
  package func frame(_ id: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    append(id, to: &bytes)
    return bytes
  }

  /// Appends the frame of the request with an id.
  func append(_ id: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += template
    for place in places {
      var rest = id
      for index in (start + place..<start + place + 9).reversed() {
        bytes[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }
}

extension Spawned {
  /// Sends a request and returns its decoded result.
  @discardableResult
  package func request(_ method: String, _ params: String? = nil) throws(BenchError) -> Any {
    try request(Request(method, params))
  }

  @discardableResult
  package func request(_ request: Request) throws(BenchError) -> Any {
    stillAlive()
    let id = reserveIDs(1)
    try send(request.frame(id))
    while true {
      let body = try receive()
      guard let answer = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] else {
        throw .wrong("\(name) sent no JSON object: \(String(decoding: body.prefix(200), as: UTF8.self))")
      }
      guard answer["method"] == nil else { continue }
      guard answer["id"] as? Int == id, let result = answer["result"] else {
        throw .wrong("\(name) refused \(request.method): \(String(decoding: body.prefix(500), as: UTF8.self))")
      }
      return result
    }
  }
}
