import Values

/// What a domain wants to know of the records of a month without reading them: a pure function of those records, declared by the
/// domain and kept beside the segments. The bytes mean nothing to the store, and dropping them changes no answer.
package struct Digest: Sendable {
  /// Lends the records of a month, newest first, until its argument returns false.
  package typealias Records = (_ body: (borrowing Record) -> Bool) -> Void

  /// A word of ASCII letters, which no other digest has.
  package let name: String
  /// Names what the bytes mean: those of another version are not read. Without quotation marks.
  package let version: String
  /// The collections that it is made of, month by month.
  package let collections: [CollectionName]
  /// The bytes for the records of a collection in one month; nil when there can be none, and the records have to be read. They depend
  /// on the records alone.
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
  /// What the names of the folders of digests begin with, among those of the collections. Programs that know of no digests take their
  /// files for segments that nothing needs: they do not read them, and remove them when they tidy up or delete everything.
  private static let digestMark = "digest-"

  /// Whether it is not a collection, but a folder of digests.
  var isOfDigests: Bool { rawValue.hasPrefix(CollectionName.digestMark) }

  /// The folder of the digests of a name.
  init(ofDigests name: String) { self.init(CollectionName.digestMark + name) }
}
