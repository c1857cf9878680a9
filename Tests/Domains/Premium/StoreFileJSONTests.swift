import DaybookProtocol
import FileStoreTesting
import Premium
import Testing

struct StoreFileJSONTests {
  @Test("A document survives a round trip after any edits", arguments: 0..<60)
  func roundTrip(_ number: Int) throws {
    let catalogue = try theCatalogue()
    var random = SeededGenerator(seed: 7, number: number)
    var file = StoreFile.empty
    var now = start
    for _ in 0..<20 {
      now = now + Int64(random.among(0...20)) * day
      let product = random.once(in: 2) ? monthly : yearly
      let isTrial = random.once(in: 2)
      // A refused operation leaves the document unchanged.
      switch random.below(8) {
      case 0, 1: file = (try? file.buying(product, isTrial: isTrial, catalogue: catalogue, now: now)) ?? file
      case 2: file = (try? file.askingToBuy(product, isTrial: isTrial, catalogue: catalogue, now: now)) ?? file
      case 3: file = (try? file.approvingPending(product, catalogue: catalogue, now: now)) ?? file
      case 4: file = (try? file.expiring(product, now: now)) ?? file
      case 5: file = (try? file.refunding(product, now: now)) ?? file
      case 6: file = (try? file.grantingGrace(product, until: now + day, now: now)) ?? file
      default:
        file = try file.behaving(StoreFileMode.known[random.below(4)], delayMilliseconds: random.below(1000))
      }
      #expect(try StoreFile(file: file.json) == file)
      let ids = file.transactions.map(\.id) + file.waiting.map(\.id)
      #expect(Set(ids).count == ids.count)
    }
  }

  @Test("A short document gets defaults")
  func defaults() throws {
    let text = """
      {"mode":"online","transactions":[{"id":"1","productId":"p","purchasedAt":"2026-02-12T08:00:00Z"}]}
      """
    let file = try StoreFile(file: Array(text.utf8))
    #expect(
      file.transactions == [
        ShopTransaction(id: "1", productId: "p", purchasedAt: start, trial: false, verified: true, billing: .ok)
      ])
    #expect(file.waiting.isEmpty)
  }

  @Test("An unknown member of a transaction is refused, and null counts as absent")
  func unknownMembers() throws {
    func file(_ member: String) throws -> StoreFile {
      let bought = #""id":"1","productId":"p","purchasedAt":"2026-02-12T08:00:00Z""#
      return try StoreFile(file: Array("{\"mode\":\"online\",\"transactions\":[{\(bought),\(member)}]}".utf8))
    }
    let error = #expect(throws: PremiumError.self) { try file(#""expiredAt":"2026-03-12T08:00:00Z""#) }
    #expect(error?.code == .unknownMember && error?.pointer == "/transactions/0/expiredAt")
    #expect(error?.message.contains("“expiresAt”") == true)
    #expect(try file(#""trial":null,"expiresAt":null"#) == file(#""verified":true"#))
  }

  @Test("A document with older member names means the same, and is written with present ones")
  func older() throws {
    func text(_ trial: String, _ verified: String) -> String {
      let bought = "\"productId\":\"p\",\"\(trial)\":true"
      return "{\"mode\":\"online\",\"transactions\":[{\"id\":\"1\",\(bought),\"purchasedAt\":\"2026-02-12T08:00:00Z\","
        + "\"\(verified)\":false}],\"pending\":[{\"id\":\"2\",\(bought),\"askedAt\":\"2026-02-12T08:00:00Z\"}]}"
    }
    let file = try StoreFile(file: Array(text("isTrial", "isVerified").utf8))
    #expect(file.transactions[0].trial == true && !file.transactions[0].verified && file.waiting[0].trial == true)
    #expect(try file == StoreFile(file: Array(text("trial", "verified").utf8)))
    #expect(!String(decoding: file.json, as: UTF8.self).contains("\"is"))
  }

  @Test(
    "An invalid document is refused with a pointer",
    arguments: [
      ("{", "malformed "), ("[]", "wrongType "), ("{\"transactions\":[]}", "missingMember /mode"),
      ("{\"mode\":\"online\"}", "missingMember /transactions"),
      ("{\"mode\":\"sleepy\",\"transactions\":[]}", "invalidValue /mode"),
      ("{\"mode\":\"slow\",\"delayMilliseconds\":-1,\"transactions\":[]}", "invalidValue /delayMilliseconds"),
      ("{\"mode\":\"online\",\"transactions\":[],\"x/y\":1}", "unknownMember /x~1y"),
      ("{\"mode\":\"online\",\"transactions\":{}}", "wrongType /transactions"),
      ("{\"mode\":\"online\",\"transactions\":[{\"id\":\"1\"}]}", "missingMember /transactions/0/productId"),
      (
        "{\"mode\":\"online\",\"transactions\":[{\"id\":\"1\",\"productId\":\"p\",\"purchasedAt\":\"soon\"}]}",
        "invalidValue /transactions/0/purchasedAt"
      ),
      (
        "{\"mode\":\"online\",\"transactions\":[],\"pending\":[{\"id\":7}]}", "wrongType /pending/0/id"
      ),
    ])
  func refuses(_ text: String, _ expected: String) {
    #expect(refusal { () throws(PremiumError) in _ = try StoreFile(file: Array(text.utf8)) } == expected)
  }

  @Test("Two pending purchases with one id are refused")
  func duplicate() {
    let ask = "{\"id\":\"1\",\"productId\":\"p\",\"askedAt\":\"2026-02-12T08:00:00Z\"}"
    let text = Array("{\"mode\":\"online\",\"transactions\":[],\"pending\":[\(ask),\(ask)]}".utf8)
    #expect(refusal { () throws(PremiumError) in _ = try StoreFile(file: text) } == "duplicateId /pending/1/id")
  }
}
