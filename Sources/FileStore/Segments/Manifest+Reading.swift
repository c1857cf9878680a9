import JSON

extension Manifest {
  /// Reads the file's text. Members it does not know are passed over.
  static func read(_ bytes: [UInt8]) -> ManifestReading<Manifest> {
    ManifestReading(bytes) { reader throws(JSONError) in
      var members = ManifestMembers()
      try members.read(&reader)
      try reader.finish()
      guard let manifest = members.manifest else {
        throw JSONError(.missingMember, at: 0, expected: "all members of a manifest")
      }
      return manifest
    }
  }
}

extension ManifestHead {
  /// Reads the beginning of the file's text; the checksum is that of all of it.
  static func read(_ bytes: [UInt8]) -> ManifestReading<ManifestHead> {
    ManifestReading(bytes) { reader throws(JSONError) in
      var members = ManifestMembers()
      try members.read(&reader, untilHead: true)
      guard let head = members.head else {
        throw JSONError(.missingMember, at: 0, expected: "the first members of a manifest")
      }
      return head
    }
  }
}

extension ManifestReading {
  /// Verifies the checksum, and reads what `body` wants unless a newer version forbids it.
  fileprivate init(_ bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Value) {
    self = bytes.withUnsafeBytes { file in
      let text = UnsafeRawBufferPointer(rebasing: file.dropLast())
      guard file.last == UInt8(ascii: "\n"), LineSuffix.isValid(text) else {
        return .damaged("the checksum does not fit")
      }
      var reader = JSONReader(text)
      reader.refusesUnknownMembers = false
      let result: ManifestReading
      do throws(JSONError) { result = .readable(try body(&reader)) } catch { result = .damaged(error.description) }
      // What a newer version wrote need not have the shape of ours; then it is not damaged.
      return ManifestMembers.obstacle(text).map { .newer($0) } ?? result
    }
  }
}
