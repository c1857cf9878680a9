import JSON

extension Manifest: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try head.code(&members)
    members.breakLine()
    var start = ManifestStart(head, segments)
    try members.value("start", &start, .optional)
    members.breakLine()
    try members.list("history", &history, isLong: true, .required)
    members.breakLine()
    try members.list("segments", &segments, isLong: true, .required)
  }

  var flaw: String? {
    let isAscending = segments.indices.dropFirst().allSatisfy { segments[$0 - 1].key < segments[$0].key }
    return isAscending ? nil : "segments in ascending order, each once"
  }

  /// The file's text: one object, with a line for each segment so that it is readable.
  var bytes: [UInt8] {
    var sorted = self
    sorted.segments.sort { $0.key < $1.key }
    return sorted.text(capacity: 512 + 256 * (segments.count + history.count))
  }

  /// Reads the file's text; unknown members are skipped.
  static func read(_ bytes: [UInt8]) -> ManifestReading<Manifest> {
    ManifestReading(bytes) { reader throws(JSONError) in
      var manifest: Manifest = try reader.readAll()
      manifest.hasUnknownMembers = reader.hasUnknownMembers
      return manifest
    }
  }
}

extension ManifestHead: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("manifest", &format, in: 1...(.max))
    try members.number("generation", &generation, in: 1...(.max))
    try members.value("store", &store)
    try members.value("revision", &revision)
    try members.value("minWriter", &minWriter)
    try members.object("features", &features, .required)
    members.breakLine()
    try members.number("journal", &journal, in: 1...(.max))
  }

  /// Reads only the beginning of the file's text, but verifies the checksum of all of it.
  static func read(_ bytes: [UInt8]) -> ManifestReading<ManifestHead> {
    ManifestReading(bytes) { reader throws(JSONError) in try reader.readBeginning() }
  }
}

extension ManifestHead.Features: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("compatible", &compatible, .optional)
    try members.value("incompatible", &incompatible, .optional)
  }
}

extension Manifest.HistoryEntry: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("number", &number, in: 1...(.max))
    try members.value("bytes", &bytes)
    try members.value("sha256", &sha256)
    try members.value("firstRevision", &firstRevision)
    try members.value("lastRevision", &lastRevision)
  }

  init?(plain text: inout PlainReader, after previous: Manifest.HistoryEntry?) {
    guard text.skip("{\"number\":"), let number = text.number(), number > 0, text.skip(",\"bytes\":"),
      let bytes = text.number(), text.skip(",\"sha256\":\""), let sha256 = text.sha256(),
      text.skip("\",\"firstRevision\":"), let firstRevision = text.number(), text.skip(",\"lastRevision\":"),
      let lastRevision = text.number(), text.skip("}")
    else { return nil }
    self.init(number: number, bytes: bytes, sha256: sha256, firstRevision: firstRevision, lastRevision: lastRevision)
  }
}

/// The members that identify a newer version's manifest of any shape.
private struct ManifestVersion: Document {
  var format = 0
  var features = ManifestHead.Features()

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("manifest", &format, in: 1...(.max))
    try members.object("features", &features, .required)
  }

  /// Why a newer version's text must not be read; nil when it may.
  static func obstacle(_ text: UnsafeRawBufferPointer) -> String? {
    var version = ManifestVersion()
    // Reads as far as possible: the shape may differ before the segments.
    if var reader = try? DocumentReader(text) { try? reader.readBeginning(of: &version) }
    if version.format > Manifest.currentFormat { return "it has format \(version.format)" }
    let unknown = version.features.unknown
    return unknown.isEmpty ? nil : "it uses \(unknown.joined(separator: ", "))"
  }
}

extension ManifestReading {
  /// Verifies the checksum and reads the value, unless a newer version forbids it.
  fileprivate init(_ bytes: [UInt8], _ body: (inout DocumentReader) throws(JSONError) -> Value) {
    self = bytes.withUnsafeBytes { file in
      let text = UnsafeRawBufferPointer(rebasing: file.dropLast())
      guard file.last == UInt8(ascii: "\n"), LineSuffix.isValid(text) else {
        return .damaged("the checksum does not match")
      }
      let result: ManifestReading
      do throws(JSONError) {
        var reader = try DocumentReader(text)
        result = .readable(try body(&reader))
      } catch { result = .damaged(error.description) }
      // A newer version's text may have another shape, and is then not damaged.
      return ManifestVersion.obstacle(text).map { .newer($0) } ?? result
    }
  }
}
