import Foundation
import Pacing
import ProcessTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("Responses while a note waits to be written", .processes)
struct HeldNoteTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("A large response is sent although a launch note waits for another process")
  func large() async throws {
    let first = try await Daybook.serve(folder.data)
    try await first.call("meal", "meals/add", #"{"name":"Soup","calories":300}"#)
    first.closeInput()
    _ = try await first.exitStatus()
    // Without the file, a start has something to record, and the folder's lock delays that for two seconds.
    try? FileManager.default.removeItem(atPath: folder.data + "/flags.json")
    let held = open(folder.data, O_RDONLY)
    defer { close(held) }
    try #require(held >= 0)
    while flock(held, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
    let daybook = try await Daybook.serve(folder.data, .init())
    for round in 0..<20 {
      #expect(try await daybook.call("document \(round)", "rpc.discover").text.utf8.count > 100_000)
    }
    _ = flock(held, LOCK_UN)
    try await daybook.shutDown()
  }
}
