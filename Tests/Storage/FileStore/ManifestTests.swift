import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite(.simulated)
struct ManifestTests {
  /// The documented manifest; stores that have it must open for ever.
  private let golden = [
    #"{"manifest":1,"generation":7,"store":"00000000-0000-0001-0000-000000000002","revision":1234,"minWriter":1,"#,
    #""features":{"compatible":[],"incompatible":[]},"#, "\n",
    #""journal":9,"#, "\n",
    #""start":{"beginning":1286029192,"revision":1234,"journal":9,"#,
    #""undated":[{"collection":"settings","month":"all","generation":6,"#,
    #""count":1,"bytes":300,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","#,
    #""minRevision":1234,"maxRevision":1234}],"dated":["meals"],"crc":"67565347"},"#, "\n",
    #""history":["#, "\n",
    #"{"number":7,"bytes":5,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","#,
    #""firstRevision":1001,"lastRevision":1100},"#, "\n",
    #"{"number":8,"bytes":6,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","#,
    #""firstRevision":1101,"lastRevision":1234}],"#, "\n",
    #""segments":["#, "\n",
    #"{"collection":"meals","month":"2026-01","generation":3,"count":4,"bytes":999,"#,
    #""sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","#,
    #""minRevision":17,"maxRevision":1200},"#, "\n",
    #"{"collection":"settings","month":"all","generation":6,"count":1,"bytes":300,"#,
    #""sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","#,
    #""minRevision":1234,"maxRevision":1234}],"crc":"62426dac"}"#, "\n",
  ].joined()

  private let abc = SHA256.hash(Array("abc".utf8))
  private let nothing = SHA256.hash([])

  private func sample() throws -> Manifest {
    Manifest(
      generation: 7, store: EntityID(high: 1, low: 2), revision: 1234, journal: 9,
      history: [
        .init(number: 7, bytes: 5, sha256: abc, firstRevision: 1001, lastRevision: 1100),
        .init(number: 8, bytes: 6, sha256: nothing, firstRevision: 1101, lastRevision: 1234),
      ],
      segments: [
        SegmentEntry(
          key: try segmentKey(), generation: 3, count: 4, bytes: 999, sha256: abc, minRevision: 17, maxRevision: 1200),
        SegmentEntry(
          key: try segmentKey("all", CollectionName("settings")), generation: 6, count: 1, bytes: 300, sha256: nothing,
          minRevision: 1234, maxRevision: 1234),
      ])
  }

  /// The golden text with a part replaced, and a matching checksum.
  private func changed(_ old: String, _ new: String) -> [UInt8] {
    #expect(golden.contains(old))
    return line(String(golden.replacing(old, with: new).dropLast(LineSuffix.length + 1)))
  }

  @Test("The file has the documented form, and is read back")
  func goldenFile() throws {
    #expect(String(decoding: try sample().bytes, as: UTF8.self) == golden)
    #expect(Manifest.read(Array(golden.utf8)) == .readable(try sample()))
    #expect(ManifestHead.read(Array(golden.utf8)) == .readable(try sample().head))
    #expect(try sample().isWritable)
  }

  @Test("A manifest from before there was a line for the start is read as ever, but not by a start")
  func withoutStart() throws {
    let line = try #require(golden.split(separator: "\n").first { $0.hasPrefix("\"start\"") })
    let older = changed(line + "\n", "")
    #expect(Manifest.read(older) == .readable(try sample()))
    #expect(ManifestStart(beginning: older) == nil)
  }

