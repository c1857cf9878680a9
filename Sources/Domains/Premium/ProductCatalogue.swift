import DaybookProtocol
import JSON
import Values

extension ProductCatalogue {
  /// A catalogue of nothing.
  package static let empty = ProductCatalogue(products: [])

  /// The product of that id.
  package func product(_ id: String) -> CatalogueProduct? { products.first { $0.id == id } }

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

  /// Reads the products of a file.
  ///
  /// Strict, as a product half understood would entitle by mistake. Throws with the place of the first thing wrong: an
  /// unknown member or plan, an id given twice, a price that is no decimal above zero, an empty list.
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
