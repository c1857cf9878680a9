import DaybookProtocol
import ProtocolGenerator
import Testing

/// The pattern of a decimal agrees with the service wherever the bounds can be expressed.
struct DecimalPatternTests {
  private static let texts = {
    let wholes = [
      "", "0", "00", "1", "01", "4", "5", "9", "10", "49", "50", "51", "99", "100", "499", "500", "501", "5000",
    ]
    let fractions = ["", ".", ".0", ".00", ".000", ".5", ".05", ".005", ".999999999", ".0000000000"]
    return ["", "-", "+"].flatMap { sign in wholes.flatMap { whole in fractions.map { sign + whole + $0 } } }
  }()

  @Test(
    "A text matches if and only if it is taken",
    arguments: [
      (nil, nil, nil), (0, nil, 2), (1, nil, 2), (0, 500, 2), (0, 50, 0), (1, 100, 1), (0, 9, 3), (0, 1, 2), (1, 1, 2),
      (1, 5, 0), (1, 500, nil), (0, 10, 0),
    ] as [(Int?, Int?, Int?)])
  func exact(_ minimum: Int?, _ maximum: Int?, _ scale: Int?) throws {
    let pattern = try Regex(DecimalPattern(minimum: minimum, maximum: maximum, scale: scale).text)
    for text in Self.texts {
      let taken =
        (try? JSONReader.read(Array("\"\(text)\"".utf8)) { reader throws(JSONError) in
          try reader.decimal(minimum: minimum.map(Int64.init), maximum: maximum.map(Int64.init), scale: scale)
        }) != nil
      #expect((text.wholeMatch(of: pattern) != nil) == taken, "“\(text)” within \(minimum as Any)…\(maximum as Any)")
    }
  }
}
