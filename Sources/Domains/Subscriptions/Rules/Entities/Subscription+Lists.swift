import DaybookProtocol

/// Lists of a subscription: an empty one is stored as nil, so that each value has one form.
extension Subscription {
  /// Pauses, ascending; only the last may be open.
  package var pauseList: [SubscriptionPause] {
    get { pauses ?? [] }
    set { pauses = newValue.isEmpty ? nil : newValue }
  }

  /// Former cycles, ascending by their ends.
  package var formerTermList: [FormerTerm] {
    get { formerTerms ?? [] }
    set { formerTerms = newValue.isEmpty ? nil : newValue }
  }

  /// Marks, ascending by occurrence.
  package var markList: [ChargeMark] {
    get { marks ?? [] }
    set { marks = newValue.isEmpty ? nil : newValue }
  }

  package var tagList: [String] {
    get { tags ?? [] }
    set { tags = newValue.isEmpty ? nil : newValue }
  }

  /// The user's shares; the whole where none is set.
  package var shareList: [SubscriptionShare] {
    get { shares.flatMap { $0.isEmpty ? nil : $0 } ?? [SubscriptionShare(.whole)] }
    set { shares = newValue.isEmpty || newValue == [SubscriptionShare(.whole)] ? nil : newValue }
  }

  /// Brings it into the normalized form: no empty lists, no default share, explicit numbers of units.
  package mutating func tidy() {
    pauseList = pauseList
    formerTermList = formerTermList.map { FormerTerm(cycle: $0.cycle.tidied, anchor: $0.anchor, until: $0.until) }
    markList = markList
    tagList = tagList
    shareList = shareList
    if household == [] { household = nil }
    cycle = cycle.tidied
  }

  /// The normalized form, which the rules compare.
  package var tidied: Subscription {
    var tidied = self
    tidied.tidy()
    return tidied
  }
}

extension SubscriptionPause {
  package func contains(_ day: CivilDay) -> Bool {
    guard day.daysSinceEpoch >= from.daysSinceEpoch else { return false }
    guard let until else { return true }
    return day.daysSinceEpoch < until.daysSinceEpoch
  }
}

extension SubscriptionCategory {
  /// Its index in the protocol's order; that of `other` for a category of a later version.
  package var place: Int { SubscriptionCategory.known.firstIndex(of: self) ?? SubscriptionCategory.known.count - 1 }

  /// The category; `other` for one of a later version.
  package var orOther: SubscriptionCategory { SubscriptionCategory.known[place] }
}
