import CivilTime
import Testing

struct WallTimeTests {
  @Test("Every minute of a day survives text and components, and follows the minute before")
  func everyMinute() throws {
    var before: WallTime?
    for minutes in 0..<1440 {
      let time = try #require(WallTime(minutesOfDay: minutes))
      #expect(time.minutesOfDay == minutes)
      #expect(WallTime(hour: time.hour, minute: time.minute) == time)
      #expect(WallTime(time.description) == time)
      if let before { #expect(before < time) }
      before = time
    }
    #expect(before?.description == "23:59")
  }

  @Test(
    "A text that no clock shows is refused",
    arguments: ["24:00", "23:60", "7:30", "07:3", "07:30:00", "07-30", " 7:30", "-1:30", "０7:30", "07:30 ", ""])
  func refused(_ text: String) {
    #expect(WallTime(text) == nil)
  }

  @Test("A number that no clock shows is refused", arguments: [(24, 0), (0, 60), (-1, 0), (0, -1), (.max, .max)])
  func refused(_ hour: Int, _ minute: Int) {
    #expect(WallTime(hour: hour, minute: minute) == nil)
    #expect([-1, 1440, .min, .max].allSatisfy { WallTime(minutesOfDay: $0) == nil })
  }
}
