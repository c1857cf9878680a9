import DaybookProtocol
import FileStoreTesting
import Testing

@testable import NutritionService

@Suite("Decoding a stored meal's amounts")
struct MealAmountsTests {
  private func plain(_ text: [UInt8]) -> Nutrients? { text.withUnsafeBytes { StoredMeal(plain: $0)?.nutrients } }

  private func read(_ text: [UInt8]) -> Nutrients? {
    try? JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      return try StoredMeal(from: &reader).nutrients
    }
  }

  @Test("The fast decoder agrees with the full one, or gives up")
  func agreement() throws {
    var random = SeededGenerator(seed: 3)
    let text =
      #"{"id":"x","name":"Oat \"bowl\"","calories":350,"protein":"12.50","carbs":"0","fat":"5000","estimate":{"low":1}}"#
    #expect(plain(Array(text.utf8))?.calories == 350)
    #expect(plain(Array(text.utf8))?.protein?.description == "12.50")
    var taken = 0
    for _ in 0..<50_000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        bytes[at] = Array("0123456789.-\"{}:,ab\\".utf8).randomElement(using: &random) ?? 0
      }
      guard let quick = plain(bytes), let proper = read(bytes) else { continue }
      taken += 1
      if quick.calories != proper.calories || quick.protein?.description != proper.protein?.description
        || quick.carbs?.description != proper.carbs?.description || quick.fat?.description != proper.fat?.description
      {
        Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(quick), \(proper)")
      }
    }
    #expect(taken > 1000)
  }

  @Test(
    "The fast decoder gives up on values out of range",
    arguments: [
      #"{"calories":20001}"#, #"{"calories":-1}"#, #"{"calories":"1"}"#, #"{"calories":1,"fat":"5000.01"}"#,
      #"{"calories":1,"fat":"1.234"}"#, #"{"calories":1,"fat":1}"#, #"{"calories":1,"calories":2}"#, #"{"name":"a"}"#,
    ])
  func bounds(_ text: String) { #expect(plain(Array(text.utf8)) == nil) }
}
