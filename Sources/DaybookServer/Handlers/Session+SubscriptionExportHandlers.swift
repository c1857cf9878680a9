import Calendars
import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import SubscriptionTables
import Subscriptions

extension Session {
  nonisolated func subscriptionsExportCSV(
    _ params: SubscriptionsExportCSVParams, _ work: HeavyWork
  ) async throws(RPCError) -> SubscriptionsExportCSVResult {
    if let path = params.path { try Session.checkAbsolute(path) }
    let (book, today) = (try await wholeBook(), await today)
    let hasMark = params.byteOrderMark ?? false
    let export = try await write(work, params.path, params.overwrite) { monitor, write throws(StoreError) in
      var table = SubscriptionTableExport(today: today, hasMark: hasMark)
      for (index, plan) in book.plans.enumerated() {
        if index & 255 == 0 { try Session.check(index, of: book.plans.count, monitor) }
        table.append(plan)
        if table.pending >= Session.piece { try write(table.take()) }
      }
      try write(table.take())
      return table.rows
    }
    return SubscriptionsExportCSVResult(
      rows: export.value, bytes: export.bytes, revision: book.revision, text: export.text)
  }

  nonisolated func subscriptionsExportCalendar(
    _ params: SubscriptionsExportCalendarParams, _ work: HeavyWork
  ) async throws(RPCError) -> SubscriptionsExportCalendarResult {
    if let path = params.path { try Session.checkAbsolute(path) }
    let (book, today, locale) = (try await wholeBook(), await today, await locale)
    let from = params.from ?? today
    let last = from.advanced(by: Subscriptions.CalendarSpan(Session.longestFeed, .year))
    let to = params.to ?? from.advanced(by: Subscriptions.CalendarSpan(1, .year))
    guard to >= from, to <= last else {
      throw RPCError(
        .invalidParams, to < from ? "the range ends before it begins" : "the range is too long", pointer: "/to",
        allowed: "a day from \(from) to \(last)")
    }
    let (stamp, style) = (now(), locale.flatMap { AmountStyle(locale: $0) } ?? .english)
    let export = try await write(work, params.path, params.overwrite) { monitor, write throws(StoreError) in
      try Session.check(0, of: 1, monitor)
      let feed = ChargeFeed.feed(of: book.plans, in: from...to, stamp: stamp, style: style)
      let bytes = feed.bytes
      var at = 0
      while at < bytes.count {
        try Session.check(at, of: bytes.count, monitor)
        var end = min(at + Session.piece, bytes.count)
        // Whole lines each.
        if end < bytes.count, let line = bytes[at..<end].lastIndex(of: 0x0A) { end = line + 1 }
        try write(Array(bytes[at..<end]))
        at = end
      }
      return feed.events.count
    }
    return SubscriptionsExportCalendarResult(
      events: export.value, from: from, to: to, bytes: export.bytes, revision: book.revision, text: export.text)
  }

  /// How many years a calendar of charges may have.
  private static let longestFeed = 10
  /// About so many bytes are handed out at a time.
  private static let piece = 256 << 10

  /// All subscriptions, every one of them: what cannot be read ends an export, which would lack something.
  private func wholeBook() throws(RPCError) -> SubscriptionBook {
    let book = try subscriptionBook()
    let missing = try snapshot().records(in: DaybookProtocol.Subscription.collection).count - book.stored.count
    guard missing == 0 else {
      throw RPCError(
        .storeUnavailable, "\(missing) subscriptions cannot be understood, and would be missing",
        hint: "a newer version of daybook may have written them; use that one")
    }
    return book
  }

  private static func check(_ index: Int, of count: Int, _ monitor: WorkMonitor) throws(StoreError) {
    if monitor.isCancelled() { throw StoreError(.cancelled, "It was cancelled.") }
    monitor.report(index * 100 / max(count, 1))
  }

  /// What was written, how long it is, and the text of it unless it went elsewhere.
  private struct Written<Value: Sendable>: Sendable {
    var value: Value
    var bytes: Int
    var text: String
  }

  /// Has a text written into a file, out as partial results, or into the answer.
  private nonisolated func write<Value: Sendable>(
    _ work: HeavyWork, _ path: String?, _ overwrite: Bool?,
    _ run: @escaping @Sendable (WorkMonitor, ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> Value
  ) async throws(RPCError) -> Written<Value> {
    let (progress, configuration) = (work.progress, folderConfiguration)
    return try await work.onThread("Exporting") { monitor throws(StoreError) in
      var bytes = 0
      if let path {
        return try OutsideFile(path, configuration).write(overwrites: overwrite ?? false) {
          write throws(StoreError) in
          let value = try run(monitor) { piece throws(StoreError) in
            bytes += piece.count
            try write(piece)
          }
          return Written(value: value, bytes: bytes, text: "")
        }
      }
      var text: [UInt8] = []
      let value = try run(monitor) { piece throws(StoreError) in
        bytes += piece.count
        if progress.sendsParts { progress.send([String(decoding: piece, as: UTF8.self)]) } else { text += piece }
      }
      return Written(value: value, bytes: bytes, text: String(decoding: text, as: UTF8.self))
    }
  }
}
