import Conformance
import JSON
import Spawning
import Testing

/// The text of a case, and the mistakes that can be made in it.
struct CaseFileTests {
  @Test("Headers, comments and every step are read")
  func everything() throws {
    let text = """
      # What is proven,
      #   in two lines.

      proves: BASE-001 BASE-002
      session: none
      fixture: two-notes
      framing: header
      build: debug
      args: --a  --b=1
      folder: held
      variants: plain

      # A comment between.
      >> {"jsonrpc":"2.0","id":{{N}},"method":"notes/add"}
      >>*3 {"id":{{i}}}
      << {"id":"$bind:x"}
      >> {"id":"$x","id":"$x"}
      <<~ [{"a":1},{"b":"$x"}]
      <<? {"$rest":true}
      <<! changed
      raw "a\\u00FF\\n"
      repeat 2 ü
      barrier
      await ["$rest"]
      undrained stdout
      eof
      signal TERM
      exit 1
      stderr some: text
      """
    let item = try CaseFile.read(Array(text.utf8), file: "f", name: "n", schema: Toy.schema())
    #expect(item.comment == "What is proven,\nin two lines.")
    #expect(item.proves == ["BASE-001", "BASE-002"])
    #expect(item.session == .none && item.framing == .header && item.build == .debug && item.variants == .plain)
    #expect(item.fixture == "two-notes")
    #expect(item.folder == .held)
    #expect(item.args == ["--a", "--b=1"])
    #expect(item.steps.map(\.line) == Array(14...29))
    let words = item.steps.map { "\($0.action)".prefix { $0 != "(" } }
    #expect(
      words == [
        "send", "sendRepeatedly", "expect", "send", "expectAnyOrder", "allow", "forbid", "raw", "raw", "barrier",
        "await", "undrained", "endOfInput", "signal", "exit", "standardError",
      ])
    guard case .send(let first) = item.steps[0].action, case .raw(let bytes, 1) = item.steps[7].action,
      case .raw(let letter, 2) = item.steps[8].action, case .standardError("some: text") = item.steps[15].action
    else {
      Issue.record("the steps are others")
      return
    }
    #expect(first == #"{"jsonrpc":"2.0","id":1,"method":"notes/add"}"#)
    #expect(bytes == [0x61, 0xFF, 0x0A])
    #expect(letter == [0xC3, 0xBC])
  }

  @Test("What no header says has its default")
  func defaults() throws {
    let item = try Toy.read("eof")
    #expect(item.session == .initialized && item.framing == .both && item.build == .any && item.variants == .all)
    #expect(item.fixture == "empty" && item.args.isEmpty && item.proves.isEmpty)
    #expect(item.framings(among: [.header, .newline]) == [.header, .newline])
    #expect(item.variants(plainOnly: false).count == 3)
  }

  @Test(
    "A mistake is told with its line",
    arguments: [
      ("session: maybe", 2, "expected one of none, initialized, noHandshake"),
      ("sesion: none", 2, "there is no header"), ("eof\nsession: none", 3, "headers come first"),
      ("build: debug\nbuild: debug", 3, "stands on line 2 already"), ("fixture:", 2, "says nothing"),
      ("\n\n<<< {}", 4, "there is no step"), ("<< {", 2, "not JSON"), (">> {\"a\":}", 2, "not JSON"),
      (">>", 2, "not JSON"),
      (">>*0 {}", 2, "N from 1 on"), (">>*x {}", 2, "N from 1 on"), (">> {\"id\":{{i}}}", 2, "not JSON"),
      ("<< {\"a\":1,\"a\":1}", 2, "twice"), ("<< {\"a\":\"$x\"}", 2, "no earlier step"),
      ("<< {\"a\":\"$/b\"}", 2, "is doubled"), (">> {\"a\":\"$x\"}", 2, "not remembered"),
      ("<< {\"a\":\"$type:Nope\"}", 2, "no type"), ("<< {\"a\":\"$re:(\"}", 2, "no regular expression"),
      ("<< [\"$rest\",1]", 2, "last element"), ("<< {\"$rest\":1}", 2, "value true"),
      ("<< [\"$absent\"]", 2, "value of a member"),
      ("<< {\"a\":\"$bind:any\"}", 2, "cannot name"), ("<<~ []", 2, "one pattern or more"),
      ("<<~ {}", 2, "one pattern or more"),
      ("<<! a b", 2, "<<! METHOD"), ("raw a", 2, "not JSON"), ("raw 1", 2, "JSON string"),
      ("raw \"Ā\"", 2, "above U+00FF"),
      ("repeat x y", 2, "repeat N TEXT"), ("repeat 3", 2, "repeat N TEXT"), ("barrier now", 2, "nothing may follow"),
      ("signal KILL", 2, "TERM"), ("folder: held", 2, "needs a fixture"),
      ("folder: lost", 2, "fresh, held, full, newer"), ("exit soon", 2, "exit N"), ("stderr x", 2, "before exit"),
      ("exit 0\neof", 3, "after exit"), ("kill\nbarrier", 3, "after exit or kill"),
      ("kill now", 2, "nothing may follow"),
      ("kill\nexit 0", 3, "after exit or kill"), ("restart\nstderr x", 3, "before exit"),
      ("put a", 2, "put PATH"), ("put /a 1", 2, "no path below"), ("put a/../b {}", 2, "no path below"),
      ("put a//b {}", 2, "no path below"), ("put a 1", 2, "a JSON string, or a line"), ("put a {", 2, "not JSON"),
      ("put a \"Ā\"", 2, "above U+00FF"), ("put a {\"b\":\"$x\"}", 2, "not remembered"), ("take", 2, "take PATH"),
      ("take ../a", 2, "no path below"), ("zone", 2, "zone NAME"), ("clock: a b", 2, "clock: INSTANT"),
      ("capabilities: []", 2, "a JSON object"), ("initialize: {", 2, "a JSON object"),
      ("initialize: {\"capabilities\":{}}", 2, "a header of their own"),
      ("capabilities: {}\nsession: none", 2, "session: initialized"),
      ("undrained stderr", 2, "undrained stdout"), ("eof\r", 2, "carriage return"),
    ])
  func mistakes(_ text: String, _ line: Int, _ words: String) throws {
    let error = #expect(throws: CaseError.self) { try Toy.read(text) }
    #expect(error?.line == line)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.file == "toy.rpc")
  }

  @Test("What prepares a start, and what a handshake says, is read")
  func starts() throws {
    let item = try Toy.read(
      """
      capabilities: {"confirm":{}}
      initialize: {"locale":"de-DE"}
      clock: 2026-02-01T00:00:00Z
      zone: Europe/Berlin
      put a/b {"c":1.0}
      put d "\\u00FF"
      zone UTC
      eof
      put e []
      exit 0
      take e
      restart --clock X
      kill
      restart
      """)
    #expect(item.capabilities["confirm"] != nil && item.initialize["locale"] == .string("de-DE"))
    #expect(item.clock == "2026-02-01T00:00:00Z" && item.zone == "Europe/Berlin")
    let words = item.steps.map { "\($0.action)".prefix { $0 != "(" } }
    #expect(
      words == ["putLine", "put", "zone", "endOfInput", "putLine", "exit", "take", "restart", "kill", "restart"])
    guard case .putLine("a/b", #"{"c":1.0}"#) = item.steps[0].action, case .put("d", [0xFF]) = item.steps[1].action,
      case .restart(["--clock", "X"]) = item.steps[7].action
    else {
      Issue.record("the steps are others")
      return
    }
  }

  @Test("A case says on top what it proves")
  func comment() {
    #expect(throws: CaseError.self) { try CaseFile.read(Array("eof\n".utf8), file: "f", name: "n") }
    #expect(throws: CaseError.self) { try CaseFile.read([0x23, 0xFF], file: "f", name: "n") }
  }

  @Test("Text to send keeps its spelling but for what is remembered")
  func sent() throws {
    let bindings = ["x": try Toy.json(#"{"a":7.0}"#), "y": try Toy.json("\"ü\"")]
    let text = #"{"id":1.50, "a":"$x","b":["$y","$z","$$x","$/m","a\"$x"],"a":2}"#
    let expected = #"{"id":1.50, "a":{"a":7.0},"b":["ü","$z","$x","$/m","a\"$x"],"a":2}"#
    #expect(SentText.filled(text, bindings) == expected)
    #expect(SentText.names(in: text) == ["x", "y", "z"])
    #expect(SentText.repeated("{{i}}-{{i}}", 2) == ["0-0", "1-1"])
  }
}
