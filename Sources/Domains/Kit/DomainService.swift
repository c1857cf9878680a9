import DaybookProtocol
import FileStore
import JSON
import JSONRPC

/// What answers the requests of a domain. It owns what the domain remembers; which handler a request has is generated.
package protocol DomainService: AnyObject {
  /// What the store is to keep of the domain's months beside their records.
  static func digests(_ migrations: RecordMigrations) -> [Digest]

  /// Answers a request: decodes its params, calls its handler, writes the result.
  func dispatch(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context, _ writer: inout JSONWriter
  ) throws(RPCError)

  /// Begins to answer a heavy request.
  func heavy(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<JSONFragment<JSONValue>>
}

extension DomainService {
  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [] }

  /// Decodes params, or says what is wrong with them.
  package func decode<Params: JSONDecodable>(_ type: Params.Type, _ reader: inout JSONReader) throws(RPCError) -> Params
  {
    do throws(JSONError) { return try Params(from: &reader) } catch { throw RPCError(params: error, in: reader.text) }
  }
}
