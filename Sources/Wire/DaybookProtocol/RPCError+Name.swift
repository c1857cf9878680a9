import CivilTime
import JSON
import JSONRPC

extension RPCError {
  /// The error named `name`. The message is for people; programs use the data.
  package init(
    _ name: ErrorName, _ message: String, pointer: String? = nil, offset: Int? = nil, allowed: String? = nil,
    hint: String? = nil, incident: String? = nil, conflict: ConflictVersions? = nil, supported: [Int]? = nil,
    requested: Int? = nil, feature: Feature? = nil, retryAt: Instant? = nil, holder: String? = nil, line: Int? = nil,
    column: Int? = nil, cause: String? = nil, phase: SyncPhase? = nil, readings: [UnderstoodAmount]? = nil,
    entries: [EntryReading]? = nil, fault: AmountFault? = nil,
    currencies: [String]? = nil, running: RunningInfo? = nil
  ) {
    let data = ErrorData(
      name: name.rawValue, retry: name.retry, pointer: pointer, offset: offset, allowed: allowed, hint: hint,
      incident: incident, conflict: conflict, supported: supported, requested: requested, holder: holder,
      feature: feature, retryAt: retryAt, cause: cause, phase: phase, line: line, column: column,
      readings: readings, entries: entries, fault: fault, currencies: currencies, running: running)
    self.init(code: name.code, message: message, data: data.json)
  }

  /// The error for params that could not be decoded from `text`.
  package init(params error: JSONError, in text: UnsafeRawBufferPointer) {
    let pointer = error.pointer(in: text)
    let place = pointer.isEmpty ? "params" : "params\(pointer)"
    // `expected` may have a suggestion after a semicolon.
    let parts = error.expected.split(separator: ";", maxSplits: 1).map { $0.drop { $0 == " " } }
    var allowed: String? = parts.first.map(String.init)
    var hint: String? = parts.count > 1 ? String(parts[1]) : nil
    if let only = allowed, only.hasPrefix("did you mean") { (allowed, hint) = (nil, only) }
    if error.code == .missingMember {
      let names = error.expected.drop { $0 != "“" }
      hint = "\(names) \(error.isPlural ? "are" : "is") required"
    }
    self.init(.invalidParams, "\(place): \(error)", pointer: pointer, allowed: allowed, hint: hint)
  }

  /// The error for an invalid message.
  package init(_ fault: MessageFault) {
    let name: ErrorName =
      switch fault.kind {
      case .parseError: .parseError
      case .invalidRequest: .invalidRequest
      case .messageTooLarge: .messageTooLarge
      }
    self.init(
      name, fault.message, pointer: fault.pointer.flatMap { $0.isEmpty ? nil : $0 }, offset: fault.offset,
      allowed: fault.allowed, hint: fault.hint)
  }
}
