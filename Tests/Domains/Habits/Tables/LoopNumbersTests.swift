import DaybookProtocol
import FileStoreTesting
import Habits
import Tables
import Testing

@testable import HabitTables

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A second, simple implementation of Loop's rules (`EntryList.kt`, `ScoreList.kt`, `Score.kt` of iSoron/uhabits): what
/// it shows and exports of a habit.
private struct LoopHabit {
  enum Kind { case yesNo, atLeast(Double), atMost(Double) }

  var name: String
  var kind: Kind
  var times: Int
  var days: Int
  /// The entries by day from 0: 2 for yes, 0 for no, 3 for a skip, thousandths for numeric habits.
  var entered: [Int: Int]
  let length: Int

  /// The shown value of each day; −1 for unknown.
  var marks: [Int] {
    var marks = (0..<length).map { entered[$0] ?? -1 }
    guard case .yesNo = kind else { return marks }
    let done = entered.filter { $0.value == 2 }.keys.sorted(by: >)
    var spans: [(first: Int, center: Int, last: Int)] = []
    for index in done.indices where index >= times - 1 {
      let (first, center) = (done[index], done[index - times + 1])
      if center - first < days { spans.append((first, center, first + days - 1)) }
    }
    for index in spans.indices.dropFirst() {
      let gap = spans[index].last - spans[index - 1].first
      guard gap >= 0 else { continue }
      let shift = min(spans[index].last - spans[index].center, gap + 1)
      spans[index].first -= shift
      spans[index].last -= shift
    }
    for span in spans {
      for day in max(0, span.first)...max(0, span.last)
      where day < length && day >= span.first && (entered[day] ?? 0) < 2 {
        marks[day] = 1
      }
    }
    return marks
  }

  /// The score of each day from the first known one.
  func scores(from first: Int) -> [Double] {
    let marks = marks
    let frequency = Double(times) / Double(days)
    let keeps = pow(0.5, frequency.squareRoot() / 13)
    var score = 0.0
    if case .atMost = kind { score = 1 }
    return (first..<length).map { day in
      let part: Double
      switch kind {
      case .yesNo:
        let (most, width) = frequency < 1 ? (2 * times, 2 * days) : (times, days)
        // Unlike in Loop, a skipped day is no part of the window.
        let sum = (first...day).filter { marks[$0] != 3 }.suffix(width).filter { marks[$0] == 2 }.count
        part = min(1, Double(sum) / Double(most))
      case .atLeast(let target): part = min(1, sum(marks, day) / target)
      case .atMost(let target): part = min(1, max(0, 1 - (sum(marks, day) - target) / target))
      }
      if marks[day] != 3 { score = score * keeps + part * (1 - keeps) }
      return score
    }
  }

  /// The amount of the days of the interval that end with a day.
  private func sum(_ marks: [Int], _ day: Int) -> Double {
    Double(marks[max(0, day - days + 1)...day].reduce(0) { $0 + max(0, $1) }) / 1000
  }

  /// Its row in `Habits.csv`.
  func row(_ position: Int) -> String {
    let (type, unit, direction, target) =
      switch kind {
      case .yesNo: ("YES_NO", "", "", "")
      case .atLeast(let target): ("NUMERICAL", "km", "AT_LEAST", "\(target)")
      case .atMost(let target): ("NUMERICAL", "cups", "AT_MOST", "\(target)")
      }
    return "00\(position),\(name),\(type),,,\(times),\(days),#FF8F00,\(unit),\(direction),\(target),false\n"
  }

  /// A mark in the form of `Checkmarks.csv`.
  static func text(_ mark: Int) -> String {
    switch mark {
    case -1: "UNKNOWN"
    case 0: "NO"
    case 1: "YES_AUTO"
    case 2: "YES_MANUAL"
    case 3: "SKIP"
    default: "\(mark)"
    }
  }

  /// A random habit with random marks.
  init(_ number: Int, length: Int, _ random: inout SeededGenerator) {
    (name, self.length) = ("Habit \(number)", length)
    switch number % 4 {
    case 0: (kind, times, days) = (.yesNo, 1, 1)
    case 1:
      days = random.among(2...14)
      (kind, times) = (.yesNo, random.among(1...(days - 1)))
    case 2: (kind, times, days) = (.atLeast(Double(random.among(1...20)) / 2), 1, random.among(1...8))
    default: (kind, times, days) = (.atMost(Double(random.among(1...5))), 1, random.among(1...8))
    }
    entered = [:]
    let density = random.among(1...4)
    for day in 0..<length where random.below(5) < density {
      if case .yesNo = kind {
        entered[day] = random.once(in: 8) ? 3 : random.once(in: 6) ? 0 : 2
      } else {
        // Of several days Loop adds the 3 that stands for a skip as thousandths; here a skip is neutral.
        let isSkip = random.once(in: 8) && days == 1
        entered[day] = isSkip ? 3 : random.once(in: 4) ? 500 + random.below(5000) : 1000 * random.below(12)
      }
    }
    if entered.isEmpty { entered[0] = 3 }
  }
}

@Suite("A Loop export against Loop's own numbers")
struct LoopNumbersTests {
  @Test("An import shows what Loop shows, day by day, with the same scores", arguments: 0..<40)
  func numbers(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 9)
    let length = random.among(20...200)
    let loop = (1...8).map { LoopHabit($0, length: length, &random) }
    let first = Shelf.today.advanced(by: 1 - length)
    var habits = "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,"
    habits += "Target Type,Target Value,Archived?\n" + loop.enumerated().map { $1.row($0 + 1) }.joined()
    let marks = loop.map(\.marks)
    var text = "Date," + loop.map { $0.name + "," }.joined() + "\n"
    for day in (0..<length).reversed() {
      text += "\(first.advanced(by: day))," + marks.map { LoopHabit.text($0[day]) + "," }.joined() + "\n"
    }
    var shelf = Shelf()
    try shelf.take(habits)
    try shelf.take(text)
    #expect(shelf.habits.count == loop.count)
    for (loop, marks) in zip(loop, marks) {
      let habit = try #require(shelf.habit(loop.name))
      let start = try #require(marks.firstIndex { $0 != -1 })
      #expect(habit.startDay == first.advanced(by: start))
      let records = shelf.logs.values.filter { $0.habitId == habit.id }.sorted { $0.day < $1.day }.map { log in
        HabitRecord(log.day, log.value.map { Thousandths.value($0) }, isSkipped: log.skipped == true)
      }
      let timeline = HabitTimeline(HabitPlan(habit), HabitHistory(records), today: Shelf.today, firstWeekday: 0)
      let facts = timeline.facts
      try #require(facts.count == length - start)
      for day in start..<length {
        let fact = facts[day - start]
        let shown: Int
        if fact.isSkipped {
          shown = 3
        } else if case .yesNo = loop.kind {
          shown = fact.hasValue && fact.isMet ? 2 : fact.isCovered ? 1 : fact.hasValue ? 0 : -1
        } else {
          shown = fact.hasValue ? Int(fact.value) : -1
        }
        #expect(shown == marks[day], "\(loop.name), day \(day) of \(length): \(marks[day])")
      }
      // Today is not over here, so it lowers no score; in Loop it does.
      let scores = zip(loop.scores(from: start), HabitStrength.series(timeline)).dropLast()
      for (day, (theirs, ours)) in scores.enumerated() {
        #expect(abs(theirs - ours) < 0.00005, "\(loop.name) \(loop.kind), day \(day): \(theirs) and \(ours)")
      }
    }
  }
}
