import CivilTime
import DaybookProtocol
import Subscriptions

extension Subscription {
  /// The same with the cycle of a day for good: what a row tells of it, since a row has the price of that day beside the cycle.
  func withoutPlannedCycle(today: CivilDay) -> Subscription {
    guard let last = formerTermList.last, today < last.until else { return self }
    var told = self
    let term = self.term(on: today)
    (told.cycle, told.anchor) = (term.cycle, term.anchor)
    told.formerTermList.removeAll { today < $0.until }
    guard !term.cycle.isRecurring else { return told }
    // What was to be charged once, and is planned away before that, makes no row that can be read: then what comes is told.
    var row = told
    row.formerTerms = nil
    row.marks = nil
    return SubscriptionRules.refusals(of: row).isEmpty ? told : self
  }
}
