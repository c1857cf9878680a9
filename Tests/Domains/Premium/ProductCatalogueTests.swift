import DaybookProtocol
import Premium
import Testing

struct ProductCatalogueTests {
  @Test("The products are read in the order of the file")
  func reads() throws {
    let catalogue = try theCatalogue()
    #expect(catalogue.products.map(\.id) == [monthly, yearly])
    #expect(
      catalogue.product(yearly)
        == CatalogueProduct(
          id: yearly, plan: .yearly, price: try #require(Decimal("23.99")), currency: "USD",
          period: ProductPeriod(unit: .year, count: 1), trialDays: 7))
    #expect(catalogue.product("x") == nil)
  }

  @Test("The embedded catalogue is that of the decisions")
  func embedded() throws {
    #expect(try ProductCatalogue(file: ProductsDocument.text) == theCatalogue())
  }

  @Test(
    "The saving of the yearly plan is rounded; there is none without a comparison",
    arguments: [
      ("2.99", "23.99", "USD", 33), ("9.99", "49.99", "USD", 58), ("1", "12", "USD", nil), ("1", "13", "USD", nil),
      ("2.99", "23.99", "EUR", nil), ("2", "11.88", "USD", 51), ("1.00", "11.94", "USD", 1),
    ] as [(String, String, String, Int?)])
  func saving(_ month: String, _ year: String, _ currency: String, _ percent: Int?) throws {
    let monthly = "\"\(month)\",\"currency\":\"\(currency)\""
    let text = catalogueText.replacing("\"2.99\",\"currency\":\"USD\"", with: monthly)
      .replacing("23.99", with: year)
    #expect(try ProductCatalogue(file: Array(text.utf8)).yearlySavingsPercent == percent)
  }

  @Test(
    "An invalid file is refused with a pointer",
    arguments: [
      ("\"23.99\"", "\"0\"", "invalidValue /products/1/price"),
      ("\"23.99\"", "\"-1\"", "invalidValue /products/1/price"),
      ("\"23.99\"", "\"23,99\"", "invalidValue /products/1/price"),
      ("\"23.99\"", "23.99", "wrongType /products/1/price"),
      ("\"yearly\"", "\"weekly\"", "invalidValue /products/1/plan"),
      ("\"id\":\"daybook.premium.yearly\"", "\"id\":\"daybook.premium.monthly\"", "duplicateId /products/1/id"),
      ("\"id\":\"daybook.premium.yearly\"", "\"id\":\"\"", "invalidValue /products/1/id"),
      ("\"id\":\"daybook.premium.yearly\",", "", "missingMember /products/1/id"),
      ("\"USD\"", "\"usd\"", "invalidValue /products/0/currency"),
      ("\"unit\":\"month\"", "\"unit\":\"moon\"", "invalidValue /products/0/period/unit"),
      ("\"count\":1", "\"count\":0", "invalidValue /products/0/period/count"),
      ("\"trialDays\":7", "\"trialDays\":-1", "invalidValue /products/0/trialDays"),
      ("\"trialDays\":7", "\"trailDays\":7", "unknownMember /products/0/trailDays"),
      ("{\"products\":[", "{\"products\":[7,", "wrongType /products/0"),
      ("{\"products\":[", "{\"product\":[", "unknownMember /product"),
      ("]}", "]", "malformed "),
    ])
  func refuses(_ old: String, _ new: String, _ expected: String) {
    let text = Array(catalogueText.replacing(old, with: new).utf8)
    #expect(refusal { () throws(PremiumError) in _ = try ProductCatalogue(file: text) } == expected)
  }

  @Test("A catalogue without products is refused")
  func empty() {
    let text = Array("{\"products\":[]}".utf8)
    #expect(
      refusal { () throws(PremiumError) in _ = try ProductCatalogue(file: text) } == "invalidValue /products")
  }
}
