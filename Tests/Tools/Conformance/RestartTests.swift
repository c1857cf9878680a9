import Conformance
import Foundation
import Pacing
import Spawning
import Testing

/// Services that are ended or killed in the middle of a case, and started again.
@Suite(.processes)
struct RestartTests {
  /// The rule for `server/info`, and the request with the step that expects its answer.
  private static let info = #""server/info":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"build\":\"debug\"}}"]"#
  private static let ask = """
    >> {"jsonrpc":"2.0","id":1,"method":"server/info"}
    << {"jsonrpc":"2.0","id":1,"result":{"build":"$bind:b"}}
    """
  /// The rules of a service that can be shut down.
  private static let orderly =
    #""shutdown":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":null}"],"exit":[{"exit":0}]"#

  @Test(
    "A service that ended, was killed or is ended in order is started again, and what is remembered stays",
    arguments: SendVariant.allCases, ["restart", "kill\nrestart --clock X", "eof\nexit 0\nrestart", "eof\nrestart"])
  func again(_ variant: SendVariant, _ step: String) throws {
    let lines = """
      \(Self.ask)
      \(step)
      \(Self.ask)
      >> {"jsonrpc":"2.0","id":"$b","method":"server/info"}
      << {"jsonrpc":"2.0","id":"debug","result":"$any"}
      barrier
      """
    #expect(try Toy.failure(lines, "{\(Self.info),\(Self.orderly)}", variant: variant) == nil)
  }

  @Test("What the new process says has to be owed by it")
  func owed() throws {
    let late = #"{"server/info":["{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"build\":\"debug\"}}"]}"#
    let lines = """
      >> {"jsonrpc":"2.0","id":7,"method":"exit"}
      kill
      restart
      >> {"jsonrpc":"2.0","id":1,"method":"server/info"}
      << {"jsonrpc":"2.0","id":7,"result":"$any"}
      """
    #expect(try Toy.failure(lines, late)?.reason.contains("not lawful") == true)
  }

  @Test(
    "An end that is not in order is told where the restart stands",
    arguments: [
      (#""eof":[{"kill":6}]"#, "eof\nrestart", "crashed"),
      (#""shutdown":[{"exit":0}]"#, "\nrestart", "expected the answer to shutdown"),
      (
        #""shutdown":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":null}"],"exit":[{"exit":4}]"#, "\nrestart",
        "expected to end with status 0, found status 4"
      ),
      (#""shutdown":[{"raw":"junk\n"}]"#, "\nrestart", "no message"),
    ])
  func disorder(_ rules: String, _ lines: String, _ words: String) throws {
    let failure = try Toy.failure(lines, "{\(rules)}")
    #expect(failure?.reason.contains(words) == true, "\(failure?.reason ?? "it passed")")
    #expect(failure?.line == 4)
  }

  @Test("Files are put and taken, on top before the service starts")
  func files() throws {
    let rules = "{\(Self.info),\(Self.orderly)}"
    let lines = """
      put a/b {"c":"$$d"}
      put e "\\u00FF"
      \(Self.ask)
      put a/f ["$b"]
      take a/b
      take e
      kill
      take a/f
      restart
      """
    #expect(try Toy.failure(lines, rules) == nil)
    let failure = try Toy.failure("put a {}\ntake a\ntake a", rules)
    #expect(failure?.reason == "there is no file a to take")
    let over = try Toy.failure("put a {}\n\(Self.ask)\nput a/b {}", rules)
    #expect(over?.reason == "a/b cannot be written")
  }

  @Test("What the service is told and finds follows the headers and the restarts")
  func surroundings() throws {
    let program = try #require(Place.program("daybook"), "swift build --product daybook")
    let suite = try Suite(folder: Place.root + "/Protocol")
    let lines = """
      # Days are counted at the clock and in the zone that the case says.
      clock: 2026-01-05T23:30:00Z
      zone: Europe/Berlin
      initialize: {"timeZone":"Asia/Tokyo"}
      put notes/a "x"
      >> {"jsonrpc":"2.0","id":1,"method":"session/get"}
      << {"jsonrpc":"2.0","id":1,"result":{"today":"2026-01-06","timeZone":"Asia/Tokyo","$rest":true}}
      restart --clock 2026-03-01T23:30:00Z
      >> {"jsonrpc":"2.0","id":1,"method":"session/get"}
      << {"jsonrpc":"2.0","id":1,"result":{"today":"2026-03-02","$rest":true}}
      """
    let item = try CaseFile.read(Array(lines.utf8), file: "f", name: "n", schema: suite.schema)
    #expect(throws: Never.self) {
      _ = try Play.run(item, .header, .asIs, suite: suite, launch: Launch(command: [program]))
    }
  }
}
