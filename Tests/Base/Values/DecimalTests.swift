import Testing

@testable import Values

struct DecimalTests {
  @Test(
    "A decimal is written back as typed",
    arguments: [
      "0", "0.0", "0.000000000", "12.50", "12.5", "-0.01", "0.000000001", "-9223372036854775808", "9223372036854775807",
      "-9223372036.854775808", "9223372036.854775807", "100", "1000000000000000000", "-999999999999999999", "10.10",
      "0.123456789", "5", "-5",
    ])
  func roundTrip(_ text: String) throws {
    let decimal = try #require(Decimal(text))
    #expect(decimal.description == text)
    #expect(decimal.description.utf8.count <= Decimal.maximumTextLength)
  }

  @Test("A minus before zero is dropped", arguments: [("-0", "0"), ("-0.00", "0.00")])
  func negativeZero(_ text: String, _ canonical: String) {
    #expect(Decimal(text)?.description == canonical)
    #expect(Decimal(text)?.isNegative == false)
  }

  @Test(
    "Invalid decimal texts are refused",
    arguments: [
      "", "-", ".", "-.", ".5", "-.5", "5.", "-5.", "+5", "00", "01", "-01", "00.5", "-00.5", "1e5", "1E5", "0x10",
      "1,5",
      "1.2.3", "1..2", "1 ", " 1", "--1", "1-", "-+1", "1_000", "NaN", "Infinity", "٣", "１", "1.0000000000",
      "0.1234567891", "9223372036854775808", "-9223372036854775809", "9223372036.854775808", "99999999999999999999",
      "1\0", "/", ":", "1/", "1:",
    ])
  func refused(_ text: String) {
    #expect(Decimal(text) == nil)
  }

