import CivilTime

/// The embedded store of record: a document that says what was bought, and how the store behaves when it is asked.
///
/// A value: every operation makes a new one, and time is an argument.
package struct StoreFile: Hashable, Sendable {
  /// How it behaves when it is asked.
  package enum Mode: String, CaseIterable, Sendable {
    /// It answers at once.
    case online
    /// It is out of reach.
    case offline
    /// It answers after a delay.
    case slow
    /// It never answers.
    case never
  }

  /// When an answer comes.
  package enum Delay: Hashable, Sendable {
    case none
    /// After that many milliseconds.
    case milliseconds(Int)
    /// Not at all.
    case forever
  }

  /// A purchase that waits for somebody's approval ("ask to buy").
  package struct Pending: Hashable, Sendable {
    /// The id it will have as a transaction.
    package let id: String
    /// The product asked for.
    package let productID: String
    /// Whether as a free trial.
    package let isTrial: Bool
    /// When it was asked for.
    package let askedAt: Instant

    package init(id: String, productID: String, isTrial: Bool, askedAt: Instant) {
      self.id = id
      self.productID = productID
      self.isTrial = isTrial
      self.askedAt = askedAt
    }
  }

  /// How it behaves when it is asked.
  package var mode: Mode
  /// The delay of a slow one, milliseconds; kept, and without effect, in the other modes.
  package var delayMilliseconds: Int?
  /// Everything ever bought, in the order of buying.
  package var transactions: [ShopTransaction]
  /// What waits for approval.
  package var pending: [Pending]

  package init(
    mode: Mode = .online, delayMilliseconds: Int? = nil, transactions: [ShopTransaction] = [], pending: [Pending] = []
  ) {
    self.mode = mode
    self.delayMilliseconds = delayMilliseconds
    self.transactions = transactions
    self.pending = pending
  }

  /// The longest delay, milliseconds (ten minutes).
  package static let longestDelay = 600_000
  /// The delay of a slow store that names none, milliseconds.
  package static let defaultDelay = 2000

  /// When its answer comes. The caller does the waiting.
  package var delay: Delay {
    switch mode {
    case .online, .offline: .none
    case .slow: .milliseconds(delayMilliseconds ?? StoreFile.defaultDelay)
    case .never: .forever
    }
  }

  /// The answer, once it comes: all that was bought, for the rules to judge.
  package var answer: StoreAnswer {
    switch mode {
    case .online, .slow: .answered(transactions)
    case .offline: .unavailable(.unreachable)
    case .never: .unavailable(.timedOut)
    }
  }
}
