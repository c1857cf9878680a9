import CivilTime
import DaybookProtocol

/// The lists of a subscription, of which an empty one is not stored: one thing has one form.
extension Subscription {
  /// When it was interrupted; ascending, and only the last may be open.
  package var pauseList: [SubscriptionPause] {
    get { pauses ?? [] }
    set { pauses = newValue.isEmpty ? nil : newValue }
  }

  /// Cycles it had before, ascending by their ends.
  package var formerTermList: [FormerTerm] {
    get { formerTerms ?? [] }
    set { formerTerms = newValue.isEmpty ? nil : newValue }
  }

  /// What happened to single charges; ascending by their days.
  package var markList: [ChargeMark] {
    get { marks ?? [] }
    set { marks = newValue.isEmpty ? nil : newValue }
  }

  /// The words to find it by.
  package var tagList: [String] {
    get { tags ?? [] }
    set { tags = newValue.isEmpty ? nil : newValue }
  }

  /// The part of it that one pays oneself: the first share holds before all others. All of it where nothing is said.
  package var shareList: [SubscriptionShare] {
    get { shares.flatMap { $0.isEmpty ? nil : $0 } ?? [SubscriptionShare(.whole)] }
    set { shares = newValue.isEmpty || newValue == [SubscriptionShare(.whole)] ? nil : newValue }
  }

  /// Leaves out lists that are empty and shares that are all of it, and says how many units a cycle has.
  package mutating func tidy() {
    pauseList = pauseList
    formerTermList = formerTermList.map { FormerTerm(cycle: $0.cycle.tidied, anchor: $0.anchor, until: $0.until) }
    markList = markList
    tagList = tagList
    shareList = shareList
    if household == [] { household = nil }
    cycle = cycle.tidied
  }

  /// The same in its tidy form, which the rules compare.
  package var tidied: Subscription {
    var tidied = self
    tidied.tidy()
    return tidied
  }
}

extension SubscriptionPause {
  /// Whether it holds on a day.
  package func contains(_ day: CivilDay) -> Bool {
    guard day.daysSinceEpoch >= from.daysSinceEpoch else { return false }
    guard let until else { return true }
    return day.daysSinceEpoch < until.daysSinceEpoch
  }
}

extension SubscriptionCategory {
  /// Its place in the order, from 0: that of `other` for a category of a later version.
  package var place: Int { SubscriptionCategory.known.firstIndex(of: self) ?? SubscriptionCategory.known.count - 1 }

  /// The category itself; `other` for one of a later version.
  package var orOther: SubscriptionCategory { SubscriptionCategory.known[place] }
}
