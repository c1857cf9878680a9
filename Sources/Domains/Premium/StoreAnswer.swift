import DaybookProtocol

/// What a store of record answered when it was asked for its transactions.
package enum StoreAnswer: Equatable, Sendable {
  /// It answered, and this is all there is; an empty list means nothing was ever bought.
  case answered([ShopTransaction])
  /// It did not answer, or not so that it could be understood.
  case unavailable(UnknownReason)
}
