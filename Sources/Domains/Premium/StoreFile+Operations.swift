import DaybookProtocol

extension StoreFile {
  /// Buys a product at `now`.
  ///
  /// Throws `unreachable` when offline, `unknownProduct`, `alreadyOwned`, or `noTrial`.
  package func buying(
    _ productID: String, isTrial: Bool, catalogue: ProductCatalogue, now: Instant
  ) throws(PremiumError) -> StoreFile {
    let product = try purchasable(productID, isTrial: isTrial, catalogue, now)
    var file = self
    file.transactions.append(StoreFile.transaction(nextID, product, isTrial: isTrial, now))
    return file
  }

  /// Asks for a purchase that awaits approval. Throws as `buying` does.
  package func askingToBuy(
    _ productID: String, isTrial: Bool, catalogue: ProductCatalogue, now: Instant
  ) throws(PremiumError) -> StoreFile {
    let product = try purchasable(productID, isTrial: isTrial, catalogue, now)
    guard !waiting.contains(where: { $0.productId == productID }) else {
      throw PremiumError(.alreadyOwned, "a purchase of \(productID) already awaits approval")
    }
    var file = self
    file.waiting.append(PendingPurchase(id: nextID, productId: product.id, trial: isTrial, askedAt: now))
    return file
  }

  /// Approves a pending purchase, which begins at `now`. Throws `nothingPending`, or as `buying` does.
  package func approvingPending(
    _ productID: String, catalogue: ProductCatalogue, now: Instant
  ) throws(PremiumError) -> StoreFile {
    let index = try pendingIndex(productID)
    let product = try purchasable(productID, isTrial: waiting[index].trial ?? false, catalogue, now)
    var file = self
    let ask = file.waiting.remove(at: index)
    file.transactions.append(StoreFile.transaction(ask.id, product, isTrial: ask.trial ?? false, now))
    return file
  }

  /// Ends the running purchase of a product at `now`, because a charge failed if `isRetrying`. Throws `notOwned`.
  package func expiring(_ productID: String, isRetrying: Bool = false, now: Instant) throws(PremiumError) -> StoreFile {
    try changing(productID, now) {
      if isRetrying { $0.billing = .retry }
      $0.end(by: now)
      $0.graceEndsAt = .absent
    }
  }

  /// Revokes the running purchase of a product at `now`. Throws `notOwned`.
  package func refunding(_ productID: String, now: Instant) throws(PremiumError) -> StoreFile {
    try changing(productID, now) { $0.revokedAt = .value(now) }
  }

  /// Ends the running purchase of a product at `now`, because a charge failed, with a grace until `end`. Throws
  /// `notOwned`, and `invalidValue` for an end that is not later than `now`.
  package func grantingGrace(_ productID: String, until end: Instant, now: Instant) throws(PremiumError) -> StoreFile {
    guard end > now else { throw PremiumError(.invalidValue, "a grace ends later than now") }
    return try changing(productID, now) {
      $0.billing = .retry
      $0.end(by: now)
      $0.graceEndsAt = .value(end)
    }
  }

  /// Switches the mode. The delay is that of the slow mode, milliseconds; nil keeps the present one. Throws
  /// `invalidValue` for one outside 0 to `longestDelay`.
  package func behaving(_ mode: StoreFileMode, delayMilliseconds: Int? = nil) throws(PremiumError) -> StoreFile {
    guard (0...StoreFile.longestDelay).contains(delayMilliseconds ?? 0) else {
      throw PremiumError(.invalidValue, "expected a delay from 0 to \(StoreFile.longestDelay) milliseconds")
    }
    var file = self
    file.mode = mode
    file.delayMilliseconds = delayMilliseconds ?? self.delayMilliseconds
    return file
  }
}

extension StoreFile {
  /// An unused id: `t` and a number one above the highest.
  private var nextID: String {
    let numbers = (transactions.map(\.id) + waiting.map(\.id)).compactMap { id in
      id.hasPrefix("t") ? Int(id.dropFirst()) : nil
    }
    let (next, overflow) = (numbers.max() ?? 0).addingReportingOverflow(1)
    return overflow ? "t\(transactions.count)-\(waiting.count)" : "t\(next)"
  }

  private func requireReachable() throws(PremiumError) {
    if mode == .offline { throw PremiumError(.unreachable, "the store is set to be offline") }
  }

  private func purchasable(
    _ productID: String, isTrial: Bool, _ catalogue: ProductCatalogue, _ now: Instant
  ) throws(PremiumError) -> CatalogueProduct {
    try requireReachable()
    guard let product = catalogue.product(productID) else {
      throw PremiumError(.unknownProduct, "the catalogue has no product \(productID)")
    }
    guard !transactions.contains(where: { $0.productId == productID && StoreFile.isRunning($0, now) }) else {
      throw PremiumError(.alreadyOwned, "\(productID) is already owned")
    }
    if isTrial {
      guard product.trialDays > 0 else { throw PremiumError(.noTrial, "\(productID) has no trial") }
      guard !transactions.contains(where: { $0.trial == true }) else {
        throw PremiumError(.noTrial, "a trial was used before")
      }
    }
    return product
  }

  private func pendingIndex(_ productID: String) throws(PremiumError) -> Int {
    guard let index = waiting.firstIndex(where: { $0.productId == productID }) else {
      throw PremiumError(.nothingPending, "no purchase of \(productID) awaits approval")
    }
    return index
  }

  /// Changes the latest running purchase of a product.
  private func changing(
    _ productID: String, _ now: Instant, _ change: (inout ShopTransaction) -> Void
  ) throws(PremiumError) -> StoreFile {
    guard let index = transactions.lastIndex(where: { $0.productId == productID && StoreFile.isRunning($0, now) })
    else { throw PremiumError(.notOwned, "no purchase of \(productID) is running") }
    var file = self
    change(&file.transactions[index])
    return file
  }

  /// Whether it is neither revoked nor over, including its grace.
  private static func isRunning(_ transaction: ShopTransaction, _ now: Instant) -> Bool {
    guard transaction.revokedAt.value == nil else { return false }
    guard let expiresAt = transaction.expiresAt.value else { return true }
    return now < max(expiresAt, transaction.graceEndsAt.value ?? expiresAt)
  }

  private static func transaction(
    _ id: String, _ product: CatalogueProduct, isTrial: Bool, _ now: Instant
  ) -> ShopTransaction {
    let end = isTrial ? now.advanced(by: Int64(product.trialDays) * 86_400_000) : product.period.end(from: now)
    return ShopTransaction(
      id: id, productId: product.id, purchasedAt: now, expiresAt: .value(end), trial: isTrial, verified: true,
      billing: .ok)
  }
}

extension ShopTransaction {
  /// Ends it at an instant, unless it ends before.
  fileprivate mutating func end(by instant: Instant) { expiresAt = .value(min(expiresAt.value ?? instant, instant)) }
}
