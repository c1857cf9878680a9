import DaybookProtocol
import Nutrition
import Testing

@Suite("Other nutrients")
struct OtherNutrientsTests {
  @Test("A sum has the amounts of both operands, normalized; it is nil for two nils")
  func sums() throws {
    var oats = OtherNutrients()
    oats.fibre = Decimal("4.10")
    oats.sodium = Decimal("20")
    var coffee = OtherNutrients()
    coffee.caffeine = Decimal("80")
    coffee.sodium = Decimal("1.5")
    let both = try #require(OtherNutrients.sum(oats, coffee))
    #expect(both.fibre == Decimal("4.1") && both.sodium == Decimal("21.5") && both.caffeine == Decimal("80"))
    #expect(both.sugar == nil)
    #expect(OtherNutrients.sum(nil, nil) == nil)
    #expect(OtherNutrients.sum(oats, nil) == oats)
    #expect(OtherNutrients().known == nil && oats.known == oats)
  }

  @Test("A meal may have 5,000 g and 100,000 mg of each, and no more")
  func limits() {
    for member in OtherNutrients.members {
      var amounts = OtherNutrients()
      amounts[keyPath: member.amount] = member.most
      #expect(amounts.fitsMeal)
      #expect(String(decoding: amounts.json, as: UTF8.self) == #"{"\#(member.name)":"\#(member.most)"}"#)
      amounts[keyPath: member.amount] = member.most.adding(Decimal("0.01") ?? .zero)
      #expect(!amounts.fitsMeal)
    }
  }
}
