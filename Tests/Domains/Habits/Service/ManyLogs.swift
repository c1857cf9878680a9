import CivilTime
import JSON
import ProcessTesting
import ServerTesting

/// Two habits with more logs than are read at once, and the answers while they are being read.
struct ManyLogs {
  private let service: InProcessService
  private let folder: String
  private static let habits = (1...2).map { "e0000000-0000-4000-8000-00000000000\($0)" }

  init?(folder: String) {
    guard let service = InProcessService(folder: folder) else { return nil }
    self.folder = folder
    self.service = service
  }

  /// The wrong answers.
  func mismatches() -> [String] {
    var mismatches: [String] = []
    _ = service.call("debug/forcePremium", #"{"active":true}"#)
    for id in ManyLogs.habits {
      let reminders = #""reminders":[{"time":"22:00"}]"#
      _ = service.call("habits/add", #"{"id":"\#(id)","name":"\#(id)","startDay":"2016-01-01",\#(reminders)}"#)
    }
    let days = ManyLogs.days
    let entries = ManyLogs.habits.flatMap { id in days.map { #"{"habitId":"\#(id)","day":"\#($0)","value":"1"}"# } }
    let stored = service.call("habitLogs/setMany", #"{"entries":[\#(entries.joined(separator: ","))]}"#)
    if stored["error"] != nil { mismatches.append(stored.text) }
    // Large changes, after which everything is reread; then small ones, which are followed.
    for change in [
      ("habits/archive", #"{"id":"\#(ManyLogs.habits[0])"}"#), ("habits/delete", #"{"id":"\#(ManyLogs.habits[0])"}"#),
      ("changes/undo", "{}"), ("habitLogs/skip", #"{"habitId":"\#(ManyLogs.habits[1])","day":"2020-02-29"}"#),
    ] {
      let answer = service.call(change.0, change.1)
      if answer["error"] != nil { mismatches.append(answer.text) }
      mismatches += compare()
    }
    service.close()
    return mismatches
  }

  /// The first 22 days of each month of ten years, about 2,640 days.
  private static let days: [CivilDay] = (0..<3_650).compactMap { number in
    CivilDay("2016-01-01").map { $0.advanced(by: number) }
  }.filter { $0.components.day <= 22 }

  private static let questions = [
    ("dashboard/get", "{}"), ("habits/list", #"{"archived":true}"#), ("habits/streaks", #"{"id":"\#(habits[1])"}"#),
    ("measures/get", #"{"names":["habitsDue","habitsDone"],"from":"2025-12-20","to":"2026-01-05"}"#),
    ("agenda/get", #"{"from":"2025-12-30","to":"2026-01-05"}"#), ("habits/overview", #"{"from":"2025-12-01"}"#),
  ]

  private func compare() -> [String] {
    guard let cold = InProcessService(folder: folder) else { return ["no pipes"] }
    defer { cold.close() }
    // A write is not restarted: everything is read at once for it. This one changes nothing.
    _ = cold.call("habits/reorder", #"{"habitIds":["\#(ManyLogs.habits[1])"]}"#)
    var mismatches: [String] = []
    // The first read of a process is answered after everything is read, and no reminder is missing in it.
    if let first = InProcessService(folder: folder) {
      let (warm, fresh) = (service.call("reminders/plan", "{}"), first.call("reminders/plan", "{}"))
      if warm["result"] != fresh["result"] || warm["result"]?["total"]?.integer ?? 0 < 1 {
        mismatches.append("reminders/plan: \(warm.text) and first in a new process \(fresh.text)")
      }
      first.close()
    }
    return mismatches
      + ManyLogs.questions.compactMap { method, params in
        let (warm, fresh) = (service.call(method, params), cold.call(method, params))
        guard warm["result"] == fresh["result"], warm["result"] != nil else {
          return "\(method): \(warm.text) and of a new process \(fresh.text)"
        }
        return nil
      }
  }
}
