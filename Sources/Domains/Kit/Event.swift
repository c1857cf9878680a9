import JSON

/// A notification, ready to be framed.
package struct Event: Sendable {
  package let method: StaticString
  /// The JSON text of its params.
  package let params: [UInt8]

  package init(_ method: StaticString, _ params: some JSONEncodable) {
    self.method = method
    self.params = params.json
  }
}
