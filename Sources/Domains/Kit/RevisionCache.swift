import DaybookProtocol
import FileStore
import JSONRPC

/// Something that follows from the store, kept until what it follows from changes. Dropping it changes no answer.
@usableFromInline
package struct RevisionCache<Value> {
  @usableFromInline var value: Value?
  @usableFromInline var revision: Int
  @usableFromInline var epoch: Int

  /// Nothing yet.
  // Inlined, for without knowing `Value` the runtime looks its type up, and whether the keys of a dictionary are hashable.
  @inlinable
  @inline(__always)
  package init() {
    value = nil
    revision = 0
    epoch = 0
  }

  /// The value, of any revision, as long as nothing was exchanged since.
  package func latest(_ folder: DataFolder) -> Value? { epoch == folder.epoch ? value : nil }

  /// The value, as long as it is of the present.
  @inlinable package subscript(folder: DataFolder) -> Value? {
    get { revision == folder.seenRevision && epoch == folder.epoch ? value : nil }
    set { (value, revision, epoch) = (newValue, folder.seenRevision, folder.epoch) }
  }

  /// The value of the present: that which is known, where it can follow the changes of some collections since, else one that is made.
  ///
  /// - Parameters:
  ///   - collections: What it follows from.
  ///   - limit: How many changes it can follow; after more it is made.
  ///   - follow: Brings it to the present by the changes, if there are any.
  package mutating func current(
    _ context: Context, _ collections: [CollectionName], atMost limit: Int = 0,
    follow: (inout Value, [ChangedRecord]) throws(RPCError) -> Void = { _, _ in }, make: () throws(RPCError) -> Value
  ) throws(RPCError) -> Value {
    let present = try context.storeRevision()
    guard var known = latest(context.folder) else { return keep(try make(), present, context) }
    guard revision != present else { return known }
    // Held on to by nothing else while it follows: it would be copied as a whole.
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
