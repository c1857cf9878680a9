import Conformance
import Foundation
import JSON
import ProtocolModel
import Spawning

/// A protocol small enough to be got wrong on purpose, and a service that does.
enum Toy {
  /// Its files.
  static let files = [
    "protocol.json": """
    {"name":"toy","title":"Toy","doc":"Small.","protocolVersion":1,"domains":["toy","debug"],
     "errorRanges":[{"from":-32899,"to":-32000,"doc":"Base."},{"from":1000,"to":1099,"doc":"Toy."}],"capabilities":[]}
    """,
    "domains/debug.json": """
    {"domain":"debug","title":"Debug","doc":"Debug.","since":1,"build":"debug","types":[],"notifications":[],"errors":[],
     "requests":[{"method":"debug/fail","direction":"clientToServer","effect":"read","scope":[],"since":1,"doc":"Fails.",
      "params":[],"result":"null","errors":[],"examples":[{"name":"It works","session":"none","params":{},"result":null}]}]}
    """,
    "domains/toy.json": #"""
    {"domain":"toy","title":"Toy","doc":"Notes.","since":1,
     "types":[
      {"name":"RetryAdvice","kind":"enum","open":true,"doc":"Advice.","values":[{"name":"never","doc":"No."}]},
      {"name":"Level","kind":"enum","open":false,"doc":"Level.","values":[{"name":"low","doc":"Low."},{"name":"high","doc":"High."}]},
      {"name":"ErrorData","kind":"struct","lenient":true,"doc":"Data.","members":[
       {"name":"name","type":"string","doc":"Name."},{"name":"retry","type":"RetryAdvice","doc":"Advice."}]},
      {"name":"Note","kind":"struct","doc":"A note.","members":[
       {"name":"id","type":"id","doc":"Identity."},
       {"name":"text","type":"string","minLength":1,"maxLength":5,"doc":"Text."},
       {"name":"level","type":"Level","optional":true,"nullable":true,"doc":"Level."},
       {"name":"weight","type":"decimal","optional":true,"minimum":"0","maximum":"10","scale":2,"doc":"Weight."},
       {"name":"count","type":"int","optional":true,"minimum":0,"maximum":9,"doc":"Count."},
       {"name":"restMs","type":"duration","optional":true,"doc":"Rest."},
       {"name":"ratio","type":"number","optional":true,"doc":"Ratio."},
       {"name":"token","type":"token","optional":true,"doc":"Token."},
       {"name":"day","type":"date","optional":true,"doc":"Day."},
       {"name":"hour","type":"time","optional":true,"doc":"Time of day."},
       {"name":"at","type":"instant","optional":true,"doc":"Instant."},
       {"name":"zone","type":"timezone","optional":true,"doc":"Zone."},
       {"name":"any","type":"json","optional":true,"doc":"Anything."},
       {"name":"parts","type":"array<Note>","optional":true,"doc":"Parts."},
       {"name":"named","type":"map<int>","optional":true,"doc":"Named."}]},
      {"name":"WorkProgress","kind":"struct","doc":"Progress.","members":[{"name":"kind","type":"string","doc":"Kind."}]}],
     "requests":[
      {"method":"initialize","direction":"clientToServer","effect":"session","scope":[],"lenient":true,"since":1,"doc":"Opens.",
       "params":[],"result":"json","errors":[],"examples":[{"name":"Hello","session":"none","params":{},"result":{"$rest":true}}]},
      {"method":"shutdown","direction":"clientToServer","effect":"session","scope":[],"since":1,"doc":"Ends.",
       "params":[],"result":"null","errors":[],"examples":[{"name":"Enough","session":"none","params":{},"result":null}]},
      {"method":"server/info","direction":"clientToServer","effect":"read","scope":[],"since":1,"doc":"Who.","params":[],
       "result":{"members":[{"name":"build","type":"string","doc":"Build."}]},"errors":[],
       "examples":[{"name":"Who","session":"none","params":{},"result":{"build":"debug"}}]},
      {"method":"notes/add","direction":"clientToServer","effect":"write","scope":[],"since":1,"doc":"Adds.","progress":true,
       "partialItem":"int","params":[{"name":"text","type":"string","doc":"Text."}],
       "result":{"members":[{"name":"note","type":"Note","doc":"Note."}]},"errors":["full"],
       "examples":[{"name":"A note","session":"none","params":{"text":"Tea"},"result":{"note":{"id":"$uuid","text":"Tea"}}}]},
      {"method":"notes/list","direction":"clientToServer","effect":"read","scope":["notes"],"since":1,"doc":"Lists.",
       "params":[],"result":"array<Note>","errors":[],"examples":[{"name":"None","session":"none","params":{},"result":[]}]},
      {"method":"notes/count","direction":"clientToServer","effect":"read","scope":["notes"],"whileLocked":true,"since":1,
       "doc":"Counts.","params":[],"result":"int","errors":[],
       "examples":[{"name":"None","session":"none","params":{},"result":0}]},
      {"method":"client/confirm","direction":"serverToClient","effect":"read","scope":[],"since":1,"doc":"Asks.","params":[],
       "result":"null","errors":[],"examples":[]}],
     "notifications":[
      {"method":"exit","direction":"clientToServer","since":1,"doc":"Ends.","params":[]},
      {"method":"$/progress","direction":"both","delivery":"event","since":1,"lenient":true,"doc":"Progress.","params":[
       {"name":"token","type":"token","doc":"Token."},{"name":"value","type":"json","doc":"Value."}]},
      {"method":"changed","direction":"serverToClient","delivery":"state","since":1,"doc":"Changed.","params":[
       {"name":"revision","type":"int","doc":"Revision."}]},
      {"method":"warm","direction":"serverToClient","delivery":"startup","since":1,"doc":"Warm.","params":[
       {"name":"level","type":"Level","doc":"How warm."}]},
      {"method":"due","direction":"serverToClient","delivery":"state","unprompted":true,"since":1,"doc":"Due.","params":[
       {"name":"level","type":"Level","doc":"How much."}]}],
     "errors":[
      {"name":"parseError","code":-32700,"retry":"never","when":"No JSON."},
      {"name":"methodNotFound","code":-32601,"retry":"never","when":"No method."},
      {"name":"serverNotInitialized","code":-32002,"retry":"never","when":"Early."},
      {"name":"full","code":1000,"retry":"never","when":"Full."},
      {"name":"locked","code":1002,"retry":"never","when":"Locked."},
      {"name":"other","code":1001,"retry":"never","when":"Other."}]}
    """#,
  ]

  /// The protocol.
  static func schema() throws -> Schema {
    Schema(try Specification(files: files.mapValues { Array($0.utf8) }))
  }

  /// A JSON value.
  static func json(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

  /// A case, read from its lines.
  static func read(_ lines: String) throws -> Case {
    try CaseFile.read(Array("# A case.\n\(lines)\n".utf8), file: "toy.rpc", name: "toy.rpc", schema: schema())
  }

  /// How a service with these rules is started; the hang guard is short where a hang is expected.
  static func launch(_ rules: String, guardTime: Duration = Launch.usualGuardTime) -> Launch {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("fake_server.py")
    return Launch(command: ["python3", script.path, rules], guardTime: guardTime)
  }

  /// What goes wrong when a case is run against a service with these rules; nil when nothing does.
  static func failure(
    _ lines: String, _ rules: String, framing: WireFraming = .newline, variant: SendVariant = .asIs,
    fixtures: [String: [String]] = ["empty": []], guardTime: Duration = Launch.usualGuardTime
  ) throws -> PlayFailure? {
    let item = try read("session: none\n\(lines)")
    let suite = Suite(schema: try schema(), cases: [item], fixtures: fixtures)
    do throws(PlayFailure) {
      _ = try Play.run(item, framing, variant, suite: suite, launch: launch(rules, guardTime: guardTime))
      return nil
    } catch { return error }
  }
}
