import DaybookProtocol

extension ProductCatalogue {
  /// Without products.
  package static let empty = ProductCatalogue(products: [])

  package func product(_ id: String) -> CatalogueProduct? { products.first { $0.id == id } }

  /// What a year of the yearly plan saves against twelve months of the monthly one, in percent of the latter, rounded
  /// half up.
  ///
  /// Nil when one is not sold, their currencies differ, or the yearly one is not cheaper.
  package var yearlySavingsPercent: Int? {
    guard let monthly = products.first(where: { $0.plan == .monthly }),
      let yearly = products.first(where: { $0.plan == .yearly }), monthly.currency == yearly.currency,
      let twelve = monthly.price.multiplied(by: 12), let saved = twelve.subtracting(yearly.price), saved > .zero
    else { return nil }
    let scale = max(twelve.scale, saved.scale)
    guard let numerator = saved.units(ofScale: scale), let denominator = twelve.units(ofScale: scale)
    else { return nil }
    return Decimal(100).multiplied(by: numerator, over: denominator, roundedTo: 0).map { Int($0.significand) }
  }

  /// Reads a catalogue strictly, as a product that is half understood would entitle by mistake. The error has the
  /// pointer of the first problem.
  package init(file text: [UInt8]) throws(PremiumError) {
    try self.init(document: text)
    var ids: Set<String> = []
    for (index, product) in products.enumerated() {
      let place = "/products/\(index)"
      guard product.price > .zero else {
        throw PremiumError(.invalidValue, "expected a decimal above zero such as 2.99", at: place + "/price")
      }
      guard product.currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
        throw PremiumError(.invalidValue, "expected an ISO 4217 code such as USD", at: place + "/currency")
      }
      guard ids.insert(product.id).inserted else {
        throw PremiumError(.duplicateID, "another product has this id", at: place + "/id")
      }
    }
    guard !products.isEmpty else {
      throw PremiumError(.invalidValue, "expected at least one product", at: "/products")
    }
  }
}

extension ProductPeriod {
  /// The end of a period from `start`: the same UTC time of day, on the last day of a month that is shorter.
  func end(from start: Instant) -> Instant {
    switch unit {
    case .day: start.advanced(by: Int64(count) * 86_400_000)
    case .week: start.advanced(by: Int64(count) * 7 * 86_400_000)
    case .month: ProductPeriod.end(from: start, months: count)
    // A catalogue has no units of later versions.
    case .year, .unknown: ProductPeriod.end(from: start, months: count * 12)
    }
  }

  private static func end(from start: Instant, months: Int) -> Instant {
    let (day, millisecond) = start.utc
    let (year, month, dayOfMonth) = day.components
    let total = year * 12 + (month - 1) + months
    let (endYear, endMonth) = (total / 12, total % 12 + 1)
    let endDay = min(dayOfMonth, CivilDay.length(ofMonth: endMonth, year: endYear))
    // Outside the years 1 to 9999, a month counts as thirty days.
    guard let end = CivilDay(year: endYear, month: endMonth, day: endDay) else {
      return start.advanced(by: Int64(months) * 30 * 86_400_000)
    }
    return Instant(milliseconds: Int64(end.daysSinceEpoch) * 86_400_000 + Int64(millisecond))
  }
}
