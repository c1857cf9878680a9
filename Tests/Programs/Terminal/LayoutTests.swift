import TerminalPages
import Testing

@Suite("Layout on a terminal")
struct LayoutTests {
  @Test(
    "Text is measured in cells",
    arguments: [
      ("", 0), ("Porridge", 8), ("Crème", 5), ("Cre\u{300}me", 5), ("燕麦粥", 6), ("가각", 4), ("\u{1100}\u{1161}", 2),
      ("🍲", 2), ("👩‍🍳", 2), ("👍🏽", 2), ("🇩🇪", 2), ("1️⃣", 2), ("❤️", 2), ("❤", 1), ("ｶﾅ", 2), ("ＡＢ", 4), ("a\u{200B}b", 2),
      ("é\u{301}\u{302}\u{303}", 1), ("نص", 2),
    ])
  func widths(_ text: String, _ width: Int) {
    #expect(Cells.width(of: text) == width)
  }

  @Test(
    "A text is cut between characters, with a mark",
    arguments: [
      ("Porridge", 8, "Porridge"), ("Porridge", 7, "Porrid…"), ("燕麦粥", 6, "燕麦粥"), ("燕麦粥", 5, "燕麦…"),
      ("燕麦粥", 4, "燕…"), ("燕麦粥", 1, "…"), ("a👩‍🍳b", 3, "a…"), ("", 3, ""), ("ab", 0, ""),
    ])
  func cutting(_ text: String, _ width: Int, _ cut: String) {
    #expect(Cells.cut(text, to: width) == cut)
    #expect(Cells.width(of: Cells.cut(text, to: width)) <= width)
  }

  @Test(
    "A text is wrapped between words, and only a word that is wider than a line is broken",
    arguments: [
      ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
      ("one  two three", 8, ["one two", "three"]),
      ("Porridge", 5, ["Porri", "dge"]), ("a Porridge b", 5, ["a", "Porri", "dge b"]),
      ("燕麦粥 燕麦", 5, ["燕麦", "粥", "燕麦"]),
    ])
  func wrapping(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(Cells.wrap(text, to: width) == lines)
  }

  @Test("A sentence is whole on one line if it fits, and none of its words is cut otherwise")
  func sentences() {
    #expect(Surface().lines("There is  nothing to see here.") == ["There is  nothing to see here."])
    #expect(
      Surface(width: 20, hasColours: true).lines("There is nothing to see here.", .dim) == [
        "\u{1B}[2mThere is nothing to\u{1B}[0m", "\u{1B}[2msee here.\u{1B}[0m",
      ])
  }

  @Test(
    "Stored text acts on no terminal",
    arguments: [
      ("Soup", "Soup", "Soup"), ("a\u{1B}[31mb", "a\\u{1B}[31mb", "a\\u{1B}[31mb"),
      ("a\nb\tc", "a\\u{A}b\\u{9}c", "a\\u{A}b\\u{9}c"), ("\u{9B}2J", "\\u{9B}2J", "\\u{9B}2J"),
      ("\u{202E}abc", "\\u{202E}abc", "\\u{202E}abc"),
      ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}", "\\u{2066}x\\u{2069}"),
      ("a\u{2028}b", "a\\u{2028}b", "a\\u{2028}b"), ("\u{7F}", "\\u{7F}", "\\u{7F}"), ("Müsli", "Müsli", "M\\u{FC}sli"),
      ("“x”", "“x”", "\"x\""), ("👩‍🍳", "👩‍🍳", "\\u{1F469}\\u{200D}\\u{1F373}"),
    ])
  func hostile(_ text: String, _ shown: String, _ inASCII: String) {
    #expect(Surface().shown(text) == shown)
    #expect(Surface(isASCII: true).shown(text) == inASCII)
  }

  private static let table: Table = {
    var table = Table([
      Column("Day", .word, leaves: 2), Column("Meal", .name), Column("kcal", .number), Column("Note", .name, leaves: 3),
    ])
    table.rows = [
      [Cell("2026-01-05"), Cell("Lentil soup with bread"), Cell("420"), Cell("very good")],
      [Cell("2026-01-04"), Cell("燕麦粥"), Cell("1350"), Cell("")],
    ]
    return table
  }()

  @Test("In a pipe a table is aligned and uncut")
  func pipe() {
    #expect(
      LayoutTests.table.lines(on: Surface()) == [
        "Day         Meal                    kcal  Note", "2026-01-05  Lentil soup with bread   420  very good",
        "2026-01-04  燕麦粥                  1350",
      ])
  }

  @Test("Names are cut first, then columns leave, and numbers stay whole")
  func narrow() {
    #expect(
      LayoutTests.table.lines(on: Surface(width: 40)) == [
        "Day         Meal         kcal  Note", "2026-01-05  Lentil sou…   420  very good", "2026-01-04  燕麦粥       1350",
      ])
    #expect(
      LayoutTests.table.lines(on: Surface(width: 20)) == [
        "Meal            kcal", "Lentil soup w…   420", "燕麦粥          1350",
      ])
  }

  @Test("No line is wider than the terminal", arguments: [20, 21, 27, 33, 40, 57, 80, 200, 400])
  func fits(_ width: Int) {
    var table = LayoutTests.table
    table.rows.append([
      Cell("2026-01-03"), Cell(String(repeating: "燕", count: 200)), Cell("99999"),
      Cell("a\nb" + String(repeating: "é", count: 300)),
    ])
    for surface in [Surface(width: width), Surface(width: width, isASCII: true)] {
      let lines = table.lines(on: surface)
      #expect(lines.count == 4)
      for line in lines { #expect(Cells.width(of: line) <= width, "\(line)") }
      #expect(lines.last?.contains("99999") == true)
    }
  }

  @Test("Colours wrap the text, and spaces stay outside")
  func colours() {
    var table = Table([Column("", .word), Column("", .name)], hasTitles: false)
    table.rows = [[Surface().mark(of: "done"), Cell("x", .bold)]]
    #expect(table.lines(on: Surface(hasColours: true)) == ["\u{1B}[32m✓\u{1B}[0m  \u{1B}[1mx\u{1B}[0m"])
    #expect(table.lines(on: Surface()) == ["✓  x"])
  }

  @Test(
    "Each state has a mark of its own, in ASCII too",
    arguments: [
      ("done", "✓", "x"), ("due", "○", "o"), ("running", "▶", ">"), ("skipped", "–", "-"), ("missed", "✗", "!"),
      ("planned", "·", "."),
    ])
  func marks(_ state: String, _ mark: String, _ inASCII: String) {
    #expect(Surface().mark(of: state).text == mark)
    #expect(Surface(isASCII: true).mark(of: state).text == inASCII)
  }
}
