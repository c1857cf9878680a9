/// `segments/digest-<name>/all.<generation>.jsonl`: the digests of the segments in the manifest of that generation. A
/// header line is followed by a table of each segment's hash and digest length, and then by the digests.
struct DigestFile: Sendable {
  /// The maximum size of a file that is used, in bytes.
  private static let longest = 1 << 28
  /// The size of a table row: a hash and a length.
  private static let stride = 36

  private let bytes: [UInt8]
  /// The range of each segment's digest, by the segment's hash.
  private let places: [SHA256Digest: Range<Int>]

  /// Its path within the segments folder.
  static func path(_ digest: Digest, generation: Int) -> String {
    CollectionName(ofDigests: digest.name).rawValue + "/" + fileName(generation: generation)
  }

  static func fileName(generation: Int) -> String { "\(MonthKey.allText).\(generation).jsonl" }

  /// The header line up to the checksum of what follows the line.
  private static func opening(_ digest: Digest, _ generation: Int) -> String {
    "{\"digest\":\"\(digest.name)\",\"version\":\"\(digest.version)\",\"generation\":\(generation),\"crc\":\""
  }

  private static let closing = "\"}\n"

  /// The offset of the content after the header line; nil when its checksum does not match.
  static func content(of bytes: UnsafeRawBufferPointer) -> Int? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end >= 10,
      bytes[(end - 2)...end].elementsEqual(closing.utf8),
      let checksum = FixedText.hexadecimal(bytes.loadUnaligned(fromByteOffset: end - 10, as: UInt64.self)),
      CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])) == checksum
    else { return nil }
    return end + 1
  }

  static func bytes(
    _ digest: Digest, generation: Int, _ sections: [(segment: SHA256Digest, content: ArraySlice<UInt8>)]
  ) -> [UInt8] {
    var rest = word(sections.count)
    rest.reserveCapacity(sections.reduce(4) { $0 + stride + $1.content.count })
    for section in sections { rest += section.segment.bytes + word(section.content.count) }
    for section in sections { rest += section.content }
    return Array((opening(digest, generation) + FixedText.digits(CRC32C.checksum(rest)) + closing).utf8) + rest
  }

  /// Nil unless the bytes are a valid file of this digest, version and generation.
  init?(_ bytes: [UInt8], _ digest: Digest, generation: Int) {
    guard bytes.starts(with: DigestFile.opening(digest, generation).utf8) else { return nil }
    var places: [SHA256Digest: Range<Int>] = [:]
    let isWhole = bytes.withUnsafeBytes { file -> Bool in
      guard let table = DigestFile.content(of: file), bytes.count >= table + 4 else { return false }
      let count = DigestFile.number(file, table)
      guard count <= (bytes.count - table - 4) / DigestFile.stride else { return false }
      places.reserveCapacity(count)
      var start = table + 4 + count * DigestFile.stride
      for index in 0..<count {
        let row = table + 4 + index * DigestFile.stride
        let end = start + DigestFile.number(file, row + 32)
        guard end <= bytes.count else { return false }
        places[SHA256Digest(octets: file, at: row)] = start..<end
        start = end
      }
      return start == bytes.count
    }
    guard isWhole else { return nil }
    self.bytes = bytes
    self.places = places
  }

  /// The file for a manifest; nil when it is missing, damaged or of another version.
  init?(_ digest: Digest, of base: StoreBase) {
    let folder = CollectionName(ofDigests: digest.name).rawValue
    guard base.generation > 0,
      let (bytes, failure) = try? base.loader.contents(folder, DigestFile.fileName(generation: base.generation)),
      failure == nil, bytes.count <= DigestFile.longest
    else { return nil }
    self.init(bytes, digest, generation: base.generation)
  }

  subscript(segment: SHA256Digest) -> ArraySlice<UInt8>? { places[segment].map { bytes[$0] } }

  private static func word(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { Array($0) }
  }

  private static func number(_ file: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
