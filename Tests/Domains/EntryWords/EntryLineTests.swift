import CivilTime
import EntryWords
import Testing

@Suite("Lines of entries")
struct EntryLineTests {
  /// A Monday.
  private let today = CivilDay("2026-01-05") ?? CivilDay(daysSinceEpoch: 0)
  private let kinds = ["meal", "weight", "water", "habit", "exercise", "set", "charge"]

  /// The parts of a line: words as typed, names in brackets, numbers with their units.
  private func read(_ text: String, forced: String? = nil, known: Set<String> = []) throws(EntryProblem) -> String {
    let line = try EntryLine(text, today: today, kinds: kinds, forced: forced) {
      known.contains(String(decoding: $0, as: UTF8.self))
    }
    var parts = line.parts.map { part in
      switch part {
      case .word(let text): text
      case .name(let text): "[\(text)]"
      case .number(let number): "\(number.value)\(number.grouped.map { "|\($0)" } ?? "")"
      case .quantity(let number, let unit): "\(number.value)*\(unit)"
      case .set(let weight, let unit, let reps): "\(weight.value)\(unit.map { "\($0)" } ?? "")×\(reps)"
      }
    }
    if let kind = line.kind, kind != forced { parts.insert(kind + ":", at: 0) }
    if let day = line.day { parts.append("on \(day)") }
    if let time = line.time { parts.append("at \(time)") }
    return parts.joined(separator: " ")
  }

  @Test(
    "A line is read as words, numbers and units",
    arguments: [
      ("porridge 350", "porridge 350"), ("lentil soup 420 kcal", "lentil soup 420*kcal"),
      ("soup 1760kJ", "soup 1760*kj"), ("soup 12p 40c 9f", "soup 12*protein 40*carbs 9*fat"),
      ("soup 12 g protein", "soup 12*protein"), ("soup 12g Fat", "soup 12*fat"),
      ("porridge 1.5x", "porridge 1.5*times"),
      ("milk 250ml", "milk 250*ml"), ("2 eggs", "2 eggs"), ("82,4kg", "82.4*kg"), ("181.5 lb", "181.5*lb"),
      ("11st 4lb", "11*st 4*lb"), ("water 2 cups", "water: 2*cup"), ("2 SLICES pizza", "2*slice pizza"),
      ("60x8", "60×8"), ("60kg x 8", "60kg×8"), ("60kgx8", "60kg×8"), ("60 x8", "60 x8"), ("60x 8", "60*times 8"),
      ("8 reps", "8*rep"), ("run 30min", "run 30*min"), ("7up 140", "7up 140"), ("soup, 350;", "soup 350"),
      ("~350", "~350"), ("1/2", "1/2"), ("９９", "９９"), ("5e3", "5e3"), ("1.2.3", "1.2.3"), ("5.", "5."),
      ("1.234", "1.234|1234"), ("1,234", "1.234|1234"), ("0.250", "0.250"), ("1234.567", "1234.567"),
      ("12p", "12*protein"), ("12 p", "12 p"), ("6 x", "6 x"), ("", ""), (" ,; ", ""),
    ])
  func parts(_ text: String, _ parts: String) throws {
    #expect(try read(text) == parts)
  }

  @Test(
    "Days stand at the start or the end, kinds at the start, times anywhere",
    arguments: [
      ("yesterday porridge 350", "porridge 350 on 2026-01-04"),
      ("porridge 350 Yesterday", "porridge 350 on 2026-01-04"),
      ("today: porridge 350", "porridge 350 on 2026-01-05"), ("porridge tomorrow", "porridge on 2026-01-06"),
      ("2026-01-02 porridge", "porridge on 2026-01-02"), ("-3 porridge", "porridge on 2026-01-02"),
      ("porridge -31", "porridge on 2025-12-05"), ("porridge monday", "porridge on 2026-01-05"),
      ("porridge Tuesday", "porridge on 2025-12-30"), ("sunday: porridge", "porridge on 2026-01-04"),
      ("sunday roast 850", "sunday roast 850"), ("soup today special 300", "soup today special 300"),
      ("meal yesterday porridge", "meal: porridge on 2026-01-04"),
      ("yesterday meal porridge", "meal: porridge on 2026-01-04"),
      ("yesterday: meal: porridge", "meal: porridge on 2026-01-04"), ("porridge @08:30", "porridge at 08:30"),
      ("08:30 porridge", "porridge at 08:30"), ("porridge 8am 350", "porridge 350 at 08:00"),
      ("porridge 8 am 350", "porridge 350 at 08:00"), ("porridge 7:30pm", "porridge at 19:30"),
      ("12am soup", "soup at 00:00"), ("12pm soup", "soup at 12:00"),
      ("porridge 350 yesterday 08:30", "porridge 350 on 2026-01-04 at 08:30"), ("-5", "on 2025-12-31"),
      ("habit water", "habit: water"), ("water water", "water: water"), ("Weight 82,4", "weight: 82.4"),
    ])
  func days(_ text: String, _ parts: String) throws {
    #expect(try read(text) == parts)
  }

  @Test(
    "What has the form of a day, a time or a quoted part and is none is unreadable",
    arguments: [
      "porridge 25:99", "porridge 2026-02-30", "2026-02-30 porridge", "-32 porridge", "soup -0", "porridge @8",
      "porridge 13pm", "porridge 0am", "porridge 8:5", "350 am", "porridge \"open", "«porridge", "\"\" 350",
      "yesterday porridge today", "08:30 porridge 9am", "soup 2026-01-02 350", "soup 2026-02-30 350", "soup -3 350",
      "２５:99", "porridge 350 ０８:30", "@０８:30 porridge 350", "２０２６-01-02 porridge", "-３ porridge 350", "porridge ８am",
    ])
  func unreadable(_ text: String) {
    #expect(throws: EntryProblem.self) { try read(text) }
  }

  @Test(
    "Quoted parts, and known names with a number in them, are names",
    arguments: [
      ("\"350\" 400", "[350] 400"), ("“water” 300", "[water] 300"), ("„8am“ 300", "[8am] 300"),
      ("„8am” 300", "[8am] 300"), ("«60x8», 300", "[60x8] 300"), ("pizza 4 formaggi 900", "[pizza 4 formaggi] 900"),
      ("pizza 4 formaggi 900 dinner", "[pizza 4 formaggi] 900 dinner"),
      ("pizza 5 formaggi 900", "pizza 5 formaggi 900"),
      ("PIZZA 4  Formaggi", "[PIZZA 4 Formaggi]"), ("7:30 shake 200", "[7:30 shake] 200"), ("5\" steak", "5\" steak"),
    ])
  func names(_ text: String, _ parts: String) throws {
    #expect(try read(text, known: ["pizza 4 formaggi", "7:30 shake"]) == parts)
  }

  @Test("Beside a kind, a word that names one is part of the name")
  func forced() throws {
    #expect(try read("water 20", forced: "habit") == "water 20")
    #expect(try read("yesterday water 20", forced: "habit") == "water 20 on 2026-01-04")
  }

  @Test("Every spelling of a unit is read back, alone and in the plural")
  func units() {
    for (word, _) in EntryUnit.offered {
      #expect(EntryUnit(word: word) != nil, "\(word)")
      #expect(EntryUnit(word: word.uppercased()) != nil, "\(word)")
    }
    #expect(EntryUnit(word: "cups") == .cup && EntryUnit(word: "cup") == .cup && EntryUnit(word: "gs") == nil)
    #expect(EntryUnit(word: "x") == nil && EntryUnit(word: "x", isAttached: true) == .times)
  }
}
