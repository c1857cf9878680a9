import Conformance
import Pacing
import Spawning
import Testing

/// Cases against services that are right, and that are wrong in one thing each.
@Suite(.processes)
struct PlayTests {
  /// The request.
  private static let call = #">> {"jsonrpc":"2.0","id":7.0,"method":"notes/add","params":{"text":"Tea"}}"#
  /// The note it makes.
  private static let note = #"{"id":"11111111-1111-4111-8111-111111111111","text":"Tea"}"#
  /// The right answer, as a rule of the service.
  private static let reply =
    #"{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"note\":{\"id\":\"11111111-1111-4111-8111-111111111111\",\"text\":\"Tea\"}}}"#
  /// An event, as a rule of the service.
  private static let event = #"{\"jsonrpc\":\"2.0\",\"method\":\"changed\",\"params\":{\"revision\":1}}"#
  /// The rule for barriers.
  private static let info = #""server/info":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"build\":\"debug\"}}"]"#
  /// The step that expects the right answer.
  private static let expected = #"<< {"jsonrpc":"2.0","id":7.0,"result":{"note":\#(note)}}"#

  @Test(
    "A right answer passes in every framing and way of writing", arguments: WireFraming.allCases, SendVariant.allCases)
  func right(_ framing: WireFraming, _ variant: SendVariant) throws {
    let lines = """
      \(Self.call)
      \(Self.expected)
      <<? {"jsonrpc":"2.0","method":"changed","$rest":true}
      barrier
      >> {"jsonrpc":"2.0","method":"exit"}
      exit 3
      stderr gone
      """
    let rules =
      #"{"notes/add":["\#(Self.reply)","\#(Self.event)"],\#(Self.info),"exit":[{"stderr":"gone"},{"exit":3}]}"#
    #expect(try Toy.failure(lines, rules, framing: framing, variant: variant) == nil)
  }

