import DaybookProtocol
import EntryWords
import JSON
import JSONRPC

/// How surely a reading is meant; the first rank that occurs decides. A forced kind needs none: it leaves out all others.
package enum EntryRank: Int, Sendable {
  /// A value whose form belongs to one kind, without another name.
  case form
  /// The full name of what it is logged to.
  case fullName
  /// The start of such a name.
  case prefix
  /// A name that nothing has yet.
  case newName
}

/// A reading of a line, and the request that stores it.
package struct EntryCandidate {
  package let kind: EntryKind
  package let rank: EntryRank
  /// The reading as a sentence, without day and time.
  package let text: String
  package let method: Method
  /// The params of the request, including day and time.
  package let params: JSONObject
  package var needs: EntryNeed?
  /// The folded name, if nothing has it yet.
  package var newName: [UInt8]?
  /// Why it is not stored unless its kind is forced.
  package var doubt: String?

  /// Takes params, of which those without a value are left out.
  package init(
    _ kind: EntryKind, _ rank: EntryRank, _ text: String, _ method: Method, _ params: [(String, JSONValue?)],
    needs: EntryNeed? = nil, newName: [UInt8]? = nil, doubt: String? = nil
  ) {
    self.kind = kind
    self.rank = rank
    self.text = text
    self.method = method
    self.params = JSONObject(params.compactMap { name, value in value.map { (name, $0) } })
    self.needs = needs
    self.newName = newName
    self.doubt = doubt
  }
}

/// A service that reads entries. Its readings by kind are declared in the domain file.
package protocol EntrySource: DomainService {
  /// The readings of a line as a kind; nil when another service reads it.
  func readings(
    _ line: EntryLine, as kind: EntryKind, on day: CivilDay, _ context: Context
  ) throws(RPCError) -> [EntryCandidate]?

  /// Whether a folded name is the full name of something that entries are logged to, or that was logged.
  func hasEntryName(_ folded: [UInt8], _ context: Context) throws(RPCError) -> Bool

  /// How a day stands after an entry, in a few words.
  ///
  /// - Parameter label: The day in words: `today`, `on 2026-01-04`.
  func summary(
    of entry: EntryCandidate, on day: CivilDay, label: String, _ context: Context
  ) throws(RPCError) -> String

  /// The names that can complete a line, the likeliest first, as the completed lines.
  ///
  /// - Parameter start: The folded line so far, without a leading day and kind.
  func completions(
    of start: [UInt8], atMost limit: Int, _ context: Context
  ) throws(RPCError) -> [EntryCompletion]
}

extension RPCError {
  /// Reads a line or a part of it.
  package static func reading<Value>(_ body: () throws(EntryProblem) -> Value) throws(RPCError) -> Value {
    do throws(EntryProblem) { return try body() } catch { throw RPCError(error) }
  }

  /// The error for a line that cannot be read.
  package init(_ problem: EntryProblem) {
    guard let number = problem.number, let grouped = number.grouped else {
      self.init(.entryUnreadable, problem.message, pointer: "/text", hint: problem.hint)
      return
    }
    self.init(
      .ambiguousNumber, problem.message, pointer: "/text", hint: "write “\(number.value.normalized)0” or “\(grouped)”",
      readings: [
        UnderstoodAmount(amount: number.value, decimalSeparator: number.separator),
        UnderstoodAmount(amount: grouped, groupSeparator: number.separator),
      ])
  }
}

extension JSONValue {
  /// A decimal as the protocol writes it.
  package init(_ decimal: Decimal) { self = .string("\(decimal.normalized)") }
}

extension EntryLine {
  /// Its time, as a param.
  package var timeParam: JSONValue? { time.map { .string("\($0)") } }
}

extension CivilDay {
  /// The day, as a param.
  package var param: JSONValue { .string("\(self)") }
}

extension RecordChange {
  /// A change as clients see it.
  package init(_ record: ChangedRecord, in domain: EventDomain) {
    self.init(
      domain: domain, id: record.id,
      kind: record.isDeleted ? .deleted : record.isNew ? .added : .updated,
      day: record.isDeleted ? record.lastDay : record.day,
      previousDay: record.isDeleted && record.previousDay == record.lastDay ? nil : record.previousDay,
      revision: record.revision)
  }
}
