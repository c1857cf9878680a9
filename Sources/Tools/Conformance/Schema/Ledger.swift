import JSON
import ProtocolModel

/// What the client's side has said: the requests that are not answered, and the tokens they gave.
struct Ledger {
  /// A request that is not answered yet.
  struct Request {
    /// Its method; nil for a message that has none.
    var method: String?
    /// The tokens it gave.
    var tokens: [MessageID] = []
    /// Whether it is the case's, not the runner's own.
    var isCounted = true
  }

  /// What progress on a token carries.
  enum Token: Equatable {
    case work
    case items(TypeExpression)
  }

  /// What the methods are.
  let schema: Schema
  /// Requests by id, oldest first; an id may be used twice by a case that shows what happens then.
  private(set) var requests: [MessageID: [Request]] = [:]
  /// The tokens of requests that are not answered.
  private(set) var tokens: [MessageID: Token] = [:]
  /// Whether bytes went out in which requests may stand that were not recognised.
  private(set) var isBlurred = false
  /// The notifications sent.
  private(set) var notifications: Set<String> = []
  /// The types of params sent, as far as they were right.
  private(set) var types: Set<String> = []

  /// A ledger without entries.
  init(schema: Schema) {
    self.schema = schema
  }

  /// Notes a message, or each of a batch.
  mutating func note(_ value: JSONValue, isCounted: Bool = true) {
    switch value {
    case .array(let values): for value in values { noteOne(value, isCounted) }
    default: noteOne(value, isCounted)
    }
  }

  /// Notes the text of a message, which may be one that JSON readers refuse.
  mutating func note(text: String) {
    do throws(JSONError) { note(try JSONValue(json: Array(text.utf8))) } catch { isBlurred = true }
  }

  /// Notes what can be recognised in bytes sent as they are.
  mutating func note(raw bytes: [UInt8]) {
    isBlurred = true
    var at = 0
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: "["),
        let (value, end) = Ledger.value(in: bytes, at: at)
      else {
        at += 1
        continue
      }
      note(value)
      at = end
    }
  }

  /// Forgets what the service that has ended owes, but not what was exercised.
  mutating func restart() {
    requests = [:]
    tokens = [:]
    isBlurred = false
  }

  /// Whether an answer with this id is due.
  func isWaiting(for id: MessageID) -> Bool { !(requests[id] ?? []).isEmpty }

  /// Strikes out a request that is answered.
  mutating func strike(_ id: MessageID, _ index: Int) {
    guard var waiting = requests[id], waiting.indices.contains(index) else { return }
    for token in waiting.remove(at: index).tokens { tokens[token] = nil }
    requests[id] = waiting.isEmpty ? nil : waiting
  }

  /// The value that begins at an offset, and the offset after it.
  private static func value(in bytes: [UInt8], at start: Int) -> (JSONValue, Int)? {
    bytes.withUnsafeBytes { buffer in
      var reader = JSONReader(UnsafeRawBufferPointer(rebasing: buffer[start...]))
      guard let value = try? JSONValue(from: &reader) else { return nil }
      return (value, start + reader.position)
    }
  }

  /// Notes one message.
  private mutating func noteOne(_ value: JSONValue, _ isCounted: Bool) {
    guard case .object(let message) = value else { return }
    let method: String? = if case .string(let name)? = message["method"] { name } else { nil }
    let isAnswer = message["method"] == nil && (message["result"] != nil || message["error"] != nil)
    let declared = method.flatMap { schema.requests[$0] ?? schema.notifications[$0] }
    if isCounted, let declared { noteTypes(declared, message["params"]) }
    guard let idValue = message["id"] else {
      if isCounted, let method, schema.notifications[method] != nil { notifications.insert(method) }
      return
    }
    if isAnswer, isCounted, let result = message["result"] { noteTypes(ofAnswer: result) }
    guard !isAnswer, let id = MessageID(idValue) else { return }
    var request = Request(method: method, isCounted: isCounted)
    if let details = declared?.request, details.reportsProgress { noteTokens(message["params"], details, &request) }
    requests[id, default: []].append(request)
  }

  /// Notes the tokens in params.
  private mutating func noteTokens(_ params: JSONValue?, _ details: Message.Request, _ request: inout Request) {
    guard case .object(let members)? = params else { return }
    if let token = members["workDoneToken"].flatMap({ MessageID($0) }) {
      tokens[token] = .work
      request.tokens.append(token)
    }
    if let token = members["partialResultToken"].flatMap({ MessageID($0) }), let item = details.partialItem {
      tokens[token] = .items(item)
      request.tokens.append(token)
    }
  }

  /// Notes the types in an answer to the service, of every request of its that it fits as declared.
  private mutating func noteTypes(ofAnswer result: JSONValue) {
    for message in schema.requests.values where message.direction == .serverToClient {
      guard let details = message.request else { continue }
      var validator = SchemaValidator(schema: schema)
      if (try? validator.check(result, details.result, at: "")) != nil { types.formUnion(validator.met) }
    }
  }

  /// Notes the types of the members that are as declared.
  private mutating func noteTypes(_ declared: Message, _ params: JSONValue?) {
    guard case .object(let members)? = params else { return }
    for member in declared.params.members {
      guard let value = members.exactly(member.name) else { continue }
      var validator = SchemaValidator(schema: schema)
      if (try? validator.check(value, member, at: "")) != nil { types.formUnion(validator.met) }
    }
  }
}