  @Test(
    "A wrong answer fails at the line that expects it",
    arguments: [
      (#"["{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}"]"#, "not lawful"),
      (#"["\#(reply)","\#(reply)"]"#, "not lawful"),
      (#"["\#(event)","\#(reply)"]"#, "at /id"), (#"["{}"]"#, "not lawful"), (#"["{"]"#, "no message"),
      (#"["{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\"}"]"#, "no message"), (#"[{"raw":"oops\n"}]"#, "no message"),
      (#"[{"raw":"\n"}]"#, "no message"),
      (#"[{"raw":"{\"a\":\"\u00FF\"}\n"}]"#, "no message"), (#"[{"exit":0}]"#, "the end of its output"),
      (#"[{"raw":"{"},{"exit":0}]"#, "ends inside a message"),
      (#"[{"kill":9}]"#, "the end of its output"),
      (
        #"["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"note\":{\"id\":\"11111111-1111-4111-8111-111111111111\",\"text\":\"Mud\"}}}"]"#,
        "at /result/note/text"
      ),
      (
        #"["{\"jsonrpc\":\"2.0\",\"id\":ID,\"error\":{\"code\":1000,\"message\":\"x\",\"data\":{\"name\":\"full\",\"retry\":\"never\"}}}"]"#,
        "at /result"
      ),
    ])
  func wrong(_ actions: String, _ words: String) throws {
    let rules = #"{"notes/add":\#(actions),\#(Self.info)}"#
    let failure = try #require(try Toy.failure("\(Self.call)\n\(Self.expected)\nbarrier", rules))
    #expect(failure.reason.contains(words), "\(failure.reason)")
    #expect(failure.line == (actions == #"["\#(Self.reply)","\#(Self.reply)"]"# ? 5 : 4))
  }

  @Test(
    "What a step asks for is asked",
    arguments: [
      ("barrier", #"{\#(info),"eof":[{"exit":0}]}"#, nil),
      ("barrier", #"{"server/info":["\#(event)"]}"#, "expected silence"),
      ("<<! changed\nbarrier", #"{"server/info":["\#(event)"]}"#, "may not arrive"),
      ("<<! changed", #"{"eof":["\#(event)"]}"#, "may not arrive"),
      ("eof\nexit 2", #"{"eof":[{"exit":2}]}"#, nil), ("eof\nexit 0", #"{"eof":[{"exit":2}]}"#, "status 2"),
      ("eof\nexit 0", #"{"eof":[{"kill":11}]}"#, "crashed"),
      ("eof\nexit 0\nstderr why", #"{"eof":[{"stderr":"no reason"},{"exit":0}]}"#, "does not contain"),
      ("eof", #"{"eof":[{"kill":6}]}"#, "crashed"),
      ("eof", #"{"eof":[{"raw":"junk\n"},{"exit":0}]}"#, "no message"),
      (
        ">>*3 {\"jsonrpc\":\"2.0\",\"id\":{{i}},\"method\":\"server/info\"}\nawait {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"$any\"}",
        "{\(info)}", nil
      ),
      (
        ">> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/info\"}\nawait {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"$any\"}\n",
        #"{"server/info":["\#(event)",{"exit":0}]}"#, "never came"
      ),
      (
        "raw \"{\\u00FF\\n\"\n<< {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"\",\"$rest\":true}}",
        #"{"broken":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"error\":{\"code\":-32700,\"message\":\"x\",\"data\":{\"name\":\"parseError\",\"retry\":\"never\"}}}"]}"#,
        nil
      ),
      (
        "raw \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"server/info\\\"}\"\nrepeat 100000 \u{20}\nraw \"\\n\"\n<< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"build\":\"$string\"}}",
        "{\(info)}", nil
      ),
      (
        ">> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/info\"}\n<< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"build\":\"$bind:b\"}}\n>> {\"jsonrpc\":\"2.0\",\"id\":\"$b\",\"method\":\"server/info\"}\n<< {\"jsonrpc\":\"2.0\",\"id\":\"debug\",\"result\":\"$any\"}",
        "{\(info)}", nil
      ),
    ] as [(String, String, String?)])
  func steps(_ lines: String, _ rules: String, _ words: String?) throws {
    let failure = try Toy.failure(lines, rules)
    if let words {
      #expect(failure?.reason.contains(words) == true, "\(failure?.reason ?? "it passed")")
    } else {
      #expect(failure == nil)
    }
  }

  /// A notification with a level, as a rule of the service.
  private static func told(_ method: String, _ level: String = "low") -> String {
    #"{\"jsonrpc\":\"2.0\",\"method\":\"\#(method)\",\"params\":{\"level\":\"\#(level)\"}}"#
  }

  @Test(
    "A report on the start, and what is marked as unprompted, is passed over wherever it comes, and counted, unless the case names it",
    arguments: ["warm", "due"])
  func passedOver(_ method: String) throws {
    let told = Self.told(method)
    let noisy = #"{"server/info":["\#(told)","\#(Self.event)"]}"#
    let rules = #"{"notes/add":["\#(told)","\#(Self.reply)","\#(told)"],\#(Self.info)}"#
    #expect(try Toy.failure("\(Self.call)\n\(Self.expected)\nbarrier", rules) == nil)
    #expect(try Toy.failure("barrier", noisy)?.reason.contains("expected silence") == true)
    let named = [
      "<<! \(method)", #"<< {"jsonrpc":"2.0","method":"\#(method)","$rest":true}"#,
      #"<<~ [{"jsonrpc":"2.0","method":"\#(method)","$rest":true}]"#,
    ]
    for step in named {
      let failure = try Toy.failure("\(Self.call)\n\(Self.expected)\n\(step)\nbarrier", rules)
      #expect(failure?.line == 4, "\(step)")
    }
    let item = try Toy.read("session: none\n\(Self.call)\n\(Self.expected)")
    let suite = Suite(schema: try Toy.schema(), cases: [item])
    let seen = try Play.run(item, .newline, .asIs, suite: suite, launch: Toy.launch(rules))
    #expect(seen.notifications.contains(method))
  }

  @Test("What is passed over has to be lawful though nobody looks at it", arguments: ["warm", "due"])
  func unlawfulThough(_ method: String) throws {
    let rules = #"{"notes/add":["\#(Self.told(method, "cold"))","\#(Self.reply)"]}"#
    let failure = try Toy.failure("\(Self.call)\n\(Self.expected)", rules)
    #expect(failure?.reason.contains("not lawful") == true)
  }

  @Test("Messages in any order are each matched once")
  func anyOrder() throws {
    let one = #"{\"jsonrpc\":\"2.0\",\"method\":\"changed\",\"params\":{\"revision\":1}}"#
    let two = #"{\"jsonrpc\":\"2.0\",\"method\":\"changed\",\"params\":{\"revision\":2}}"#
    let patterns =
      #"<<~ [{"jsonrpc":"2.0","method":"changed","params":{"revision":"$int"}},{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}]"#
    let lines = ">> {\"jsonrpc\":\"2.0\",\"method\":\"exit\"}\n\(patterns)"
    // The first pattern takes either, so the first try may be wrong.
    #expect(try Toy.failure(lines, #"{"exit":["\#(one)","\#(two)"]}"#) == nil)
    #expect(try Toy.failure(lines, #"{"exit":["\#(two)","\#(one)"]}"#) == nil)
    #expect(try Toy.failure(lines, #"{"exit":["\#(two)","\#(two)"]}"#)?.reason.contains("/params/revision") == true)
    #expect(try Toy.failure(lines, #"{"exit":["\#(one)",{"exit":0}]}"#)?.reason.contains("after 1") == true)
  }

  @Test(
    "A hang is told as one, wherever it is",
    arguments: [
      ("barrier", #"{"server/info":[{"hang":true}]}"#), ("eof\nexit 0", #"{"eof":[{"hang":true}]}"#),
      ("eof", #"{"eof":[{"hang":true}]}"#),
      (">> {\"jsonrpc\":\"2.0\",\"method\":\"exit\"}\nrepeat 1000000 x", #"{"exit":[{"hang":true}]}"#),
      (
        ">> {\"jsonrpc\":\"2.0\",\"method\":\"exit\"}\nundrained stdout\neof\nexit 0",
        #"{"exit":[{"raw":"{}"},{"hang":true}]}"#
      ),
    ])
  func hangs(_ lines: String, _ rules: String) throws {
    let failure = try Toy.failure(lines, rules, guardTime: .milliseconds(100))
    #expect(failure?.reason.contains("hangs: waited 0.1 seconds") == true, "\(failure?.reason ?? "it passed")")
  }

  @Test("A fixture has to succeed")
  func fixtures() throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"Tea"}}"#
    let fixtures = ["tea": [request]]
    #expect(
      try Toy.failure("fixture: tea\neof\nexit 0", #"{"notes/add":["\#(Self.reply)"]}"#, fixtures: fixtures) == nil)
    for rules in [
      #"{}"#, #"{"notes/add":["\#(Self.reply)"],"eof":[{"exit":1}]}"#,
      #"{"notes/add":["\#(Self.reply)","\#(Self.reply)"]}"#,
    ] {
      let failure = try Toy.failure("fixture: tea\neof", rules, fixtures: fixtures)
      #expect(failure?.reason.hasPrefix("the fixture: ") == true)
      #expect(failure?.line == 0)
    }
  }

  @Test("A folder in a state of its own is made so, or that is told")
  func folders() throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"Tea"}}"#
    let fixtures = ["tea": [request]]
    func failure(_ state: String, _ rules: String) throws -> String? {
      let rules = #"{"notes/add":["\#(Self.reply)"],\#(rules)}"#
      return try Toy.failure("fixture: tea\nfolder: \(state)\neof\nexit 0", rules, fixtures: fixtures)?.reason
    }
    let session = #""session/get":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{}}"]"#
    #expect(try failure("held", session)?.contains("the lock of the folder cannot be had") == true)
    #expect(try failure("full", session) == nil)
    #expect(try failure("newer", session)?.contains("does not say which format") == true)
    #expect(try failure("damaged", session)?.contains("has no last line") == true)
  }

  @Test("A command that cannot be started is told as such")
  func unstartable() throws {
    let launch = Launch(command: ["/nonexistent/daybook"])
    let error = #expect(throws: PlayFailure.self) { try Runner.detectBuild(launch, schema: try Toy.schema()) }
    #expect(error?.reason.hasPrefix("cannot be started: /nonexistent/daybook") == true)
  }
}
