import FileStore
import JSONRPC

/// A cached value derived from the store. Dropping it changes no answer.
@usableFromInline
package struct RevisionCache<Value> {
  @usableFromInline var value: Value?
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

  /// The value at the current revision: the cached one, brought up to date by `follow` where possible, else a new one.
  ///
  /// - Parameters:
  ///   - collections: The collections it is derived from.
  ///   - limit: The most changes to follow; after more it is made again.
  ///   - follow: Applies the changes to the cached value.
  package mutating func current(
    _ context: Context, _ collections: [CollectionName], atMost limit: Int = 0,
    follow: (inout Value, [ChangedRecord]) throws(RPCError) -> Void = { _, _ in }, make: () throws(RPCError) -> Value
  ) throws(RPCError) -> Value {
    let present = try context.storeRevision()
    guard var known = latest(context.folder) else { return keep(try make(), present, context) }
    guard revision != present else { return known }
    // No other reference may remain, or `follow` would copy the value.
    value = nil
    if revision < present, let changes = context.changes(since: revision, of: collections, atMost: limit) {
      try follow(&known, changes)
    } else {
      known = try make()
    }
    return keep(known, present, context)
  }

  private mutating func keep(_ known: Value, _ present: Int, _ context: Context) -> Value {
    (value, revision, epoch) = (known, present, context.folder.epoch)
    return known
  }
}
