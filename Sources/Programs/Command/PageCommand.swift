import CivilTime
import JSON
import TerminalPages

/// `daybook today`, `day`, `agenda`, and the listings: print what is stored, as pages for people.
struct PageCommand {
  private let name: String
  private let arguments: Arguments
  private let operand: String?

  init(_ name: String, _ arguments: Arguments) throws(UsageError) {
    (self.name, self.arguments) = (name, arguments)
    operand = arguments.operands.first
    let most = name == "today" ? 0 : 1
    guard arguments.operands.count <= most else {
      throw UsageError(
        message: "“daybook \(name)” takes \(most == 0 ? "no words" : "one word"); see “daybook help \(name)”")
    }
    if name == "day", operand == nil {
      throw UsageError(message: "day needs a day, such as “daybook day yesterday”")
    }
  }

  func run() throws(UsageError) -> Int32 {
    return try Inquiry.run(arguments) { inquiry in
      let day = try inquiry.optionalDay()
      if name == "today", day == nil { return try agenda(inquiry, nil) }
      let anchor = try day ?? inquiry.today()
      if let listing = Listing(rawValue: name) {
        if arguments.flags.contains("--year") { return try heatMaps(inquiry, anchor) }
        if listing == .workouts, let operand, try !DayWords.isRange(operand, today: inquiry.today()) {
          return try records(of: operand, inquiry)
        }
        return try list(listing, inquiry, anchor)
      }
      return try agenda(inquiry, try days(inquiry, anchor))
    }
  }

  // MARK: days

  /// The most days of an agenda.
  private static let longestAgenda = 62

  private func days(_ inquiry: Inquiry, _ anchor: CivilDay) throws -> ClosedRange<CivilDay> {
    switch name {
    case "today": return anchor...anchor
    case "day":
      let day = try inquiry.day(operand ?? "today")
      return day...day
    default:
      let range = try inquiry.range(operand, anchor: anchor, usual: anchor...anchor.advanced(by: 29))
      guard range.dayCount <= PageCommand.longestAgenda else {
        throw UsageError(message: "an agenda has at most \(PageCommand.longestAgenda) days: name fewer")
      }
      return range
    }
  }

  /// - Parameter range: The days; nil for today, which the agenda names itself.
  private func agenda(_ inquiry: Inquiry, _ range: ClosedRange<CivilDay>?) throws -> Int32 {
    let (agenda, json) = try inquiry.answer("agenda/get", range.map { PageCommand.params($0) } ?? [])
    if inquiry.wantsJSON {
      Terminal.show(json + [0x0A])
    } else {
      let today = try range == nil ? CivilDay(agenda.text("from")) ?? inquiry.today() : inquiry.today()
      let page = DayPage(agenda, today: today, surface: inquiry.surface).lines
      inquiry.show(name == "agenda" ? page : page + (try unsent(inquiry)))
    }
    return DaybookCommand.Status.done
  }

  /// How much the other devices do not have yet, if there are any.
  private func unsent(_ inquiry: Inquiry) throws -> [String] {
    let status = try inquiry.ask("sync/status")
    guard status["remote"] != nil, let count = status["pending"]?.integer, count > 0 else { return [] }
    return [""] + inquiry.surface.lines("\(count) \(count == 1 ? "change" : "changes") not sent: daybook sync", .yellow)
  }

  private static func params(_ range: ClosedRange<CivilDay>) -> [JSONObject.Member] {
    [("from", .string("\(range.lowerBound)")), ("to", .string("\(range.upperBound)"))]
  }

  // MARK: listings

  private func list(_ listing: Listing, _ inquiry: Inquiry, _ anchor: CivilDay) throws -> Int32 {
    let usual = listing.looksAhead ? anchor...anchor.advanced(by: 29) : anchor.advanced(by: -29)...anchor
    let range = try inquiry.range(operand, anchor: anchor, usual: usual)
    let (method, params) = try listing.request(range, today: inquiry.today())
    var (page, json) = try inquiry.answer(method, params)
    if inquiry.wantsJSON {
      Terminal.show(json + [0x0A])
      return DaybookCommand.Status.done
    }
    var items = listing.items(of: page)
    while let cursor = page["nextCursor"] {
      page = try inquiry.ask(method, params + [("cursor", cursor)])
      items += listing.items(of: page)
    }
    let names = listing == .habits ? try inquiry.ask("habits/list").list("habits") : []
    inquiry.show(listing.lines(items, page, range, habits: names, on: inquiry.surface))
    return DaybookCommand.Status.done
  }

  /// A heat map of the last year for each habit.
  private func heatMaps(_ inquiry: Inquiry, _ anchor: CivilDay) throws -> Int32 {
    let first = try inquiry.firstWeekday(of: anchor)
    var lines: [String] = []
    let (list, json) = try inquiry.answer("habits/list", [])
    if inquiry.wantsJSON {
      Terminal.show(json + [0x0A])
      return DaybookCommand.Status.done
    }
    let year = anchor.components.year
    for habit in list.list("habits") {
      var levels: [CivilDay: Int] = [:]
      for year in [year - 1, year] {
        let params: [JSONObject.Member] = [("id", habit["id"] ?? .null), ("year", .number(JSONNumber(year)))]
        for cell in try inquiry.ask("habits/heatMap", params).list("cells") {
          guard let day = CivilDay(cell.text("day")) else { continue }
          levels[day] = cell["level"]?.integer
        }
      }
      if !lines.isEmpty { lines.append("") }
      lines.append(inquiry.surface.line(habit.text("name"), .bold))
      lines += HeatMap.lines(levels, last: anchor, firstWeekday: first, on: inquiry.surface)
    }
    inquiry.show(lines.isEmpty ? inquiry.surface.lines(Listing.noHabits) : lines)
    return DaybookCommand.Status.done
  }

  // MARK: records of an exercise

  private func records(of name: String, _ inquiry: Inquiry) throws -> Int32 {
    let known = try inquiry.ask("library/resolve", [("name", .string(name))])["exercise"]
    let exercise: JSONObject.Member = known.flatMap { $0["id"] }.map { ("exerciseId", $0) } ?? ("name", .string(name))
    let (result, json) = try inquiry.answer("training/records", [exercise])
    if inquiry.wantsJSON {
      Terminal.show(json + [0x0A])
    } else {
      inquiry.show(Listing.recordLines(result.list("records"), of: name, on: inquiry.surface))
    }
    return DaybookCommand.Status.done
  }
}
