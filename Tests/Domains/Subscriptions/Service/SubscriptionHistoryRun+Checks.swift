import DaybookProtocol
import DaybookServer
import ProcessTesting
import ServerTesting
import Subscriptions

/// What holds after every step.
extension SubscriptionHistoryRun {
  /// The answers of the running session and of a new one.
  mutating func checkCold() {
    guard let cold = InProcessService(folder: folder, { [clock] in $0.now = { clock.next() } }) else {
      return expect(false, "no pipes")
    }
    for order in ["added", "nextCharge", "monthly", "name"] {
      let params = "{\"order\":\"\(order)\"}"
      let (warm, fresh) = (service.call("subscriptions/list", params), cold.call("subscriptions/list", params))
      expect(warm["result"]?.text == fresh["result"]?.text, "\(order):\n\(warm.text)\n\(fresh.text)")
      let third = other.call("subscriptions/list", params)
      expect(third["result"]?.text == fresh["result"]?.text, "the other, \(order):\n\(third.text)\n\(fresh.text)")
    }
    expect(everything(service) == everything(cold), "charges or overview of a new session are others")
    cold.close()
  }

  mutating func checkEach() {
    let list = service.call("subscriptions/list", "{}")["result"]?["subscriptions"]?.array ?? []
    for entry in list {
      guard let subscription = entry["subscription"], let state = entry["state"] else {
        return expect(false, entry.text)
      }
      checkForm(subscription)
      let status = state["status"]?.string
      expect(state["day"]?.string == "\(today)", state.text)
      guard let next = state["next"], let day = next["day"]?.string, let id = subscription["id"]?.string else {
        continue
      }
      expect(status != "cancelled" && day >= "\(today)", entry.text)
      // It is active, charged today, and in the list of charges at the same price.
      let then = service.call("subscriptions/get", "{\"id\":\"\(id)\",\"day\":\"\(day)\"}")["result"]?["state"]
      expect(
        then?["status"]?.string == "active" && then?["next"]?["label"]?.string == "Today",
        "\(entry.text)\n\(then?.text ?? "")")
      let range = "\"from\":\"\(day)\",\"to\":\"\(day)\""
      let charges = service.call("charges/list", "{\(range),\"subscriptionIds\":[\"\(id)\"]}")["result"]
      let charge = charges?["charges"]?.array.first { $0["occurrence"] == next["occurrence"] }
      expect(charge?["price"] == next["price"] && charge?["paid"]?.boolean == false, entry.text)
    }
    let overview = service.call("overview/get", "{}")["result"]
    let charges = service.call("charges/list", "{}")["result"]
    expect(
      overview?["upcomingTotals"] == charges?["totals"], "upcoming: \(overview?.text ?? "") \(charges?.text ?? "")")
    expect(overview?["upcomingCount"] == charges?["total"], "upcoming count")
  }

  /// Checks that stored subscriptions are valid and normalized.
  private mutating func checkForm(_ json: JSONValue) {
    do {
      let wire = try JSONReader.read(json.json) { (reader) throws(JSONError) in
        try DaybookProtocol.Subscription(from: &reader)
      }
      let problems = SubscriptionRules.refusals(of: wire)
      expect(problems.isEmpty, "\(problems) in \(json.text)")
      expect(wire.tidied == wire, "\(json.text) comes back as \(wire.tidied)")
    } catch { expect(false, "\(error) in \(json.text)") }
  }
}
