import DaybookServer
import JSON
import Platform

/// `daybook call`: makes one request, served in this process.
struct CallCommand {
  private let arguments: Arguments
  private let method: String
  private let params: String?

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard let method = arguments.operands.first else {
      throw UsageError(message: "call needs a method, such as “daybook call days/get”")
    }
    guard arguments.operands.count <= 2 else {
      throw UsageError(message: "call takes a method and one JSON text; quote the JSON")
    }
    self.method = method
    params = arguments.operands.dropFirst().first
  }

  func run() throws(UsageError) -> Int32 {
    var options = try arguments.serviceOptions()
    options.author = "call"
    guard let text = params == "-" ? StandardStreams.readAll(0) : Array((params ?? "{}").utf8) else {
      Terminal.complain("daybook: standard input cannot be read")
      return DaybookCommand.Status.transport
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(json: text) } catch {
      throw UsageError(message: "the params are not JSON: \(error)")
    }
    guard case .object = value else { throw UsageError(message: "the params must be an object: '{\"name\": value}'") }
    Signals.ignoreBrokenPipes()
    guard let (response, isDamaged, done) = SingleCall.make(method: method, params: value, options: options) else {
      Terminal.complain("daybook: no response came")
      return DaybookCommand.Status.transport
    }
    if isDamaged {
      Terminal.complain("daybook: some stored data may be missing here; see “daybook doctor”")
    }
    switch response {
    case .result(let json):
      if let done { Terminal.note(done: done) }
      return Terminal.write(json + [0x0A], to: 1) || done != nil
        ? DaybookCommand.Status.done : DaybookCommand.Status.transport
    case .error(let json):
      Terminal.write(json + [0x0A], to: 2)
      return DaybookCommand.Status.refused
    }
  }
}
