import DaybookProtocol
import DaybookServer
import FileStoreTesting
import Platform
import ProcessTesting
import ServerTesting
import Subscriptions

/// A random history of edits to a few subscriptions by two processes on one folder, while days pass.
struct SubscriptionHistoryRun {
  let folder: String
  let service: InProcessService
  let other: InProcessService
  let clock: TravelledClock
  var random: SeededGenerator
  var today = CivilDay(daysSinceEpoch: 20_458)
  /// The first violation.
  private(set) var mismatches: [String] = []
  /// The calls so far, for the report.
  var calls: [String] = []
  /// How many calls succeeded.
  var taken = 0

  init?(folder: String, seed: UInt64) {
    let clock = TravelledClock()
    guard let service = InProcessService(folder: folder, { $0.now = { clock.next() } }),
      let other = InProcessService(folder: folder, { $0.now = { clock.next() } })
    else { return nil }
    self.folder = folder
    self.service = service
    self.other = other
    self.clock = clock
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for number in 10..<15 {
      let params = "\"amount\":\(amount()),\"anchor\":\"\(day(-40...40))\",\"reminderDays\":[]"
      let added = service.call(
        "subscriptions/add", "{\"id\":\"00000000-0000-4000-8000-0000000000\(number)\",\"name\":\"S\",\(params)}")
      expect(added["result"] != nil, added.text)
      calls.append(added["result"]?.text ?? "")
    }
    for step in 0..<steps where mismatches.isEmpty {
      if Int.random(in: 0..<6, using: &random) == 0 { travel() }
      perform()
      checkEach()
      if step % 4 == 3 { checkCold() }
    }
    service.close()
    other.close()
    if mismatches.isEmpty, taken < steps / 3 { mismatches.append("only \(taken) calls were taken") }
    if !mismatches.isEmpty { mismatches.append("after \(calls.suffix(12))") }
  }

  mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  mutating func travel() {
    let days = Int.random(in: 1...40, using: &random)
    today = today.advanced(by: days)
    clock.travel(days: days)
    calls.append("to \(today)")
  }

  // MARK: doing

  mutating func id() -> String {
    "00000000-0000-4000-8000-0000000000\(Int.random(in: 10..<15, using: &random))"
  }

  mutating func day(_ range: ClosedRange<Int>) -> CivilDay {
    today.advanced(by: Int.random(in: range, using: &random))
  }

