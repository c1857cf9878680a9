import DaybookProtocol
import Testing

@testable import Tables

@Suite("Days with named months")
struct MonthNameTests {
  /// The names and abbreviations of each month in English, German, French and Spanish.
  private static let written: [String] = [
    "January Jan Januar Jan. Jänner Jän. janvier janv. enero ene ene.",
    "February Feb Februar Feb. février févr. fevrier FÉVRIER febrero feb feb.",
    "March Mar März Mrz. mär. Maerz MÄRZ mars marzo mar mar.",
    "April Apr April Apr. avril avr. abril abr abr.",
    "May Mai mai mayo may may.",
    "June Jun Juni Jun. juin junio jun jun.",
    "July Jul Juli Jul. juillet juil. juill. julio jul jul.",
    "August Aug August Aug. août aout Aoû. AOÛT agosto ago ago.",
    "September Sept Sep September Sep. septembre sept. septiembre setiembre sep. set.",
    "October Oct Oktober Okt. octobre oct. octubre oct",
    "November Nov November Nov. novembre nov. noviembre nov",
    "December Dec Dezember Dez. décembre déc. decembre diciembre dic dic.",
  ]

  @Test("Every month name is read in any usual order of the parts", arguments: 1...12)
  func names(_ month: Int) throws {
    let expected = try #require(CivilDay(year: 2026, month: month, day: 12))
    for name in MonthNameTests.written[month - 1].split(separator: " ") {
      for text in [
        "12 \(name) 2026", "12. \(name) 2026", "12 de \(name) de 2026", "12 \(name) del 2026", "\(name) 12, 2026",
        "12-\(name)-2026", "2026 \(name) 12", "12\u{A0}\(name)\u{202F}2026",
        "12 \(name) 2026 10:30", "12 \(String(name).uppercased()) 2026", "\(name) 12th, 2026",
      ] {
        #expect(DateText.reading(text, order: nil) == .value(expected), "\(text)")
        #expect(DateText.reading(text, order: .mdy) == .value(expected), "\(text)")
        #expect(DateText.evidence(text) == nil)
      }
    }
  }

  @Test("No name or accepted prefix belongs to two months")
  func unambiguous() {
    var seen: [String: Int] = [:]
    for (index, names) in MonthNames.all.enumerated() {
      for name in names {
        #expect(seen.updateValue(index, forKey: name) == nil && MonthNames.month(name) == index + 1, "\(name)")
        for count in 3..<name.count {
          let short = String(name.prefix(count))
          guard let month = MonthNames.month(short) else { continue }
          let others = MonthNames.all.enumerated().filter { $0.offset + 1 != month }.flatMap(\.element)
          #expect(!others.contains { $0.hasPrefix(short) }, "\(short)")
        }
      }
    }
  }

  @Test(
    "The first of a month has several spellings",
    arguments: [
      ("1er avril 2026", "2026-04-01"), ("1º de abril de 2026", "2026-04-01"), ("1o abril 2026", "2026-04-01"),
      ("1st April 2026", "2026-04-01"), ("April 2nd, 2026", "2026-04-02"), ("3rd Apr 2026", "2026-04-03"),
      ("fe\u{301}vrier 5 2026", "2026-02-05"), ("1.Mai.2026", "2026-05-01"), ("5Jan2026", "2026-01-05"),
    ])
  func first(_ text: String, _ expected: String) {
    #expect(DateText.reading(text, order: nil).readings.map { "\($0)" } == [expected])
  }

  @Test(
    "An ambiguous or unknown month name is not a day",
    arguments: [
      "5 jui 2026", "5 ju 2026", "5 ma 2026", "5 j 2026", "5 märzen 2026", "5 януари 2026", "5 mars mars 2026",
      "31 février 2026", "1er/2/2026", "1 de 2 de 2026", "5 de 2026", "er mars 2026", "12 mars 26", "5 ¤ mai 2026",
      "5 janvie 2026",
    ])
  func refused(_ text: String) {
    for order in [nil, TableDateFormat.dmy] { #expect(DateText.reading(text, order: order) == .invalid) }
  }
}
