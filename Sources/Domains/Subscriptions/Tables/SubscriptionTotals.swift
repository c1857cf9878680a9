import DaybookProtocol
import Subscriptions
import Tables

/// Finds the rows of totals in another program's table. A subscription may be called “Total”, as an energy supplier is:
/// only a row whose amount is the sum of the rows above, that says of which period, or that lacks what all others state,
/// is one.
struct SubscriptionTotals {
  /// The numbers of the rows of totals.
  private var rows: Set<Int> = []

  init() {}

  init(_ scanned: ScannedTable) {
    let readers = scanned.wholeRows.map { scanned.reader($0) }
    guard readers.contains(where: { $0.isTotal("name") }) else { return }
    // A single charge has no next one: all others must have one.
    let stated = ["cycle", "nextCharge", "category", "status", "start"].filter { field in
      readers.contains { !$0.isTotal("name") } && readers.allSatisfy { $0.isTotal("name") || $0.raw(field) != nil }
    }
    var sum = Decimal.zero
    for reader in readers {
      let amount = SubscriptionTotals.amount(reader)
      guard reader.isTotal("name") else {
        sum = amount.flatMap { sum.adding($0) } ?? sum
        continue
      }
      if amount == sum && sum != .zero || reader.isTotalOfPeriod("name") { rows.insert(reader.row) }
      if !stated.isEmpty, stated.allSatisfy({ reader.raw($0) == nil }) { rows.insert(reader.row) }
    }
  }

  private static func amount(_ reader: RowReader) -> Decimal? {
    guard let text = reader.raw("amount"), case .amount(let read) = AmountReader.read(text, preferred: []) else {
      return nil
    }
    return read.amount
  }

  func isTotal(_ reader: RowReader) -> Bool { rows.contains(reader.row) }
}
