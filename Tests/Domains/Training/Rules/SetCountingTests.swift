import DaybookProtocol
import Testing

@testable import Training

@Suite("Sets with two sides")
struct SetCountingTests {
  @Test(
    "Two sides with the same number are one set, in either order; a third, or the same side again, is another",
    arguments: [
      ("L1 R1 L2 R2", "1 2 1 2"), ("R1 L1", "1 2"), ("L1 R1 L1 R1", "1 2 1 2"), ("L1 R1 L1", "1 2 1"),
      ("L1 L1 R1", "1 1 2"), ("L1 R2", "1 1"), ("-1 R1", "1 1"), ("L1 -1", "1 1"), ("-1 -1", "1 1"), ("", ""),
    ])
  func sides(sets: String, expected: String) {
    let records = sets.split(separator: " ").enumerated().map { place, text in
      SetRecord(
        id: identity(place), number: Int(text.dropFirst()) ?? 0,
        side: text.first == "L" ? .left : text.first == "R" ? .right : nil, done: true)
    }
    #expect(records.areSecondSides.map { $0 ? "2" : "1" }.joined(separator: " ") == expected)
  }
}
