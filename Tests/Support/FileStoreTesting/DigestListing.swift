import CivilTime
import FileStore
import Values

extension Digest {
  /// One that tells everything there is of the records of some collections.
  package static func listing(_ version: String = "1", of collections: [CollectionName]) -> Digest {
    Digest("listing", version: version, of: collections) { _, records in
      var writer = PackedWriter()
      records { record in
        writer.write(record.id.description.utf8)
        writer.write(Int(record.createdAt.milliseconds))
        writer.write(record.body.bytes)
        return true
      }
      return writer.bytes
    }
  }
}

extension Snapshot {
  /// How many months have a digest, and those whose digest is not what their records come to.
  package func examine(_ digest: Digest) -> (count: Int, wrong: [String]) {
    var (count, wrong) = (0, [String]())
    let digests = digests(digest)
    for collection in digest.collections {
      guard let span = span(of: collection) else { continue }
      var month = span.lowerBound.month
      while month.lowerBound <= span.upperBound {
        // The records first: of what is found to be damaged there is none.
        let made = digest.make(collection) { forEachRecord(in: collection, days: month, $0) }
        if let found = digests[collection, month.lowerBound] {
          count += 1
          if made.map({ $0.elementsEqual(found) }) != true { wrong.append("\(collection) from \(month.lowerBound)") }
        }
        month = month.upperBound.advanced(by: 1).month
      }
    }
    return (count, wrong)
  }
}
