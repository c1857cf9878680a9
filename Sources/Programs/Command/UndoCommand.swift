import JSON
import TerminalPages

/// `daybook undo`: undoes the latest change that a terminal logged.
struct UndoCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard arguments.operands.isEmpty else {
      throw UsageError(message: "undo takes no words: it undoes the latest entry that “daybook log” stored")
    }
  }

  func run() throws(UsageError) -> Int32 {
    try Inquiry.run(arguments, reads: false) { inquiry in
      let (result, json) = try inquiry.answer("changes/undo", [])
      if inquiry.wantsJSON {
        Terminal.write(json + [0x0A], to: 1)
      } else {
        for line in inquiry.surface.lines(UndoCommand.sentence(result)) { Terminal.print(line) }
      }
      return DaybookCommand.Status.done
    }
  }

  /// What was undone: “Undone: Meal “porridge”: 350 kcal”, and of several lines “Undone: 3 meals deleted”.
  private static func sentence(_ result: JSONValue) -> String {
    if let text = result["text"]?.text { return "Undone: \(text)" }
    var kinds: [String] = []
    var counts: [String: Int] = [:]
    var days: [String] = []
    for change in result.list("changes") {
      let kind = change.text("domain") + " " + change.text("kind")
      if counts[kind] == nil { kinds.append(kind) }
      counts[kind, default: 0] += 1
      if let day = change["day"]?.text, !days.contains(day) { days.append(day) }
    }
    let parts = kinds.map { kind in
      let (count, words) = (counts[kind] ?? 1, kind.split(separator: " "))
      var noun = ""
      for letter in words[0] { noun += letter.isUppercase ? " " + letter.lowercased() : String(letter) }
      if count == 1, noun.last == "s" { noun.removeLast() }
      return "\(count) \(noun) \(words[1])"
    }
    return "Undone: \(parts.joined(separator: ", "))" + (days.count == 1 ? ", on \(days[0])" : "")
  }
}
