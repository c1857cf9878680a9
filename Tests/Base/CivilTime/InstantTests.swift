import Testing

@testable import CivilTime

struct InstantTests {
  @Test(
    "RFC 3339 texts are read to the millisecond",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("2026-01-05T12:00:00.123456Z", 1_767_614_400_123),
      ("2026-01-05T13:00:00+01:00", 1_767_614_400_000), ("2026-01-05t07:30:00-04:30", 1_767_614_400_000),
    ] as [(String, Int64)])
  func reads(_ text: String, _ milliseconds: Int64) {
    #expect(Instant(text)?.milliseconds == milliseconds)
  }

  @Test("Instants with a text survive it, and those just outside do not")
  func written() {
    let days = CivilDay.written
    #expect("\(days.lowerBound)" == "0001-01-01" && "\(days.upperBound)" == "9999-12-31")
    let instants = Instant.written
    for instant in [instants.lowerBound, instants.upperBound] {
      #expect(Instant("\(instant)") == instant)
      #expect(CivilDay(String("\(instant)".prefix(10))).map(days.contains) == true)
    }
    for one in [-1, 1] as [Int64] {
      let edge = one < 0 ? instants.lowerBound : instants.upperBound
      #expect(Instant("\(Instant(milliseconds: edge.milliseconds + one))")?.milliseconds != edge.milliseconds + one)
      let day = one < 0 ? days.lowerBound : days.upperBound
      let beside = CivilDay(daysSinceEpoch: day.daysSinceEpoch + Int32(one))
      #expect(CivilDay("\(beside)") != beside)
    }
  }

  @Test("The text is canonical UTC with milliseconds")
  func writes() {
    #expect(Instant(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Instant(milliseconds: 1_767_614_400_123).description == "2026-01-05T12:00:00.123Z")
  }

  @Test(
    "Texts that RFC 3339 does not allow are refused",
    arguments: [
      "2026-01-05", "2026-01-05T12:00:00", "2026-01-05T24:00:00Z", "2026-01-05T12:60:00Z", "2026-01-05T12:00:60Z",
      "2026-01-05T12:00:00.Z", "2026-01-05T12:00:00+1:00", "2026-01-05T12:00:00Zx", "2026-02-30T12:00:00Z",
      "2026-01-05T12:00:00.1234567890Z",
    ])
  func refused(_ text: String) {
    #expect(Instant(text) == nil)
  }
}
