import TerminalPages

/// The commands that people type.
extension CommandTable {
  static let people =
    [
      CommandEntry(
        name: "today", sentence: "print the page of today", synopsis: ["today"],
        text: ["What was logged, runs, is due, is planned and was skipped or missed, by section. \(marks)"],
        options: pageOptions, statuses: reading, examples: ["daybook today"],
        run: { arguments throws(UsageError) in try PageCommand("today", arguments).run() }),
      CommandEntry(
        name: "day", sentence: "print the page of a day", synopsis: ["day DAY"], text: [days], operands: [.day],
        options: pageOptions, statuses: reading, examples: ["daybook day yesterday", "daybook day fri"],
        run: { arguments throws(UsageError) in try PageCommand("day", arguments).run() }),
      CommandEntry(
        name: "agenda", sentence: "print the pages of several days, the next 30 unless told",
        synopsis: ["agenda [RANGE]"], text: ["An agenda has at most 62 days. \(marks)", ranges], operands: [.range],
        options: pageOptions, statuses: reading, examples: ["daybook agenda week"],
        run: { arguments throws(UsageError) in try PageCommand("agenda", arguments).run() }),
      CommandEntry(
        name: "log", sentence: "store what a line of words says", synopsis: ["log [--day DAY] [--kind KIND] TEXT…|-"],
        text: [
          "A meal is a name with its energy (porridge 350), a weight has its unit (82.4kg), water is a volume (500ml), "
            + "a habit is its name (read, read 20 pages), exercise ends with that word (run 300 exercise), a set of the "
            + "running workout is weight x repetitions (60x8), a charge begins with paid or skip (paid films). The first "
            + "or last word may be a day, any word a time. What has several readings is refused: begin with the kind.",
          "The words are joined. One that contains a space is a name. Options stand before the first word. “-” reads "
            + "entries from standard input, one a line; lines that cannot be read are told, and the others stored.",
        ], operands: [.entry], options: ["--kind", "--dry-run"] + pageOptions,
        statuses: [
          (0, "stored; “--dry-run”: it would be"), (1, "refused, or some lines of standard input were"),
          (3, "no answer came, or standard output cannot be written"),
          (4, "stored, but standard output could not be written"),
        ],
        examples: ["daybook log porridge 350 breakfast", "daybook log yesterday 82.4kg", "daybook log read 20 pages"],
        takesText: true, run: { arguments throws(UsageError) in try LogCommand(arguments).run() }),
      CommandEntry(
        name: "undo", sentence: "undo the latest entry that “daybook log” stored", synopsis: ["undo"],
        text: ["Repeated, it goes further back. Changes made by “daybook call” and by frontends stay."],
        options: pageOptions.filter { $0 != "--day" },
        statuses: [
          (0, "undone"), (1, "there is nothing to undo, or it was refused"),
          (3, "no answer came, or standard output cannot be written"),
          (4, "undone, but standard output could not be written"),
        ],
        examples: ["daybook undo"],
        run: { arguments throws(UsageError) in try UndoCommand(arguments).run() }),
    ]
    + Listing.allCases.map { listing in
      CommandEntry(
        name: listing.rawValue, sentence: sentence(of: listing), synopsis: synopsis(of: listing), text: [ranges],
        operands: [.range], options: (listing == .habits ? ["--year"] : []) + pageOptions, statuses: reading,
        examples: ["daybook \(listing.rawValue) month"],
        run: { arguments throws(UsageError) in try PageCommand(listing.rawValue, arguments).run() })
    }

  static let pageOptions = ["--day", "--json", "--color", "--ascii", "--width"]

  private static let reading: [(status: Int32, meaning: String)] = [
    (0, "printed"), (1, "refused, such as while the app is locked"),
    (3, "no answer came, or standard output cannot be written"),
  ]

  private static let marks = "✓ is done, ○ due, ▶ running, – skipped, ✗ missed, · planned; in ASCII x o > - ! ."

  private static let days =
    "DAY is today, yesterday, tomorrow, -1 (days ago), +2, mon to sun (the latest that is not later than today), or a "
    + "date such as 2026-01-05."

  private static let ranges =
    "RANGE is DAY, DAY..DAY, week, month or year, the latter of --day, else of today. " + days

  private static func sentence(of listing: Listing) -> String {
    switch listing {
    case .meals: "list meals, of the last 30 days unless told, with a line of their energy"
    case .weights: "list weights, of the last 30 days unless told, with a line of them"
    case .habits: "list habits and how often they were met, in the last 30 days unless told"
    case .subscriptions: "list subscriptions and their state on the last day of the range"
    case .charges: "list charges, of the next 30 days unless told"
    case .workouts: "list finished workouts, of the last 30 days unless told, or the records of an exercise"
    }
  }

  private static func synopsis(of listing: Listing) -> [String] {
    switch listing {
    case .habits: ["habits [RANGE] [--year]"]
    case .workouts: ["workouts [RANGE]", "workouts NAME"]
    default: ["\(listing.rawValue) [RANGE]"]
    }
  }
}
