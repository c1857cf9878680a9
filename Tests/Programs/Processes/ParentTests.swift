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
  @Test("One that was seen and is gone ends the service; one that never was seen does not")
  func watched() async throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    // No system has that many processes.
    let unseen = try await Daybook.serve(first.data, .init(), processID: 2_000_000_000)
    let client = try Spawned(["/bin/sleep", "1000"], environment: [:])
    let seen = try await Daybook.serve(second.data, .init(), processID: Int(client.pid))
    try await seen.call("a", "meals/add", Meals.params(1))
    client.signal(SIGKILL)
    #expect(try await seen.exitStatus() == .exited(1))
    #expect(try await seen.errorText().contains("the client, process \(client.pid), is gone; exit status 1"))
    #expect(try await Meals.stored(in: second.data) == [1])
    // By now the other has looked at its client too.
    try await unseen.call("a", "server/info")
    #expect(unseen.process.endedAs == nil)
  }

  @Test(
    "An id that is no process's is passed over", arguments: ["0", "-1", "1.5", "99999999999999999999", "\"x\"", "{}"])
  func strangeIDs(_ id: String) async throws {
    let folder = try TemporaryFolder()
    let daybook = try Daybook(["--data", folder.data])
    daybook.request("hello", "initialize", #"{"processId":\#(id),"capabilities":{}}"#)
    _ = try await daybook.result("hello")
  }
}
