import DomainKit
import EntryWords
import JSON

/// Reads lines of text with the readings that the domains offer, and stores one through its domain.
package final class EntriesService {
  package init() {}

  func entriesParse(_ params: EntriesParseParams, _ context: inout Context) throws(RPCError) -> EntriesParseResult {
    let query = EntryQuery(text: params.text, day: params.day, kind: params.kind)
    let found = try FoundEntries(query, context)
    if found.best.count == 1 { try found.refuseDoubt(context) }
    return EntriesParseResult(
      readings: found.best.map { found.reading($0, context) }, revision: try context.storeRevision())
  }

  func entriesLog(_ params: EntriesLogParams, _ context: inout Context) throws(RPCError) -> LoggedEntry {
    if let id = params.transactionId, let first = try first(id, params.text, context) { return first }
    let found = try FoundEntries(EntryQuery(text: params.text, day: params.day, kind: params.kind), context)
    let entry = try found.only(context)
    // The answer is stored with the change: a retry gets it again, and an undo says what it undid. That of a change
    // with `_meta.transaction` is stored by the session.
    let isFinishedHere = params.transactionId != nil || context.transaction == nil
    context.transaction = params.transactionId ?? context.transaction ?? context.newID()
    let logged: LoggedEntry
    do throws(RPCError) { logged = try store(entry, of: found, params.text, &context) } catch {
      if isFinishedHere { try finish(nil, context) }
      throw error
    }
    if isFinishedHere { try finish(logged.json, context) }
    return logged
  }

  /// Stores an entry through the request of its reading, which is labelled as this one.
  private func store(
    _ entry: FoundEntry, of found: FoundEntries, _ text: String, _ context: inout Context
  ) throws(RPCError) -> LoggedEntry {
    let before = try context.storeRevision()
    try send(entry, of: found, &context)
    let changes = context.changes(since: before, of: Collections.all.map(\.collection), atMost: 1000) ?? []
    return LoggedEntry(
      text: text, reading: found.reading(entry, context),
      changes: changes.compactMap { record in
        Collections.declaration(of: record.collection).map { RecordChange(record, in: $0.domain) }
      },
      summary: found.summary(of: entry, context), revision: try context.storeRevision())
  }

  private func send(
    _ entry: FoundEntry, of found: FoundEntries, _ context: inout Context
  ) throws(RPCError) {
    if let name = entry.candidate.method.feature, let feature = Feature.known.first(where: { $0.rawValue == "\(name)" })
    {
      try context.require(feature)
    }
    do throws(RPCError) { try found.send(entry, &context) } catch { throw error.ofLine }
  }

  // MARK: several lines

  func entriesLogLines(
    _ params: EntriesLogLinesParams, _ context: inout Context
  ) throws(RPCError) -> EntriesLogLinesResult {
    guard (1...10_000).contains(params.lines.count) else {
      throw RPCError(.invalidParams, "the number of lines is wrong", pointer: "/lines", allowed: "1 to 10,000 lines")
    }
    let before = try context.storeRevision()
    var stored: [(line: Int, found: FoundEntries, entry: FoundEntry)] = []
    var refused: [RefusedLine] = []
    let revision = try context.gather { context throws(RPCError) in
      for (index, text) in params.lines.enumerated() {
        do throws(RPCError) {
          guard (1...1000).contains(text.unicodeScalars.count) else {
            throw RPCError(.entryUnreadable, "a line has 1 to 1,000 characters", pointer: "/text")
          }
          let found = try FoundEntries(EntryQuery(text: text, day: params.day, kind: params.kind), context)
          let entry = try found.only(context)
          try send(entry, of: found, &context)
          stored.append((index + 1, found, entry))
        } catch {
          refused.append(try error.refusal(ofLine: index + 1))
        }
      }
    }
    var told: Set<String> = []
    let entries = stored.reversed().map { line, found, entry in
      let isLast = told.insert("\(found.day) \(entry.candidate.subject)").inserted
      return LoggedLine(
        line: line, reading: found.reading(entry, context),
        summary: isLast ? found.summary(of: entry, context) : nil)
    }
    return EntriesLogLinesResult(
      entries: entries.reversed(), refused: refused, changed: revision != before, revision: revision)
  }

  // MARK: repeated requests

  /// The result of the first request with the id of this change.
  ///
  /// - Throws: `conflict` when that was another request.
  private func first(_ id: EntityID, _ text: String, _ context: Context) throws(RPCError) -> LoggedEntry? {
    if let other = context.transaction, other != id {
      throw RPCError(
        .invalidParams, "there are two ids of the change", pointer: "/transactionId",
        allowed: "that of “_meta”, or nothing")
    }
    let store = try context.folder.openStore()
    let known: KnownTransaction?
    do throws(StoreError) { known = try store.known(id) } catch { throw RPCError(error) }
    guard let known else { return nil }
    guard known.label == "\(context.method.name)", let result = known.result,
      let logged = try? LoggedEntry(json: result), logged.text == text
    else {
      throw RPCError(
        .conflict, "another change has this id", pointer: "/transactionId",
        hint: "give each line an id of its own, and send it again only with the same text")
    }
    return logged
  }

  private func finish(_ result: [UInt8]?, _ context: Context) throws(RPCError) {
    do throws(StoreError) { try context.folder.store?.finish(result: result) } catch { throw RPCError(error) }
  }
}

extension EntryCandidate {
  /// What its summary is about: its kind, and the entity that it changes, if it names one.
  fileprivate var subject: String {
    let names = params.members.filter { $0.name.hasSuffix("Id") }
    return kind.rawValue + names.map { "\($0.value)" }.joined()
  }
}

extension RPCError {
  /// The error as that of one line among several.
  ///
  /// - Throws: The error, if it is one of the store, which all lines would have.
  fileprivate func refusal(ofLine line: Int) throws(RPCError) -> RefusedLine {
    let members = try? JSONValue(json: data)
    guard case .object(let members)? = members, case .string(let name)? = members["name"],
      ![ErrorName.storeBusy, .storeReadOnly, .diskFull, .storeUnavailable].contains(where: { $0.code == code })
    else { throw self }
    var hint: String?
    if case .string(let text)? = members["hint"] { hint = text }
    return RefusedLine(line: line, name: name, message: message, hint: hint)
  }

  /// The error of a reading's request as one of the line: its params are not the client's.
  fileprivate var ofLine: RPCError {
    guard case .object(var members)? = try? JSONValue(json: data), members["pointer"] != nil else { return self }
    members["pointer"] = .string("/text")
    return RPCError(code: code, message: message, data: JSONValue.object(members).json)
  }
}
