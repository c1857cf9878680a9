import JSON
import Values

/// The members of a manifest, as far as they have been read.
struct ManifestMembers {
  var format: Int?
  var generation: Int?
  var store: EntityID?
  var revision: Int?
  var minWriter: Int?
  var features: Manifest.Features?
  var journal: Int?
  var history: [Manifest.HistoryEntry]?
  var segments: [SegmentEntry]?
  var hasUnknownMembers = false

  var head: ManifestHead? {
    guard format != nil, let generation, let store, let revision, let minWriter, let features, let journal else {
      return nil
    }
    return ManifestHead(
      generation: generation, store: store, revision: revision, minWriter: minWriter, features: features,
      journal: journal)
  }

  var manifest: Manifest? {
    guard let head, let history, let segments else { return nil }
    return Manifest(
      generation: head.generation, store: head.store, revision: head.revision, minWriter: head.minWriter,
      features: head.features, journal: head.journal, history: history, segments: segments,
      hasUnknownMembers: hasUnknownMembers)
  }

  /// Why the text is a newer version's own; nil when it is not.
  static func obstacle(_ text: UnsafeRawBufferPointer) -> String? {
    var members = ManifestMembers()
    var reader = JSONReader(text)
    reader.refusesUnknownMembers = false
    // As far as it can be read: that may end before the segments.
    _ = try? members.readMarks(&reader)
    if let format = members.format, format > Manifest.currentFormat { return "it has format \(format)" }
    let unknown = members.features?.unknownIncompatible ?? []
    return unknown.isEmpty ? nil : "it makes use of \(unknown.joined(separator: ", "))"
  }

  /// Reads what tells a newer version's manifest, wherever it stands, and nothing else.
  private mutating func readMarks(_ reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    while format == nil || features == nil, try reader.nextMember(&object) {
      if try reader.member("manifest", 0, &object) {
        format = try reader.int(in: 1...(.max))
      } else if try reader.member("features", 5, &object) {
        features = try readFeatures(&reader)
      } else {
        try reader.unknownMember(&object, known: "")
      }
    }
  }

  /// Reads all members, or only until those of the head are complete.
  mutating func read(_ reader: inout JSONReader, untilHead: Bool = false) throws(JSONError) {
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("manifest", 0, &object) {
        format = try reader.int(in: 1...(.max))
      } else if try reader.member("generation", 1, &object) {
        generation = try reader.int(in: 1...(.max))
      } else if try reader.member("store", 2, &object) {
        store = try reader.string(as: "a UUID") { EntityID(utf8: $0) }
      } else if try reader.member("revision", 3, &object) {
        revision = try reader.int(in: 0...(.max))
      } else if try reader.member("minWriter", 4, &object) {
        minWriter = try reader.int(in: 0...(.max))
      } else if try reader.member("features", 5, &object) {
        features = try readFeatures(&reader)
      } else if try reader.member("journal", 6, &object) {
        journal = try reader.int(in: 1...(.max))
      } else if try reader.member("history", 7, &object) {
        history = try readHistory(&reader)
      } else if try reader.member("segments", 8, &object) {
        segments = try readSegments(&reader)
      } else if try reader.member("crc", 9, &object) {
        try reader.skipValue()
      } else {
        try pass(&reader, &object)
      }
      if untilHead, head != nil { return }
    }
  }

  /// Passes over a member that is not known, and takes note of it.
  mutating func pass(_ reader: inout JSONReader, _ object: inout JSONObjectCursor) throws(JSONError) {
    hasUnknownMembers = true
    try reader.unknownMember(&object, known: "")
  }

  private mutating func readFeatures(_ reader: inout JSONReader) throws(JSONError) -> Manifest.Features {
    var features = Manifest.Features()
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("compatible", 0, &object) {
        features.compatible = try reader.array()
      } else if try reader.member("incompatible", 1, &object) {
        features.incompatible = try reader.array()
      } else {
        try pass(&reader, &object)
      }
    }
    return features
  }
}
