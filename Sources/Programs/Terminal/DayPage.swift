import CivilTime
import JSON

/// The result of `agenda/get` as pages of days.
package struct DayPage {
  private let agenda: JSONValue
  private let today: CivilDay
  private let surface: Surface

  package init(_ agenda: JSONValue, today: CivilDay, surface: Surface) {
    (self.agenda, self.today, self.surface) = (agenda, today, surface)
  }

  /// The lines: the page of the day, or of each day of the range that has anything.
  package var lines: [String] {
    let sections = agenda.list("sections")
    guard agenda["from"] != agenda["to"] else { return page(of: agenda.text("from"), sections) }
    var byDay: [String: [(section: JSONValue, items: [JSONValue])]] = [:]
    for section in sections {
      // The items of a section ascend by day.
      for item in section.list("items") {
        let day = item.text("day")
        if byDay[day]?.last?.section["domain"] == section["domain"] {
          let last = (byDay[day]?.count ?? 1) - 1
          byDay[day]?[last].items.append(item)
        } else {
          byDay[day, default: []].append((section, [item]))
        }
      }
    }
    var lines: [String] = []
    for (day, parts) in byDay.sorted(by: { $0.key < $1.key }) {
      if !lines.isEmpty { lines.append("") }
      lines += title(of: day, parts.flatMap(\.items))
      lines += table(parts).lines(on: surface)
    }
    let range = "\(agenda.text("from")) to \(agenda.text("to"))"
    return lines.isEmpty ? surface.lines("Nothing from \(range).") : lines
  }

  // MARK: a day

  private func page(of day: String, _ sections: [JSONValue]) -> [String] {
    var lines = title(of: day, sections.flatMap { $0.list("items") })
    guard sections.contains(where: { !$0.list("items").isEmpty }) else {
      lines += [""] + surface.lines("Nothing is logged, due or planned.")
      if day == "\(today)" { lines += surface.lines("Log what you eat: daybook log porridge 350") }
      return lines
    }
    for section in sections {
      let items = section.list("items")
      guard !items.isEmpty else { continue }
      let summary = section["summary"]?.text.map { ": \($0)" } ?? ""
      lines += [""] + surface.lines(section.text("title") + summary, .bold)
      lines += table([(section, items)]).lines(on: surface)
    }
    return lines
  }

  /// The order in which states are counted, with those that need attention first.
  private static let states = ["running", "due", "missed", "planned", "done", "skipped"]

  /// The weekday, the date, where it is from today, and how many items are in which state.
  private func title(of text: String, _ items: [JSONValue]) -> [String] {
    guard let day = CivilDay(text) else { return surface.lines(text, .bold) }
    let away = Int(day.daysSinceEpoch) - Int(today.daysSinceEpoch)
    let place: String
    switch away {
    case 0: place = "today"
    case -1: place = "yesterday"
    case 1: place = "tomorrow"
    default: place = away < 0 ? "\(-away) days ago" : "in \(away) days"
    }
    var counts: [String: Int] = [:]
    for item in items { counts[item.text("state"), default: 0] += 1 }
    let parts = DayPage.states.compactMap { state in counts[state].map { "\($0) \(state)" } }
    let stand = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    return surface.lines("\(DayWords.weekday(of: day)) \(day), \(place)\(stand)", .bold)
  }

  /// The cells of a line around its detail: the indent, the mark, the shortest name and the gaps.
  private static let aroundDetail = 11

  /// The detail of an item: one with a value is whole, or if that never fits, its first part.
  private func detail(of item: JSONValue) -> Cell {
    let text = item.text("detail")
    guard item["value"] != nil else { return Cell(text) }
    let isTooLong = surface.width.map { Cells.width(of: text) + DayPage.aroundDetail > $0 } ?? false
    return Cell(isTooLong ? String(text.prefix { $0 != "," }) : text, isWhole: true)
  }

  private func table(_ parts: [(section: JSONValue, items: [JSONValue])]) -> Table {
    var table = Table(
      [
        Column("", .word), Column("", .word, leaves: 2), Column("", .word, leaves: 3), Column("", .name),
        Column("", .name, leaves: 1),
      ], indent: 2, hasTitles: false)
    for (section, items) in parts {
      for item in items {
        table.rows.append([
          surface.mark(of: item["state"]?.text), Cell(item.text("time"), .dim),
          Cell(parts.count > 1 ? section.text("title") : "", .dim), Cell(item.text("title")),
          detail(of: item),
        ])
      }
    }
    return table
  }
}
