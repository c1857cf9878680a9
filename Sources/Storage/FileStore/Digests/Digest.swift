/// A summary of a month's records that saves a domain from reading them: a pure function of the records, declared by
/// the domain and stored beside the segments. The store does not interpret the bytes, and losing them changes no
/// answer.
package struct Digest: Sendable {
  /// Lends the records of a month, newest first, until its argument returns false.
  package typealias Records = (_ body: (borrowing Record) -> Bool) -> Void

  /// A unique word of ASCII letters.
  package let name: String
  /// Identifies the format of the bytes: those of another version are not read. Without quotation marks.
  package let version: String
  /// The collections that are summarised, month by month.
  package let collections: [CollectionName]
  /// The bytes for the records of a collection in one month, a function of the records alone; nil when there is no
  /// summary, so that the records must be read.
  package let make: @Sendable (_ collection: CollectionName, _ records: @escaping Records) -> [UInt8]?

  package init(
    _ name: String, version: String, of collections: [CollectionName],
    make: @escaping @Sendable (_ collection: CollectionName, _ records: @escaping Records) -> [UInt8]?
  ) {
    self.name = name
    self.version = version
    self.collections = collections
    self.make = make
  }
}

extension CollectionName {
  /// The prefix of digest folders among the collection folders. Programs without digests take their files for
  /// unreferenced segments: they do not read them, and remove them when cleaning up or erasing.
  private static let digestMark = "digest-"

  /// Whether it names a folder of digests instead of a collection.
  var isOfDigests: Bool { rawValue.hasPrefix(CollectionName.digestMark) }

  /// The folder of the digests of a name.
  init(ofDigests name: String) { self.init(CollectionName.digestMark + name) }
}
