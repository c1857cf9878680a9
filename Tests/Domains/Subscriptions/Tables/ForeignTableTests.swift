import DaybookProtocol
import FileStoreTesting
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

@Suite("Tables of subscriptions that others write")
struct ForeignTableTests {
  @Test("Subsum's rows are repaired where there is exactly one way; others are refused with a reason")
  func subsum() throws {
    let table = try Some.read(Samples.subsum)
    #expect(table.known.format == .subsum)
    #expect(
      Some.contents(table) == [
        "Netflix|15.49 USD|1 month|2026-02-12|streaming|active",
        "Tom \"T\" & Co|20 EUR|1 year|2027-03-01|productivity|active",
        "Films, series|9.99 USD|1 week|2026-03-16|streaming|active", "Plain|3 GBP|1 month|2026-03-12|other|active", "!",
      ])
    let problem = try #require(table.problems.first)
    #expect(problem.kind == .raggedRow && problem.row == 6 && problem.line == 6)
    #expect(problem.reason.contains("Feb 12, 2026"))
  }

  @Test(
    "Subsum's table is read from Windows, from a spreadsheet, and when it is written correctly",
    arguments: [
      "\u{FEFF}Name,Amount,Currency,Frequency,Next Charge,Category\r\n\"A\",1,USD,Monthly,Mar 12, 2026,Music\r\n",
      "Name,Amount,Currency,Frequency,Next Charge,Category,\nA,1,USD,Monthly,Mar 12, 2026,Music\n",
      "Name,Amount,Currency,Frequency,Next Charge,Category\n\"A\",1,USD,Monthly,\"Mar 12, 2026\",Music\n",
      "Name,Amount,Currency,Frequency,Next Charge,Category\nA,1,USD,Monthly,2026-03-12,Music",
    ])
  func subsumElsewhere(_ text: String) throws {
    #expect(Some.contents(try Some.read(text)) == ["A|1 USD|1 month|2026-03-12|music|active"])
  }

  @Test("A name in Subsum's table that looks like a row, or has a line break, stays a name")
  func subsumNames() throws {
    let text = """
      Name,Amount,Currency,Frequency,Next Charge,Category
      "A",1,USD,Monthly,Mar 12, 2026,Music",2,EUR,Yearly,Mar 13, 2026,News
      "two
      lines",3,USD,Weekly,Mar 14, 2026,Other

      """
    #expect(
      Some.contents(try Some.read(text)) == [
        "A\",1,USD,Monthly,Mar 12, 2026,Music|2 EUR|1 year|2026-03-13|news|active",
        "two\nlines|3 USD|1 week|2026-03-14|other|active",
      ])
  }

  @Test("A JSON list of objects is a table: Wallos' export, and the answer of its API")
  func json() throws {
    let list = try Some.read(Samples.wallosList)
    #expect(list.known.format == .wallos)
    #expect(Some.contents(list) == ["Netflix|12.99 EUR|1 month|2026-03-20|streaming|active"])
    let answer = try Some.read(Samples.wallosAnswer) { $0.currency = Currency("CHF") }
    #expect(answer.known.format == .wallos && answer.problems.isEmpty)
    #expect(
      Some.contents(answer) == [
        "Example, one|10.5 CHF|1 month|2025-09-01|music|active", "Other|15 CHF|2 years|2025-11-02|other|cancelled",
      ])
    guard case .draft(let draft) = answer.rows[0].content else {
      Issue.record("no row")
      return
    }
    #expect(draft.subscription.paidBy == "Jo" && draft.subscription.cancelBy == Some.day("2026-05-01"))
    #expect(draft.subscription.note == "a \"note\"")
  }

  @Test("Actual's schedules keep days, weekends, ranges and ends; income is ignored")
  func actual() throws {
    let table = try Some.read(Samples.actual) { $0.currency = .eur }
    #expect(table.known.format == .actual)
    let rows = table.rows.map { row -> Subscription? in
      if case .draft(let draft) = row.content { draft.subscription } else { nil }
    }
    #expect(rows.map { $0?.name } == ["Rent", "Power", nil, "Sofa", "Gift", nil, nil, "Done"])
    let days = Some.day("2026-01-01")...Some.day("2026-03-31")
    #expect(rows[0]?.charges(in: days).map { "\($0.day)" } == ["2026-01-01", "2026-02-02", "2026-03-02"])
    #expect(rows[1]?.charges(in: days).map { "\($0.day)" } == ["2026-01-30", "2026-02-27", "2026-03-27"])
    #expect(
      rows[1]?.prices == [
        SubscriptionPrice(
          amount: Decimal("65.01") ?? .zero, currency: "EUR", least: Decimal("40.00"), most: Decimal("90.01"))
      ])
    #expect(rows[1]?.end == Some.day("2027-01-01"))
    #expect(rows[3]?.charges(in: CivilDay.allowed).map { "\($0.day)" }.suffix(2) == ["2027-01-30", "2027-02-28"])
    #expect(rows[4]?.cycle == .once && rows[4]?.anchor == Some.day("2026-05-05"))
    #expect(rows[7]?.status(on: Some.today) == .cancelled && rows[7]?.cycle == .every(2, .year))
    #expect(table.problems.map(\.row) == [7, 8] && table.problems.first?.field == "rule")
    #expect(table.ignored == 1)
  }

  @Test("Wallos: the price has the currency; a disabled subscription has ended, without unpaid charges")
  func wallos() throws {
    let table = try Some.read(Samples.wallos)
    #expect(table.known.format == .wallos)
    #expect(
      Some.contents(table) == [
        "Netflix|12.99 EUR|1 month|2026-03-20|streaming|active", "Domain|25 USD|2 years|2027-01-05|other|active",
        "Gym|29.90 EUR|1 month|2025-11-01|fitness|cancelled",
      ])
    let gym = try Some.row(table, 2).subscription
    #expect(gym.end == Some.day("2025-11-01") && gym.charges(in: Some.day("2020-01-01")...Some.today).isEmpty)
    // A running subscription has started, so that it counts.
    let domain = try Some.row(table, 1).subscription
    #expect(domain.isCharged(on: Some.today) && domain.nextCharge(today: Some.today)?.day == Some.day("2027-01-05"))
    #expect(domain.note == "renews, by hand" && domain.paymentMethod == "PayPal")
  }

  @Test("SubTrackr: intervals in the schedule, a month end from the start, trials until the first charge")
  func subTrackr() throws {
    let table = try Some.read(Samples.subTrackr)
    #expect(table.known.format == .subTrackr)
    #expect(
      Some.contents(table) == [
        "Spotify|9.99 USD|1 month|2024-01-31|music|active", "Backup|60.00 EUR|6 months|2025-10-01|cloud|active",
        "Paper|5.00 USD|1 week|2026-03-12|news|cancelled", "Tool|12.00 USD|1 year|2026-04-01|productivity|trial",
      ])
    #expect(try Some.row(table).subscription.url == "https://spotify.com")
    #expect(try Some.row(table, 1).subscription.note == "two\nlines")
    #expect(try Some.row(table, 3).subscription.trialEnd == Some.day("2026-04-01"))
  }

  @Test("Semicolons, decimal commas, dates with points and German words are read")
  func german() throws {
    let table = try Some.read(Samples.german)
    #expect(table.delimiter == UInt8(ascii: ";") && table.style.mark == .comma)
    #expect(
      Some.contents(table) == [
        "Zeitung|1234.50 EUR|1 year|2026-04-01|news|active", "Strom|89.90 EUR|1 month|2026-03-15|utilities|active",
        "Spende|5 EUR|once|2026-03-20|other|active",
      ])
  }

  @Test(
    "Headers are understood in German, French and Spanish",
    arguments: [
      "Name;Preis;Währung;Zyklus;Nächste Zahlung;Kategorie;Notiz;Zahlungsart;Start",
      "TITEL;BETRAG;WÄHRUNG;Intervall;NÄCHSTE ABBUCHUNG;Kategorie;Notizen;Zahlungsmethode;Beginn",
      "Bezeichnung;Kosten;Devise;Abrechnung;Fällig;Catégorie;Bemerkung;Payment Method;Startdatum",
      "Anbieter;Prix;Moneda;Turnus;Fälligkeit;Categoría;Notes;Payment Method;Start",
      "Dienst;Montant;Wa\u{308}hrung;Rhythmus;Fa\u{308}llig;Kategorie;Notiz;Zahlungsart;Start",
      "Nom;Precio;Devise;Fréquence;Prochain paiement;Catégorie;Notes;Payment Method;Start",
      "Nombre;Importe;Moneda;Frecuencia;Próximo pago;Categoría;Notes;Payment Method;Start",
    ])
  func headers(_ head: String) throws {
    let table = try Some.read("\(head)\nStrom;12,50;EUR;vierteljährlich;2026-04-15;News;neu;Karte;2026-01-15\n")
    #expect(table.known.format == .other && table.mapping.columns.count == 9)
    #expect(Some.contents(table) == ["Strom|12.50 EUR|3 months|2026-01-15|news|active"])
    let subscription = try Some.row(table).subscription
    #expect(subscription.note == "neu" && subscription.paymentMethod == "Karte")
    #expect(subscription.nextCharge(today: Some.today)?.day == Some.day("2026-04-15"))
  }

  @Test("Tags that differ only in signs and accents are one")
  func foldedTags() throws {
    let table = try Some.read("Name,Price,Tags\nA,5,\"C, C#, tv; TV | Café, cafe, work\"\n")
    #expect(try Some.row(table).subscription.tags == ["C", "tv", "Café", "work"])
  }

  @Test("A trial needs an end or a next charge")
  func trials() throws {
    let head = "Name,Price,Status,Trial End,Next Payment\n"
    let rows = "A,5,Trial,,\nB,5,Trial,2026-04-01,\nC,5,Free trial,,2026-04-02\nD,5,Trial,,soon\n"
    let table = try Some.read(head + rows)
    #expect(table.problems.map(\.kind) == [.contradiction, .notADay])
    let problem = try #require(table.problems.first)
    #expect(problem.field == "status" && problem.row == 2 && problem.column == 3 && problem.allowed != nil)
    #expect(try Some.row(table, 1).subscription.trialEnd == Some.day("2026-04-01"))
    #expect(try Some.row(table, 2).subscription.trialEnd == Some.day("2026-04-02"))
    // In our own table the status follows from days and has no effect.
    let ours = "Name,Amount,Currency,Every,Unit,Status,End\nA,5,EUR,1,month,trial,\n"
    #expect(try Some.read(ours).refused == 0)
    // Except for a pause that no other column states.
    let paused = try Some.row(
      Some.read("Name,Amount,Currency,Every,Unit,Status,End,Pauses\nSome,9.99,EUR,1,month,paused,,\n"))
    #expect(paused.subscription.pauses == [Pause(from: Some.today)])
    #expect(paused.differences(from: Some.subscription(), today: Some.today).contains("pauses"))
    #expect(
      !paused.differences(from: Some.subscription().pausing(from: Some.today), today: Some.today).contains("pauses"))
  }

  @Test(
    "Cycles are read as people write them",
    arguments: [
      ("Monthly", "1 month"), ("yearly", "1 year"), ("quarterly", "3 months"), ("every 2 weeks", "2 weeks"),
      ("annual", "1 year"), ("Annually", "1 year"), ("fortnightly", "2 weeks"), ("bi-weekly", "2 weeks"),
      ("WEEKLY", "1 week"), ("one-off", "once"), ("One time", "once"), ("lifetime", "lifetime"),
      ("Every 3 Months", "3 months"), ("6 months", "6 months"), ("3m", "3 months"), ("every other month", "2 months"),
      ("per month", "1 month"), ("/mo", "1 month"), ("semi-annually", "6 months"), ("half-yearly", "6 months"),
      ("every two years", "2 years"), ("once a year", "1 year"), ("12-month", "12 months"), ("Daily", "1 day"),
      ("2 quarters", "6 months"), ("1 Years", "1 year"), ("Zweimonatlich", "2 months"), ("mensuel", "1 month"),
      ("mensual", "1 month"), ("hebdomadaire", "1 week"), ("semanal", "1 week"), ("annuel", "1 year"),
      ("Anual", "1 year"), ("trimestriel", "3 months"), ("trimestral", "3 months"),
    ])
  func cycles(_ text: String, _ expected: String) throws {
    #expect(CycleText.cycle(text).map(CellForms.cycle) == expected)
  }

  @Test(
    "A text that names no cycle, or may name two, is not read as one",
    arguments: ["", "bimonthly", "sometimes", "0 months", "1001 days", "month year", "2", "every", "two", "-1 month"])
  func noCycles(_ text: String) { #expect(CycleText.cycle(text) == nil) }

  @Test(
    "The currency comes from a symbol, a code, a header or the default",
    arguments: [
      ("€12.50", "", "12.50 EUR"), ("$ 9.99", "", "9.99 USD"), ("12.50 USD", "", "12.50 USD"),
      ("¥1000", "JPY", "1000 JPY"),
      ("9.99", "gbp", "9.99 GBP"), ("$9.99", "CAD", "9.99 CAD"), ("99 kr", "SEK", "99 SEK"), ("5", "Euro", "5 EUR"),
      ("5", "€", "5 EUR"), ("5", "", "5 USD"),
    ])
  func amounts(_ amount: String, _ currency: String, _ expected: String) throws {
    let table = try Some.read("Name,Price,Currency\nA,\(amount),\(currency)\n")
    let price = try Some.row(table).price
    #expect("\(price.amount) \(price.currency)" == expected)
  }

  @Test("The currency in the header counts; without any the row is refused")
  func headerCurrency() throws {
    #expect(Some.contents(try Some.read("Name,Price (EUR)\nA,5\n")) == ["A|5 EUR|1 month|2026-03-10|other|active"])
    let table = try Some.read("Name,Price\nA,5\n") { $0.currency = nil }
    #expect(table.problems.first?.kind == .missingUnit)
    #expect(try Some.read("Name,Price\nA,99 kr\n").problems.first?.kind == .missingUnit)
  }

  @Test("Ambiguous days and amounts are refused with both readings, unless another row or the caller decides")
  func ambiguous() throws {
    let text = "Name,Price,Next Payment\nA,1.234,03/04/2026\n"
    let problems = try Some.read(text).problems
    #expect(problems.map(\.kind) == [.ambiguousNumber, .ambiguousDate])
    #expect(problems.map(\.readings) == [["1.234", "1234"], ["2026-03-04", "2026-04-03"]])
    #expect(problems.map(\.column) == [2, 3] && problems.map(\.header) == ["Price", "Next Payment"])
    let said = try Some.read(text) {
      $0.scan.mark = .comma
      $0.scan.order = .dmy
    }
    #expect(Some.contents(said) == ["A|1234 USD|1 month|2026-04-03|other|active"])
    let shown = try Some.read(text + "B,\"€ 2,50\",31/03/2026\n")
    #expect(Some.contents(shown).first == "A|1234 USD|1 month|2026-04-03|other|active")
  }

  @Test("The same table a month later has no differences, except a changed status")
  func again() throws {
    let head = "Name,Price,Cycle,Next Payment,Status\n"
    let first = try Some.row(Some.read(head + "A,5,Monthly,2026-03-31,Active\n"))
    let stored = first.made(id: Some.id(1))
    let later = try Some.row(Some.read(head + "A,5,Monthly,2026-04-30,Active\n"))
    #expect(later.differences(from: stored, today: Some.today) == [] && Some.isTaken(later, for: stored))
    let over = try Some.row(Some.read(head + "A,5,Monthly,2026-04-30,Cancelled\n"))
    #expect(over.differences(from: stored, today: Some.today) == ["end"])
    #expect(over.applied(to: stored, today: Some.today).status(on: Some.today) == .cancelled)
    let moved = try Some.row(Some.read(head + "A,5,Monthly,2026-04-12,Paused\n"))
    #expect(moved.differences(from: stored, today: Some.today) == ["anchor", "pauses"])
    let applied = moved.applied(to: stored, today: Some.day("2026-04-01"))
    #expect(applied.pauses == [Pause(from: Some.day("2026-04-01"))] && applied.anchor == Some.day("2026-04-12"))
  }

  @Test("A subscription added by hand matches a row by folded name, price and cycle")
  func byHand() throws {
    let row = try Some.row(Some.read("Name,Price\nDisney +,\"€9,99\"\n"))
    #expect(Some.isTaken(row, for: Some.subscription("disney+")))
    #expect(!Some.isTaken(row, for: Some.subscription("disney+", "9.98 EUR")))
    #expect(!Some.isTaken(row, for: Some.subscription("disney+", "9.99 USD")))
    #expect(!Some.isTaken(row, for: Some.subscription("Dispney")))
  }

  @Test("Of several similar subscriptions each matches one row, in order, and none matches a row that is different")
  func manyAlike() throws {
    let rows =
      (0..<2500).map { _ in "A,5.00,EUR\na,5,USD\n" } + ["A,5,EUR\nA,5,USD\nA,5,GBP\n"]
    let table = try Some.read("Name,Price,Currency\n" + rows.joined())
    var plan = TablePlan(
      table.rows, SubscriptionTarget(today: Some.today),
      identity: { Some.identity($0) }, links: { _ in [] })
    for place in (0..<5000).shuffled() {
      var stored = Some.subscription("A", place % 2 == 0 ? "5 EUR" : "5 USD")
      (stored.id, stored.createdAt) = (Some.id(place), Instant(milliseconds: Int64(place)))
      plan.take(stored.id, day: nil) { stored }
    }
    plan.compare {}
    let taken = plan.outcomes.list.map { outcome -> EntityID? in
      switch outcome {
      case .present(let id, link: .some), .different(let id, ["name"], link: .some): id
      default: nil
      }
    }
    #expect(taken == (0..<5000).map { Some.id($0) } + [nil, nil, nil])
    #expect(plan.outcomes.present == 2500 && plan.outcomes.different == 2500 && plan.outcomes.new == 3)
  }

  @Test("The order of rows, and rows that a later table has besides, change no subscription", arguments: 0..<60)
  func order(_ seed: Int) throws {
    var random = SeededGenerator(seed: 34, number: seed)
    let header = "Name,Price,Currency,Cycle,Category,Notes\n"
    func rows() -> [String] {
      (0..<random.among(1...6)).map { _ in
        "\(["A", "B"][random.below(2)]),\(random.among(5...7)),\(["EUR", "USD"][random.below(2)]),Monthly,"
          + "\(["Music", "News"][random.below(2)]),\(["", "x"][random.below(2)])"
      }
    }
    let (first, more) = (rows(), rows())
    var stored: [EntityID: Subscription] = [:]
    func take(_ rows: [String]) throws -> TableOutcomes {
      let table = try Some.read(header + rows.joined(separator: "\n"))
      var plan = TablePlan(
        table.rows, SubscriptionTarget(today: Some.today), identity: { Some.identity($0) }, links: { _ in [] })
      for (id, subscription) in stored { plan.take(id, day: nil) { subscription } }
      plan.compare {}
      plan.visitChanges(replaces: false, at: Instant(milliseconds: 0), refuse: { _, _ in }) { change in
        if case .add(let subscription) = change { stored[subscription.id] = subscription }
      }
      return plan.outcomes
    }
    #expect(try take(first).new == first.count)
    #expect(try take(first.shuffled(using: &random)).present == first.count)
    let later = try take((first + more).shuffled(using: &random))
    #expect(later.present == first.count && later.new == more.count)
    #expect(stored.count == first.count + more.count)
    #expect(try take((more + first)).present == stored.count)
  }
}
