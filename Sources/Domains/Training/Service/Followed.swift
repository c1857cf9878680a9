import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC

/// Something that follows from a few collections, kept until one of them changes. Dropping it changes no answer.
struct Followed<Value> {
  private var value: Value?
  private var revision = 0
  private var epoch = 0

  /// The value of the present, made where it is not known.
  ///
  /// - Parameter collections: What it follows from.
  mutating func current(
    _ context: Context, _ collections: [CollectionName], make: () throws(RPCError) -> Value
  ) throws(RPCError) -> Value {
    let present = try context.storeRevision()
    if let value, epoch == context.folder.epoch {
      let isCurrent =
        revision == present
        || (revision < present && context.changes(since: revision, of: collections, atMost: 0)?.isEmpty == true)
      if isCurrent {
        revision = present
        return value
      }
    }
    let made = try make()
    (value, revision, epoch) = (made, present, context.folder.epoch)
    return made
  }
}
