import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

/// Which entities a list is to have.
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

  /// How many items a page has when the request does not say.
  package static let usualLimit = 1000

  /// The days asked for; nil for all.
  package func days() throws(RPCError) -> ClosedRange<CivilDay>? {
    if let day {
      guard from == nil, to == nil else {
        throw RPCError(
          .invalidParams, "“day” goes without “from” and “to”", pointer: "/day", allowed: "either one day or a range")
      }
      return day...day
    }
    guard from != nil || to != nil else { return nil }
    let from = from ?? CivilDay.allowed.lowerBound
    let to = to ?? CivilDay.allowed.upperBound
    guard from <= to else {
      throw RPCError(
        .invalidParams, "the range ends before it begins", pointer: "/to", allowed: "a day from \(from) on")
    }
    return from...to
  }
}

/// Entities, newest first.
package struct Page {
  /// The stored texts in the present form, which the caller makes fragments of: only there is their type known to the compiler, and
  /// otherwise every one of a thousand would have the runtime look it up.
  package var texts: [ArraySlice<UInt8>] = []
  /// Where the next page begins; nil on the last.
  package var nextCursor: String?
  package var revision: Int
}

extension Context {
  /// One page of a collection, or of those of its records that are asked for.
  package func page(
    of type: any CollectionEntity.Type, _ request: PageRequest,
    where isAskedFor: (borrowing Record) throws(RPCError) -> Bool = { _ in true }
  ) throws(RPCError) -> Page {
    let collection = type.collection
    let days = try request.days()
    let after = try request.cursor.map { text throws(RPCError) in
      guard let cursor = Cursor(text) else {
        throw RPCError(
          .invalidParams, "this is no cursor of “\(type.methods)/list”", pointer: "/cursor",
          allowed: "the “nextCursor” of the page before")
      }
      return cursor.position
    }
    let limit = request.limit ?? PageRequest.usualLimit
    let snapshot = try snapshot()
    var page = Page(revision: snapshot.revision)
    page.texts.reserveCapacity(min(limit, 256))
    var last: Position?
    var hasMore = false
    var problem: RPCError?
    snapshot.forEachRecord(in: collection, days: days, after: after) { record in
      do throws(RPCError) { guard try isAskedFor(record) else { return true } } catch {
        problem = error
        return false
      }
      guard page.texts.count < limit else {
        hasMore = true
        return false
      }
      page.texts.append(folder.migrations.body(of: record, in: collection).text)
      if page.texts.count == limit { last = record.position }
      return true
    }
    if let problem { throw problem }
    page.nextCursor = hasMore ? last.map { Cursor(position: $0).text } : nil
    return page
  }
}
