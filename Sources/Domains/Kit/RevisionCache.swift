import FileStore
import JSONRPC

/// A cached value derived from the store. Dropping it changes no answer.
@usableFromInline
package struct RevisionCache<Value> {
  // Not `Value?`, which is nil before `init` sets it: destroying that takes the metadata of some types.
  @usableFromInline var value: Optional<Value>
  @usableFromInline var revision: Int
  @usableFromInline var epoch: Int

  /// Inlined: an unspecialized body would look up the type metadata of `Value` at run time.
  @inlinable
  @inline(__always)
  package init() {
    value = nil
    revision = 0
    epoch = 0
  }

  /// The cached value of any revision, unless the caches were invalidated.
  package func latest(_ folder: DataFolder) -> Value? { epoch == folder.epoch ? value : nil }

  /// The cached value if it is of the current revision.
  @inlinable package subscript(folder: DataFolder) -> Value? {
    get { revision == folder.seenRevision && epoch == folder.epoch ? value : nil }
    set { (value, revision, epoch) = (newValue, folder.seenRevision, folder.epoch) }
  }

  /// The value at the current revision: the cached one while no record of `collections` has changed, else a new one.
  package mutating func current(
    _ context: Context, _ collections: [CollectionName], make: () throws(RPCError) -> Value
  ) throws(RPCError) -> Value {
    let present = try context.storeRevision()
    guard let known = latest(context.folder) else { return keep(try make(), present, context) }
    guard revision != present else { return known }
    let isUnchanged = revision < present && context.changes(since: revision, of: collections, atMost: 0) != nil
    return keep(isUnchanged ? known : try make(), present, context)
  }

  private mutating func keep(_ known: Value, _ present: Int, _ context: Context) -> Value {
    (value, revision, epoch) = (known, present, context.folder.epoch)
    return known
  }
}
