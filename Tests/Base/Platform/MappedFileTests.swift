import Foundation
import Platform
import Testing

@Suite("Files mapped to be read", .serialized)
struct MappedFileTests {
  private let path = NSTemporaryDirectory() + "mapped-" + UUID().uuidString
  private let text = Array("01234567abcdefgh".utf8)

  private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  private func map(_ path: String) -> MappedFile? {
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    return MappedFile(descriptor: descriptor)
  }

  @Test("A mapped file shows its current contents, even after truncation and rewriting")
  func changes() throws {
    defer { unlink(path) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text)))
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let mapped = try #require(map(path))
    #expect(mapped.word(at: 0) == word(text[0..<8]))
    #expect(mapped.word(at: 8) == word(text[8..<16]))
    #expect(mapped.word(at: 16) == 0)
    try file.seek(toOffset: 8)
    try file.write(contentsOf: Data("ABCDEFGH".utf8))
    #expect(mapped.word(at: 8) == word(Array("ABCDEFGH".utf8)[...]))
    for _ in 0..<3 {
      // Would be a bus error.
      try file.truncate(atOffset: 0)
      #expect(mapped.word(at: 0) == 0)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data(text))
      let again = try #require(map(path))
      #expect(again.word(at: 8) == word(text[8..<16]))
    }
  }

  @Test("The number of mappings is limited, and slots are reused")
  func many() throws {
    defer { unlink(path) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text)))
    // Stores of other tests in this process use an unknown number of slots. If slots were not released, all rounds
    // together could not get more than the maximum.
    var total = 0
    for _ in 0..<20 {
      let mapped = (0..<70).compactMap { _ in map(path) }
      #expect(mapped.count <= 64)
      #expect(mapped.allSatisfy { $0.word(at: 0) == word(text[0..<8]) })
      total += mapped.count
    }
    #expect(total > 64)
  }
}