  @Test("Every text of a random value reads back as the same value and scale")
  func randomRoundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let decimal = try random(&generator)
      let back = try #require(Decimal(decimal.description), "\(decimal)")
      try #require(back.significand == decimal.significand && back.scale == decimal.scale, "\(decimal)")
    }
  }

  @Test("Ten thousand random texts are read exactly when they are valid")
  func randomTexts() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("00123456789.--+e ")
    for _ in 0..<10_000 {
      let text = String((0..<Int.random(in: 0...22)).compactMap { _ in alphabet.randomElement(using: &generator) })
      let isWellFormed = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]{1,9})?/) != nil
      let fits = Int64(text.filter { $0 != "." }) != nil
      try #require((Decimal(text) != nil) == (isWellFormed && fits), "\(text)")
    }
  }

  @Test(
    "Equality, order and hash are those of the value",
    arguments: [
      ("12.5", "12.50"), ("0", "0.000000000"), ("-1", "-1.0"), ("100", "100.00"),
      ("9223372036", "9223372036.000000000"),
    ])
  func equality(_ left: String, _ right: String) throws {
    let (left, right) = (try #require(Decimal(left)), try #require(Decimal(right)))
    #expect(left == right)
    #expect(!(left < right) && !(right < left))
    #expect(left.hashValue == right.hashValue)
    #expect(left.normalized.description == right.normalized.description)
  }

  @Test("Random pairs compare and add like their digits at nine places")
  func model() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let (left, right) = (try random(&generator), try random(&generator))
      let (a, b) = (wide(left), wide(right))
      try #require((left < right) == (a < b), "\(left) \(right)")
      try #require((left == right) == (a == b), "\(left) \(right)")
      try check(left.adding(right), a + b, "\(left) + \(right)")
      try check(left.subtracting(right), a - b, "\(left) - \(right)")
      let factor = Int64.random(in: -1000...1000, using: &generator)
      try check(left.multiplied(by: factor), a * Int128(factor), "\(left) * \(factor)")
    }
  }

  @Test("Random roundings agree with integer division by hand")
  func roundingModel() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let decimal = try random(&generator)
      let scale = Int.random(in: 0...9, using: &generator)
      let numerator = Int64.random(in: -400...400, using: &generator)
      var denominator = Int64.random(in: -12...12, using: &generator)
      if denominator == 0 { denominator = 365 }
      // value · numerator / denominator = dividend / divisor units of 10^−scale, everything positive but for the sign.
      let dividend = wide(decimal) * Int128(numerator) * (denominator < 0 ? -1 : 1)
      let divisor = Int128(denominator.magnitude) * power(9 - scale)
      let doubled = dividend.magnitude * 2 + divisor.magnitude
      let magnitude = Int128(doubled / (divisor.magnitude * 2))
      let expected = Int64(exactly: dividend < 0 ? -magnitude : magnitude)
      let result = decimal.multiplied(by: numerator, over: denominator, roundedTo: scale)
      try #require(result?.significand == expected, "\(decimal) * \(numerator) / \(denominator) to \(scale)")
      try #require(result == nil || result?.scale == scale)
    }
  }

  @Test(
    "Half is rounded away from zero",
    arguments: [
      ("0.125", 2, "0.13"), ("-0.125", 2, "-0.13"), ("0.1249", 2, "0.12"), ("2.5", 0, "3"), ("-2.5", 0, "-3"),
      ("1.5", 3, "1.500"), ("0.5", 0, "1"), ("-0.4", 0, "0"), ("9.99", 1, "10.0"),
      ("922337203685477580.7", 0, "922337203685477581"),
    ])
  func rounding(_ text: String, _ scale: Int, _ rounded: String) throws {
    #expect(try #require(Decimal(text)).rounded(toScale: scale)?.description == rounded)
  }

  @Test("Sums drop trailing zeros before they fail")
  func zerosGiveWay() throws {
    let large = try #require(Decimal("9223372036854775806"))
    let one = try #require(Decimal("1.00"))
    #expect(large.adding(one)?.description == "9223372036854775807")
    #expect(large.adding(one)?.adding(one) == nil)
    #expect(large.adding(try #require(Decimal("0.5"))) == nil)
    #expect(try #require(Decimal("1.50")).adding(try #require(Decimal("0.5")))?.description == "2.00")
  }

  @Test("Results that do not fit are nil, and nothing traps")
  func overflow() throws {
    let least = try #require(Decimal("-9223372036854775808"))
    let largest = try #require(Decimal("9223372036854775807"))
    #expect(least.negated == nil)
    #expect(largest.negated?.description == "-9223372036854775807")
    #expect(least.subtracting(largest) == nil)
    #expect(least.multiplied(by: .min) == nil)
    #expect(least.multiplied(by: .min, over: .min, roundedTo: 0) == least)
    #expect(least.multiplied(by: .min, over: 1, roundedTo: 9) == nil)
    #expect(least.multiplied(by: 1, over: 0, roundedTo: 0) == nil)
    #expect(least.multiplied(by: 1, over: -1, roundedTo: 0) == nil)
    #expect(Decimal.zero.multiplied(by: 1, over: .min, roundedTo: 9) == .zero)
    #expect(largest.rounded(toScale: 1) == nil)
    #expect(largest.rounded(toScale: .max) == nil)
    #expect(largest.rounded(toScale: .min) == nil)
    #expect(Decimal(significand: 1, scale: 10) == nil)
    #expect(Decimal(significand: 1, scale: -1) == nil)
    #expect(try #require(Decimal("-9223372036.854775808")).multiplied(by: 1, over: .min, roundedTo: 0) == .zero)
  }

  @Test("Units are exact or nil")
  func units() throws {
    #expect(try #require(Decimal("12.5")).units(ofScale: 2) == 1250)
    #expect(try #require(Decimal("12.50")).units(ofScale: 1) == 125)
    #expect(try #require(Decimal("12.55")).units(ofScale: 1) == nil)
    #expect(try #require(Decimal("-3")).units(ofScale: 0) == -3)
    #expect(try #require(Decimal("9223372036854775807")).units(ofScale: 1) == nil)
    #expect(Decimal(7).units(ofScale: 10) == nil)
    #expect(Decimal(7).units(ofScale: -1) == nil)
  }

  /// A random decimal of any length.
  private func random(_ generator: inout SystemRandomNumberGenerator) throws -> Decimal {
    let shift = Int64.random(in: 0...63, using: &generator)
    let significand = Int64.random(in: .min ... .max, using: &generator) >> shift
    return try #require(Decimal(significand: significand, scale: Int.random(in: 0...9, using: &generator)))
  }

  /// A power of 10.
  private func power(_ exponent: Int) -> Int128 {
    (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 }
  }

  /// The value in units of 10^−9, from its text.
  private func wide(_ decimal: Decimal) -> Int128 {
    let parts = decimal.description.split(separator: ".")
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    return Int128(String(parts[0]) + fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0
  }

  /// Expects the given value, or nil only when no scale could hold it.
  private func check(_ result: Decimal?, _ expected: Int128, _ title: String) throws {
    if let result {
      try #require(wide(result) == expected, "\(title)")
    } else {
      let fits = (0...9).contains { scale in
        expected % power(9 - scale) == 0 && Int64(exactly: expected / power(9 - scale)) != nil
      }
      try #require(!fits, "\(title)")
    }
  }
}