  @Test("A start reads the beginning alone; whatever is wrong there leaves it to reading everything")
  func start() throws {
    let bytes = Array(golden.utf8)
    let expected = try #require(ManifestStart(beginning: bytes))
    #expect(expected.revision == 1234 && expected.journal == 9)
    #expect(expected.dated == ["meals"])
    #expect(expected.undated.map(\.fileName) == ["all.6.jsonl"])
    let end = try #require(golden.utf8Offset(of: "\"history\""))
    for index in bytes.indices {
      #expect(ManifestStart(beginning: Array(bytes[..<index])) == (index < end ? nil : expected))
      for flip: UInt8 in [1, 0x20, 0x80, 0xFF, bytes[index] ^ 0x0A] where flip != 0 {
        var damaged = bytes
        damaged[index] ^= flip
        let found = ManifestStart(beginning: damaged)
        #expect(index < end - 2 ? found == nil : found == expected || found == nil, "byte \(index)")
      }
    }
    for newer in [(#""manifest":1"#, #""manifest":2"#), (#""incompatible":[]"#, #""incompatible":["encrypted"]"#)] {
      #expect(ManifestStart(beginning: changed(newer.0, newer.1)) == nil)
    }
  }

  @Test("An empty manifest is read back, with one line per list")
  func empty() {
    let manifest = Manifest(generation: 1, store: EntityID(high: 0, low: 0), revision: 0, journal: 1)
    #expect(Manifest.read(manifest.bytes) == .readable(manifest))
    #expect(String(decoding: manifest.bytes, as: UTF8.self).split(separator: "\n").count == 5)
  }

  @Test("Segments are written in order, from any order given")
  func order() throws {
    var shuffled = try sample()
    shuffled.segments.reverse()
    #expect(shuffled.bytes == (try sample().bytes))
  }

  @Test("Every flip of a byte and every cut is found; nothing traps")
  func damage() throws {
    let bytes = Array(golden.utf8)
    for index in bytes.indices {
      for flip: UInt8 in [1, 0x20, 0x80, 0xFF, bytes[index] ^ 0x0A] where flip != 0 {
        var damaged = bytes
        damaged[index] ^= flip
        if case .damaged = Manifest.read(damaged), case .damaged = ManifestHead.read(damaged) { continue }
        Issue.record("bits \(flip) of byte \(index) were not found")
      }
      if case .damaged = Manifest.read(Array(bytes[..<index])),
        case .damaged = ManifestHead.read(Array(bytes[..<index]))
      {
        continue
      }
      Issue.record("a cut at byte \(index) was not found")
    }
  }

  @Test("Any text with a valid checksum is read, refused or left to newer versions; nothing traps", arguments: 0..<4)
  func garbage(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let text = golden.dropLast(LineSuffix.length + 1)
    for _ in 0..<500 {
      var bytes = Array(text.utf8)
      for _ in 0...Int(generator.next() % 3) {
        let start = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 3 {
        case 0: bytes[start] = UInt8(truncatingIfNeeded: generator.next() & 0x7F)
        case 1: bytes.removeSubrange(start..<min(bytes.count, start + Int(generator.next() % 40)))
        default: bytes.insert(contentsOf: bytes[start...].prefix(Int(generator.next() % 40)), at: start)
        }
      }
      let file = line(String(decoding: bytes, as: UTF8.self))
      if case .readable(let manifest) = Manifest.read(file) {
        var known = manifest
        known.hasUnknownMembers = false
        #expect(Manifest.read(manifest.bytes) == .readable(known))
        #expect(ManifestHead.read(file) == .readable(manifest.head))
      }
    }
  }

  @Test(
    "Unknown members are skipped and reported",
    arguments: [
      (#""journal":9"#, #""journal":9,"new":{"a":[1,{"b":null}]}"#),
      (#""compatible":[]"#, #""new":[],"compatible":[]"#),
      (#"{"number":7"#, #"{"tags":["x"],"number":7"#), (#""maxRevision":1200"#, #""maxRevision":1200,"new":"x""#),
    ])
  func unknownMembers(_ old: String, _ new: String) throws {
    var expected = try sample()
    expected.hasUnknownMembers = true
    #expect(Manifest.read(changed(old, new)) == .readable(expected))
    #expect(ManifestHead.read(changed(old, new)) == .readable(expected.head))
  }

  @Test(
    "Entries are read in the written layout as in any other",
    arguments: [
      (#""month":"2026-01""#, #""month": "2026-01""#), (#""count":4,"bytes":999"#, #""bytes":999,"count":4"#),
      (#"{"collection":"meals""#, #"{"\u0063ollection":"meals""#), (#""bytes":999,"#, #""bytes":999 ,"#),
    ])
  func otherLayout(_ old: String, _ new: String) throws {
    #expect(Manifest.read(changed(old, new)) == .readable(try sample()))
  }

  @Test("Whatever an entry is changed to, reading it in the written layout agrees with parsing it")
  func changedEntries() throws {
    let line = try #require(golden.split(separator: "\n").first { $0.hasPrefix("{\"collection\"") })
    let entry = Array(line.utf8.dropLast())
    var generator = SeededGenerator(seed: 3)
    var read = 0
    for _ in 0..<4000 {
      var text = entry
      let index = Int.random(in: text.indices, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: text[index] = UInt8.random(in: 0x20..<0x7F, using: &generator)
      case 1: text[index] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &generator)
      case 2: text.remove(at: index)
      default: text.insert(text[index], at: index)
      }
      let plain = text.withUnsafeBytes { bytes -> SegmentEntry? in
        guard let base = bytes.baseAddress else { return nil }
        var reader = PlainReader(base: base, end: bytes.count)
        return SegmentEntry(plain: &reader, after: nil).flatMap { reader.at == bytes.count ? $0 : nil }
      }
      guard let plain else { continue }
      read += 1
      #expect(try SegmentEntry(reading: text) == plain)
    }
    #expect(read > 100)
  }

  @Test("Members may be in any order")
  func anyOrder() throws {
    let parts = golden.dropLast(LineSuffix.length + 1).dropFirst().split(separator: "\"journal\":9,\n")
    let file = line("{\"journal\":9," + parts[1] + "," + parts[0].dropLast(2))
    #expect(Manifest.read(file) == .readable(try sample()))
    #expect(ManifestHead.read(file) == .readable(try sample().head))
  }

  @Test(
    "A manifest only a newer version can read is neither read nor damaged",
    arguments: [
      (#""manifest":1"#, #""manifest":2"#), (#""incompatible":[]"#, #""incompatible":["encrypted"]"#),
      (#""manifest":1,"generation":7"#, #""generation":"seven","manifest":2"#),
      (#""incompatible":[]},"#, #""incompatible":["columns"]},"segments":{},"#),
      (#""manifest":1,"#, #""manifest":1,"history":[7],"#),
    ])
  func newer(_ old: String, _ new: String) {
    let file = changed(old, new)
    let isDamaged = new.contains("[7]")
    switch Manifest.read(file) {
    case .newer: #expect(!isDamaged)
    case .damaged: #expect(isDamaged)
    case .readable: Issue.record("it was read")
    }
  }

  @Test(
    "A manifest that only a newer version may write can be read",
    arguments: [
      (#""minWriter":1"#, #""minWriter":2"#, false), (#""minWriter":1"#, #""minWriter":0"#, true),
      (#""compatible":[]"#, #""compatible":["tags"]"#, false),
    ])
  func readOnly(_ old: String, _ new: String, _ isWritable: Bool) throws {
    guard case .readable(let manifest) = Manifest.read(changed(old, new)) else {
      Issue.record("it was not read")
      return
    }
    #expect(manifest.isWritable == isWritable)
    #expect(manifest.segments == (try sample().segments))
  }

  @Test(
    "A wrong value is damage, even with a valid checksum",
    arguments: [
      (#""generation":7"#, #""generation":0"#), (#""revision":1234"#, #""revision":-1"#),
      (#""journal":9"#, #""journal":0"#),
      (#""journal":9,"#, ""), (#""month":"2026-01""#, #""month":"2026-13""#),
      (#""collection":"meals""#, #""collection":"..""#),
      (#""collection":"meals""#, #""collection":"settings""#), (#""collection":"meals""#, #""collection":"zz""#),
      (#""month":"2026-01","#, ""), (#""count":4,"#, ""), (#"ba78"#, "BA78"), (#""bytes":999"#, #""bytes":9.5"#),
      (#""minRevision":17,"#, #""minRevision":17,"minRevision":17,"#), (#""features":{"#, #""features":[],"x":{"#),
    ])
  func wrongValues(_ old: String, _ new: String) {
    if case .damaged = Manifest.read(changed(old, new)) { return }
    Issue.record("it was read")
  }
}

extension String {
  /// The offset in UTF-8 of the first occurrence of a text; nil when there is none.
  fileprivate func utf8Offset(of text: String) -> Int? {
    firstRange(of: text).map { utf8.distance(from: utf8.startIndex, to: $0.lowerBound) }
  }
}
