import DomainKit
import Testing

@testable import TableService

@Suite("Ids derived from table rows")
struct RowIDTests {
  // Stored folders have these ids, so they must never change. The values come from an independent implementation.

  @Test(
    "The id of a row never changes",
    arguments: [
      ("meal\u{1F}2026-01-05\u{1F}porridge", "d78a57e3-a07a-8400-9b75-028367cad041"),
      ("é", "a8a9b0f3-d95c-86ce-8460-58f6b2114688"), ("", "fba181bd-685b-89af-a79f-2961f196d69a"),
    ])
  func row(_ key: String, _ id: String) {
    #expect(DerivedID.row(ofKey: key).description == id)
  }
}
