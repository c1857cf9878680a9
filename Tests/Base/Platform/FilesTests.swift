import Foundation
import Platform
import Testing

@Suite("Files looked at outside the store")
struct FilesTests {
  @Test("The states of a folder are distinguished")
  func looking() throws {
    let folder = NSTemporaryDirectory() + "platform-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(Files.look(at: folder) == .missing)
    #expect(Files.make(folder: folder + "/a/b", marker: "mark"))
    #expect(Files.look(at: folder + "/a") == .notEmpty)
    #expect(Files.look(at: folder + "/a/b/mark") == .notAFolder)
    try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: false)
    #expect(Files.look(at: folder + "/empty") == .empty)
    #expect(Files.exists(folder) && !Files.exists(folder + "/c"))
  }

  @Test("Creating an existing folder changes nothing")
  func makingTwice() throws {
    let folder = NSTemporaryDirectory() + "platform-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(Files.make(folder: folder, marker: "mark"))
    #expect(Files.make(folder: folder, marker: "mark"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["mark"])
  }
}
