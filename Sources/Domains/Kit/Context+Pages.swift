import DaybookProtocol
import FileStore
import JSONRPC

/// The filter, limit and cursor of a list request.
package struct PageRequest {
  var day: CivilDay?
  var from: CivilDay?
  var to: CivilDay?
  let limit: Int?
  let cursor: String?

  package init(
    day: CivilDay? = nil, from: CivilDay? = nil, to: CivilDay? = nil, limit: Int? = nil, cursor: String? = nil
  ) {
    self.day = day
    self.from = from
    self.to = to
    self.limit = limit
    self.cursor = cursor
  }

  /// The page size when the request gives none.
  package static let defaultLimit = 1000

  /// The requested days; nil for all.
  package func days() throws(RPCError) -> ClosedRange<CivilDay>? {
    if let day {
      guard from == nil, to == nil else {
        throw RPCError(
          .invalidParams, "“day” cannot be combined with “from” or “to”", pointer: "/day",
          allowed: "either one day or a range")
      }
      return day...day
    }
    guard from != nil || to != nil else { return nil }
    let from = from ?? CivilDay.allowed.lowerBound
    let to = to ?? CivilDay.allowed.upperBound
    return try RPCError.days(from, to)
  }
}

extension RPCError {
  /// A range of days from params, checked to be ascending and to end no later than `last`.
  package static func days(
    _ from: CivilDay, _ to: CivilDay, upTo last: CivilDay? = nil
  ) throws(RPCError) -> ClosedRange<CivilDay> {
    guard from <= to, to <= last ?? to else {
      throw RPCError(
        .invalidParams, from > to ? "the range ends before it begins" : "the range is too long", pointer: "/to",
        allowed: last.map { "a day from \(from) to \($0)" } ?? "a day from \(from) on")
    }
    return from...to
  }
}

/// One page of entities, newest first.
package struct Page {
  /// The entities as JSON in the current form. The caller wraps them in fragments: there their type is static, which
  /// saves a run-time metadata lookup for each.
  package let texts: [ArraySlice<UInt8>]
  /// The cursor of the next page; nil on the last.
  package let nextCursor: String?
  package let revision: Int
}

extension JSONWriter {
  /// Writes the answer to a plain request for one entity.
  ///
  /// - Parameter created: Whether the entity is new; nil where the request cannot create one.
  @inline(never)
  package mutating func answer<Entity: JSONEncodable>(
    _ name: MemberName, _ entity: Entity, created: Bool? = nil, revision: Int
  ) {
    let brace = count
    pair(name)
    entity.encode(to: &self)
    if let created { pair(#","created":"#, created) }
    pair(#","revision":"#, revision)
    endObject(from: brace)
  }
}

extension Context {
  /// One page of a collection, optionally filtered.
  package func page(
    of type: any CollectionEntity.Type, _ request: PageRequest,
    where isAskedFor: (borrowing RecordView) throws(RPCError) -> Bool = { _ in true }
  ) throws(RPCError) -> Page {
    var texts: [ArraySlice<UInt8>] = []
    texts.reserveCapacity(min(request.limit ?? PageRequest.defaultLimit, 256))
    let end = try forEach(of: type, request, where: isAskedFor) { view in
      texts.append(folder.migrations.body(of: view.record, in: type.collection).text)
    }
    return Page(texts: texts, nextCursor: end.nextCursor, revision: end.revision)
  }

  /// Writes the answer to a plain list request: the entities under `name`, the next cursor and the revision.
  package func writePage(
    of type: any CollectionEntity.Type, _ request: PageRequest, as name: MemberName, to writer: inout JSONWriter
  ) throws(RPCError) {
    let collection = type.collection
    let schema = folder.migrations.schema(of: collection)
    let brace = writer.count
    writer.pair(name)
    let bracket = writer.count
    let end = try forEach(of: type, request) { view in
      writer.append(UInt8(ascii: ","))
      guard !writer.append(view, since: schema) else { return }
      folder.migrations.body(of: view.record, in: collection).withUnsafeBytes { writer.append($0) }
    }
    writer.endArray(from: bracket)
    if let cursor = end.nextCursor { writer.pair(#","nextCursor":"#, cursor) }
    writer.pair(#","revision":"#, end.revision)
    writer.endObject(from: brace)
  }

  /// Calls `body` with each record of a page, as stored. Returns the cursor of the next page, nil on the last.
  private func forEach(
    of type: any CollectionEntity.Type, _ request: PageRequest,
    where isAskedFor: (borrowing RecordView) throws(RPCError) -> Bool = { _ in true },
    _ body: (borrowing RecordView) -> Void
  ) throws(RPCError) -> (nextCursor: String?, revision: Int) {
    let collection = type.collection
    let days = try request.days()
    let after = try request.cursor.map { text throws(RPCError) in
      guard let cursor = Cursor(text) else {
        throw RPCError(
          .invalidParams, "not a cursor of “\(type.methods)/list”", pointer: "/cursor",
          allowed: "the “nextCursor” of the page before")
      }
      return cursor.position
    }
    let limit = request.limit ?? PageRequest.defaultLimit
    let snapshot = try snapshot()
    var count = 0
    var last: Position?
    var hasMore = false
    var problem: RPCError?
    snapshot.forEachView(in: collection, days: days, after: after) { view in
      do throws(RPCError) { guard try isAskedFor(view) else { return true } } catch {
        problem = error
        return false
      }
      guard count < limit else {
        hasMore = true
        return false
      }
      body(view)
      count += 1
      if count == limit { last = view.position }
      return true
    }
    if let problem { throw problem }
    return (hasMore ? last.map { Cursor(position: $0).text } : nil, snapshot.revision)
  }
}

/// The position of a page in a list, as opaque text for clients. It stays valid while records are added and deleted.
package struct Cursor {
  package let position: Position

  package init(position: Position) { self.position = position }

  /// Reads `v1.DAY.MILLISECONDS.ID`.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "v1", let milliseconds = Int64(parts[2]), let id = EntityID(String(parts[3]))
    else { return nil }
    let day = CivilDay(String(parts[1]))
    guard day != nil || parts[1].isEmpty else { return nil }
    position = Position(day: day, createdAt: Instant(milliseconds: milliseconds), id: id)
  }

  package var text: String {
    "v1.\(position.day.map { "\($0)" } ?? "").\(position.createdAt.milliseconds).\(position.id)"
  }
}
