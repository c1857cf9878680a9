import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("The client's process", .processes)
struct ParentTests {
  @Test("The end of a visible process ends the service; that of an invisible one does not")
  func watched() async throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    // No system has so many processes.
    let unseen = try await Daybook.serve(first.data, .init(), processID: 2_000_000_000)
    let client = try Spawned(["/bin/sleep", "1000"], environment: [:])
    let seen = try await Daybook.serve(second.data, .init(), processID: Int(client.pid))
    try await seen.call("a", "meals/add", Meals.params(1))
    client.signal(SIGKILL)
    #expect(try await seen.exitStatus() == .exited(1))
    #expect(try await seen.errorText().contains("the client, process \(client.pid), is gone; exit status 1"))
    #expect(try await Meals.stored(in: second.data) == [1])
    // By now the other has also checked its client.
    try await unseen.call("a", "server/info")
    #expect(unseen.process.endedAs == nil)
  }

  #if os(Linux)
    @Test("A zombie process counts as ended")
    func zombie() async throws {
      let folder = try TemporaryFolder()
      // The shell starts a process, execs another program, and never waits for it.
      let parent = try Spawned(
        ["/bin/sh", "-c", "sleep 1000 & echo $!; exec sleep 1000"], environment: ["PATH": "/usr/bin:/bin"])
      defer { parent.signal(SIGKILL) }
      var line = ""
      var byte: UInt8 = 0
      while read(parent.output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
        line.append(Character(UnicodeScalar(byte)))
      }
      let client = try #require(pid_t(line))
      let daybook = try await Daybook.serve(folder.data, .init(), processID: Int(client))
      kill(client, SIGKILL)
      #expect(try await daybook.exitStatus() == .exited(1))
      #expect(try await daybook.errorText().contains("the client, process \(line), is gone"))
    }
  #endif

  @Test(
    "An id without a process is ignored", arguments: ["0", "-1", "1.5", "99999999999999999999", "\"x\"", "{}"])
  func strangeIDs(_ id: String) async throws {
    let folder = try TemporaryFolder()
    let daybook = try Daybook(["--data", folder.data])
    daybook.request("hello", "initialize", #"{"processId":\#(id),"capabilities":{}}"#)
    _ = try await daybook.result("hello")
  }
}
