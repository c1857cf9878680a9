import DomainKit
import Testing

@testable import NutritionService

@Suite("Derived ids")
struct DerivedIDTests {
  // Stored folders have these ids, so they must never change. The values come from an independent implementation.

  @Test(
    "The id of a favourite never changes",
    arguments: [
      ("porridge", "516b4a14-a997-8172-8698-7b808ab9f695"), ("creme brulee", "5ee376cf-8bd8-81f4-a95f-640e35a7cba8"),
      ("🍎", "cf3d0ec0-ea4f-82c2-aba4-19fd90606047"), ("", "b2e94837-3916-8296-8234-79181f1441ca"),
    ])
  func favourite(_ name: String, _ id: String) {
    #expect(DerivedID.favourite(Array(name.utf8)).description == id)
  }

  @Test("The id of a meal's copy never changes")
  func copy() throws {
    let copy = try #require(EntityID("11111111-1111-4111-8111-111111111111"))
    let meal = try #require(EntityID("22222222-2222-4222-8222-222222222222"))
    let id = EntityID(high: DerivedID.copiesHigh(copy), low: DerivedID.copyLow(copy, of: meal))
    #expect(id.description == "e966c51d-2586-822d-9c9f-bca0ea872be6")
  }
}