  mutating func cycle() -> String {
    let unit = ["day", "week", "month", "month", "year"].randomElement(using: &random) ?? "month"
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return #"{"kind":"once"}"#
    case 1: return #"{"kind":"lifetime"}"#
    default: return #"{"kind":"recurring","every":\#(Int.random(in: 1...3, using: &random)),"unit":"\#(unit)"}"#
    }
  }

  mutating func share() -> String {
    let parts = Int.random(in: 0...3, using: &random)
    return parts == 0 ? "null" : #"{"numerator":1,"denominator":\#(parts)}"#
  }

  mutating func amount() -> String { "\"\(Int.random(in: 1...40, using: &random)).49\"" }

  /// A call; its params lack the id.
  struct Call {
    let method: String
    let params: String
    /// Whether it keeps the past.
    let keepsPast: Bool

    init(_ method: String, _ params: String, _ keepsPast: Bool) {
      (self.method, self.params, self.keepsPast) = (method, params, keepsPast)
    }

    /// Whether it keeps payments: it neither marks charges nor corrects anything but the end.
    var keepsPaid: Bool {
      guard method.hasPrefix("subscriptions/"), method != "subscriptions/delete" else { return false }
      return method != "subscriptions/update" || params.hasPrefix(#","end""#)
    }
  }

  mutating func anyCall(_ id: String) -> Call {
    switch Int.random(in: 0..<25, using: &random) {
    case 0..<3: return Call("subscriptions/add", addition(), false)
    case 3: return Call("subscriptions/update", update(), false)
    case 4: return Call("subscriptions/pause", Bool.random(using: &random) ? "" : from(0...60), true)
    case 5: return Call("subscriptions/pause", from(0...30) + #","until":"\#(day(31...90))""#, true)
    case 6: return Call("subscriptions/resume", "", true)
    case 7: return Call("subscriptions/resume", #","on":"\#(day(0...40))""#, true)
    case 8: return Call("subscriptions/cancel", "", true)
    case 9: return Call("subscriptions/cancel", #","at":"periodEnd""#, true)
    case 10: return Call("subscriptions/cancel", #","end":"\#(day(0...90))""#, false)
    case 11: return Call("subscriptions/reactivate", "", true)
    case 12: return Call("subscriptions/reactivate", #","on":"\#(day(0...60))""#, true)
    case 13: return Call("subscriptions/changePrice", #","amount":\#(amount())"#, true)
    case 14: return Call("subscriptions/changePrice", #","amount":\#(amount())"# + from(0...90), true)
    case 15: return Call("subscriptions/changeCycle", #","cycle":\#(cycle())"#, true)
    case 16:
      let from = day(0...60)
      let anchor = from.advanced(by: Int.random(in: 0...40, using: &random))
      return Call("subscriptions/changeCycle", #","cycle":\#(cycle()),"from":"\#(from)","anchor":"\#(anchor)""#, true)
    case 17: return Call("subscriptions/delete", "", false)
    case 18: return Call("subscriptions/changeShare", #","share":\#(share())"#, true)
    case 19: return Call("subscriptions/changeShare", #","share":\#(share())"# + from(0...90), true)
    case 20: return Call("subscriptions/changeCycle", #","cycle":\#(cycle()),"amount":\#(amount())"#, true)
    default: return mark(id)
    }
  }

  mutating func from(_ range: ClosedRange<Int>) -> String { #","from":"\#(day(range))""# }

  mutating func addition() -> String {
    var params = #","name":"S","amount":\#(amount()),"cycle":\#(cycle()),"reminderDays":[]"#
    if Bool.random(using: &random) { params += #","anchor":"\#(day(-60...60))""# }
    if Bool.random(using: &random) { params += #","start":"\#(day(-200...5))""# }
    if Int.random(in: 0..<3, using: &random) == 0 { params += #","trialEnd":"\#(day(1...40))""# }
    if Int.random(in: 0..<3, using: &random) == 0 { params += #","shares":[{"numerator":1,"denominator":3}]"# }
    if Bool.random(using: &random) { params += #","currency":"EUR""# }
    return params
  }

  mutating func update() -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return #","name":"\#(Int.random(in: 0..<9, using: &random))","tags":["a"]"#
    case 1: return #","amount":\#(amount())"#
    case 2: return #","trialEnd":null,"pauses":[]"#
    case 3: return #","anchor":"\#(day(-40...40))""#
    case 4: return #","share":\#(share())"#
    case 5: return #","end":"\#(day(-40...40))""#
    default: return #","cycle":\#(cycle()),"marks":[]"#
    }
  }

  /// Marks a charge around today; the past stays unless the charge or its new day is past.
  mutating func mark(_ id: String) -> Call {
    let range = "\"from\":\"\(today.advanced(by: -60))\",\"to\":\"\(today.advanced(by: 90))\""
    let listed = service.call("charges/list", "{\(range),\"subscriptionIds\":[\"\(id)\"]}")["result"]
    let charges = listed?["charges"]?.array ?? []
    let charge = charges.randomElement(using: &random)
    let occurrence = charge?["occurrence"]?.string ?? "\(today)"
    let isPast = (charge?["day"]?.string ?? "") < "\(today)"
    let params = #","occurrence":"\#(occurrence)""#
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return Call("charges/pay", params, !isPast)
    case 1: return Call("charges/pay", params + #","amount":\#(amount()),"day":"\#(today)""#, !isPast)
    case 2: return Call("charges/skip", params, !isPast)
    case 3: return Call("charges/reset", params, false)
    default:
      let to = (CivilDay(occurrence) ?? today).advanced(by: Int.random(in: -20...20, using: &random))
      return Call("charges/shift", params + #","to":"\#(to)""#, !isPast && to >= today)
    }
  }

  mutating func perform() {
    let id = id()
    let call = anyCall(id)
    let actor = Int.random(in: 0..<4, using: &random) == 0 ? other : service
    let (before, paid, all) = (past(id), paid(id), everything(service))
    let member = call.method.hasPrefix("charges/") ? "subscriptionId" : "id"
    let params = "{\"\(member)\":\"\(id)\"\(call.params)}"
    calls.append("\(call.method) \(params)")
    let response = actor.call(call.method, params)
    let known: Set = ["invalidParams", "notFound", "chargeNotFound", "subscriptionOver", "conflict"]
    expect(response.errorName.map(known.contains) ?? true, response.text)
    if response["result"] != nil { taken += 1 }
    if call.keepsPast {
      let after = past(id)
      expect(before == after, "the past was changed\n\(before)\n\(after)")
    }
    if call.keepsPaid {
      expect(paid.isSubset(of: self.paid(id)), "what was paid is left out: \(paid) of \(id)")
    }
    guard response["result"] != nil, Int.random(in: 0..<5, using: &random) == 0 else { return }
    let changed = everything(service)
    let undone = actor.call("changes/undo", "{}")
    guard undone["result"]?["undoneRevision"]?.integer == response["result"]?["revision"]?.integer else {
      // It had changed nothing, so that an earlier change was undone.
      return
    }
    expect(changed == all || everything(service) == all, "undoing leads elsewhere")
    calls.append("undone")
  }

  /// The charges up to yesterday.
  func past(_ id: String) -> String {
    let range = "\"from\":\"\(today.advanced(by: -1500))\",\"to\":\"\(today.advanced(by: -1))\""
    let result = service.call("charges/list", "{\(range),\"subscriptionIds\":[\"\(id)\"],\"limit\":10000}")["result"]
    return result?["charges"]?.text ?? "none"
  }

  /// The occurrences marked as paid.
  func paid(_ id: String) -> Set<String> {
    let range = "\"from\":\"\(today.advanced(by: -1500))\",\"to\":\"\(today.advanced(by: 1500))\""
    let result = service.call("charges/list", "{\(range),\"subscriptionIds\":[\"\(id)\"],\"limit\":10000}")["result"]
    let charges = result?["charges"]?.array.filter { $0["paid"]?.boolean == true } ?? []
    return Set(charges.compactMap { $0["occurrence"]?.string })
  }

  // MARK: looking

  /// Everything derived from the subscriptions, without revisions.
  func everything(_ service: InProcessService) -> [String] {
    let range = "\"from\":\"\(today.advanced(by: -1500))\",\"to\":\"\(today.advanced(by: 1500))\""
    let charges = service.call("charges/list", "{\(range),\"limit\":10000}")["result"]
    let days = service.call("charges/calendar", "{\(range)}")["result"]
    let overview = service.call("overview/get", "{\"window\":400,\"limit\":10000}")["result"]
    return [
      charges?["charges"], charges?["totals"], days?["days"], overview?["monthly"], overview?["counts"],
      overview?["upcoming"],
    ]
    .map { $0?.text ?? "none" }
  }
}
