import JSON
import Values

extension Manifest {
  /// The file's text: one object, with a line for each segment so that a person can read it.
  var bytes: [UInt8] {
    var writer = JSONWriter(capacity: 512 + 256 * (segments.count + history.count))
    writer.beginObject()
    writer.name("manifest")
    writer.write(Manifest.currentFormat)
    writer.name("generation")
    writer.write(generation)
    writer.name("store")
    writer.writeText(room: 36) {
      store.write(to: $0)
      return 36
    }
    writer.name("revision")
    writer.write(revision)
    writer.name("minWriter")
    writer.write(minWriter)
    writer.name("features")
    writer.beginObject()
    writer.name("compatible")
    features.compatible.encode(to: &writer)
    writer.name("incompatible")
    features.incompatible.encode(to: &writer)
    writer.endObject()
    writer.append(",\n\"journal\":")
    writer.write(journal)
    writer.append(",\n\"history\":[")
    for (index, entry) in history.enumerated() {
      writer.append(index == 0 ? "\n" : ",\n")
      entry.encode(to: &writer)
    }
    writer.append("],\n\"segments\":[")
    for (index, entry) in segments.sorted(by: { $0.key < $1.key }).enumerated() {
      writer.append(index == 0 ? "\n" : ",\n")
      entry.encode(to: &writer)
    }
    writer.append("]")
    LineSuffix.close(&writer)
    return writer.bytes
  }
}

extension Manifest.HistoryEntry {
  fileprivate func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("number")
    writer.write(number)
    writer.name("bytes")
    writer.write(bytes)
    writer.name("sha256")
    sha256.encode(to: &writer)
    writer.name("firstRevision")
    writer.write(firstRevision)
    writer.name("lastRevision")
    writer.write(lastRevision)
    writer.endObject()
  }
}

extension SegmentEntry {
  fileprivate func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("collection")
    writer.write(key.collection.rawValue)
    writer.name("month")
    writer.write(key.monthText)
    writer.name("generation")
    writer.write(generation)
    writer.name("count")
    writer.write(count)
    writer.name("bytes")
    writer.write(bytes)
    writer.name("sha256")
    sha256.encode(to: &writer)
    writer.name("minRevision")
    writer.write(minRevision)
    writer.name("maxRevision")
    writer.write(maxRevision)
    writer.endObject()
  }
}
