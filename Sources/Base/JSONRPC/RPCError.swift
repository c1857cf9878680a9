/// The `error` member of a response.
package struct RPCError: Error, Sendable, Equatable {
  /// The error code.
  package let code: Int
  /// One sentence for people.
  package let message: String
  /// The JSON text of the `data` member.
  package let data: [UInt8]

  package init(code: Int, message: String, data: [UInt8]) {
    self.code = code
    self.message = message
    self.data = data
  }
}
