import DaybookServer
import JSON
import TerminalPages

/// What completions ask the service. Nothing comes while it is locked or busy.
struct Asked {
  private let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  private func ask(_ method: String, _ params: [JSONObject.Member] = []) -> JSONValue? {
    guard var options = try? arguments.serviceOptions() else { return nil }
    options.logLevel = .error
    guard !FolderLock.isShut(options),
      case .result(let json)? = SingleCall.make(
        method: method, params: .object(JSONObject(params)), options: options)?.response
    else { return nil }
    return try? JSONValue(json: json)
  }

  /// The lines that a line of `daybook log` begins, the likeliest first.
  func entries(_ line: String) -> [Candidates.Candidate] {
    (ask("entries/complete", [("text", .string(line))])?.list("items") ?? []).map {
      ($0.text("text"), $0.text("detail"))
    }
  }

  var backups: [Candidates.Candidate] {
    (ask("backup/list")?.list("backups") ?? []).map { ($0.text("id"), $0["note"]?.text ?? $0.text("reason")) }
  }

  /// The ids that a param of a method can have, with the titles of their entities: `id` is one of the method's
  /// collection, `habitId` one of `habits`.
  func ids(_ param: String, of method: String, _ description: ProtocolDescription) -> [Candidates.Candidate] {
    var collection = method.prefix { $0 != "/" }
    for ending in ["Ids", "Id"] where param.hasSuffix(ending) { collection = param.dropLast(ending.count) + "s" }
    guard description.method("\(collection)/list") != nil, case .object(let page)? = ask("\(collection)/list") else {
      return []
    }
    let records = page.members.first { !$0.value.elements.isEmpty }?.value.elements ?? []
    return records.compactMap { record in
      guard let id = record["id"]?.text else { return nil }
      let title = ["name", "title", "text", "day"].compactMap { record[$0]?.text }.first
      return (id, title ?? "")
    }
  }
}
