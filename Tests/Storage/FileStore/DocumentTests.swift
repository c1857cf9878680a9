import JSON
import Testing
import Values

@testable import FileStore

@Suite("Documents")
struct DocumentTests {
  private let header = SegmentFooter(count: 3, bytes: 90, sha256: SHA256.hash([]))

  private func text(_ document: some Document) -> String {
    String(decoding: document.text().dropLast(LineSuffix.length + 1), as: UTF8.self) + "}"
  }

  private func read(_ text: String) -> SegmentFooter? {
    Array(text.utf8).withUnsafeBytes { try? SegmentFooter(reading: $0) }
  }

  @Test("What is written is read, with its checksum")
  func roundTrip() throws {
    #expect(try SegmentFooter(checking: header.text()) == header)
    for index in header.text().indices {
      var damaged = header.text()
      damaged[index] ^= 1
      #expect(throws: DocumentDamage.self) { try SegmentFooter(checking: damaged) }
    }
  }

  @Test("Members may be in any order, and undeclared ones are skipped")
  func anyOrder() {
    let members = text(header).dropFirst().dropLast().split(separator: ",").map(String.init)
    #expect(members.count == 4)
    for first in members.indices {
      let turned = Array(members[first...]) + ["\"new\":{\"end\":[1]}"] + members[..<first]
      #expect(read("{\(turned.joined(separator: ","))}") == header)
    }
  }

  @Test("A member that is missing, repeated or invalid is refused", arguments: 0..<4)
  func wrongMembers(_ index: Int) {
    let members = text(header).dropFirst().dropLast().split(separator: ",").map(String.init)
    var less = members
    less.remove(at: index)
    #expect(read("{\(less.joined(separator: ","))}") == nil)
    #expect(read("{\((members + [members[index]]).joined(separator: ","))}") == nil)
    #expect(read("{\((members + ["\"crc\":1", members[index]]).joined(separator: ","))}") == nil)
    #expect(read("{\((members + ["\"crc\":1", "\"crc\":2"]).joined(separator: ","))}") == nil)
    less.append(members[index].prefix { $0 != ":" } + ":null")
    #expect(read("{\(less.joined(separator: ","))}") == nil)
  }
}
