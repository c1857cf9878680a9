import JSON
import Values

/// The products that are known, in the order of their file. A product that is not here entitles to nothing.
package struct ProductCatalogue: Hashable, Sendable {
  /// The products in the order of the file, ids unique.
  package let products: [StoreProduct]

  /// A catalogue of nothing.
  package static let empty = ProductCatalogue(products: [])

  /// The product of that id.
  package func product(_ id: String) -> StoreProduct? { products.first { $0.id == id } }

  /// What a year of the yearly plan saves against twelve of the monthly one, percent of the latter, rounded half up.
  ///
  /// Nil when one of the two is not sold, when their currencies differ, or when the yearly one is not cheaper.
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
}

extension ProductCatalogue {
  /// Reads `{"products": [{"id", "plan", "price", "currency", "period": {"unit", "count"}, "trialDays"}, …]}`.
  ///
  /// Strict, as a product half understood would entitle by mistake. Throws with the place of the first thing wrong: an
  /// unknown member or plan, an id given twice, a price that is no decimal above zero, an empty list.
  package init(json text: [UInt8]) throws(PremiumError) {
    let document = try DocumentObject(json: text)
    try document.refuseMembers(except: ["products"])
    var products: [StoreProduct] = []
    for (value, pointer) in try document.required("products", document.optionalArray("products")) {
      let product = try ProductCatalogue.product(DocumentObject(value, at: pointer))
      guard !products.contains(where: { $0.id == product.id }) else {
        throw PremiumError(.duplicateID, "another product has this id", at: pointer + "/id")
      }
      products.append(product)
    }
    guard !products.isEmpty else {
      throw PremiumError(.invalidValue, "expected at least one product", at: "/products")
    }
    self.products = products
  }

  private static func product(_ entry: DocumentObject) throws(PremiumError) -> StoreProduct {
    try entry.refuseMembers(except: ["id", "plan", "price", "currency", "period", "trialDays"])
    let id = try entry.required("id", entry.optionalString("id"))
    let plan: PremiumPlan = try entry.required("plan", entry.optionalChoice("plan"))
    guard let price = Decimal(try entry.required("price", entry.optionalString("price"))), price > .zero else {
      throw PremiumError(.invalidValue, "expected a decimal above zero such as 2.99", at: entry.place("price"))
    }
    let currency = try entry.required("currency", entry.optionalString("currency"))
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else {
      throw PremiumError(.invalidValue, "expected an ISO 4217 code such as USD", at: entry.place("currency"))
    }
    let period = try DocumentObject(entry.required("period", entry.value("period")), at: entry.place("period"))
    try period.refuseMembers(except: ["unit", "count"])
    let unit: ProductPeriod.Unit = try period.required("unit", period.optionalChoice("unit"))
    let count = try period.required("count", period.optionalInteger("count", in: 1...366))
    let trialDays = try entry.required("trialDays", entry.optionalInteger("trialDays", in: 0...366))
    return StoreProduct(
      id: id, plan: plan, price: price, currency: currency, period: ProductPeriod(unit: unit, count: count),
      trialDays: trialDays)
  }
}
