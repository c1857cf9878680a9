import Foundation

/// Sync through a folder: what its bookkeeping costs a write, a pass with nothing new, and a first exchange of ten years
/// of records.
enum SyncBench {
  static let group = Group(
    "sync", ofStore: true, isLong: true,
    [
      Measure(
        "meals/add with a remote, p50", .microseconds, "on p50", beside: ("without", "off p50"), goal: .ratioAtMost(1.1)
      ),
      Measure(
        "64 in flight with a remote, each", .microseconds, "on many", beside: ("without", "off many"),
        goal: .ratioAtMost(1.4)),
      Measure("a pass with nothing new, server CPU", .milliseconds, "nothing CPU", goal: .atMost(1)),
      Measure(
        "first push of \(StoreSize.tenYears.name)", .milliseconds, "push", beside: ("export", "export"),
        goal: .ratioAtMost(3)),
      Measure("its memory above idle", .megabytes, "push memory", goal: .atMost(64)),
      Measure("first pull of the same", .milliseconds, "pull", beside: ("import", "import"), goal: .ratioAtMost(1.5)),
      Measure("its memory above idle, pulling", .megabytes, "pull memory", goal: .atMost(64)),
    ]
  ) { bench throws(BenchError) in
    let shop = bench.freshFolder() + ".json"
    try Bench.expect(
      FileManager.default.createFile(atPath: shop, contents: Data(purchases.utf8)), "\(shop) cannot be written")
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let (without, remote) = (try device(bench, shop), try device(bench, shop))
    try remote.configure(try folder(bench))
    return { figures throws(BenchError) in
      // What waits from the round before is sent; passes that begin by themselves would be measured with the writes.
      for method in ["sync/resume", "sync/now", "sync/pause"] { try remote.server.request(method) }
      for (key, device) in [("off", without), ("on", remote)] {
        figures.add(
          latenciesOf: try device.server.sequence(Bench.addMeal, milliseconds: bench.options.milliseconds), key)
        let many = try device.server.pipeline(Bench.addMeal, window: 64, milliseconds: bench.options.milliseconds)
        figures.add("\(key) many", 1e9 / many.perSecond)
      }
      let shared = try folder(bench)
      try push(fixture, to: shared, bench, shop, &figures)
      try pull(fixture, from: shared, bench, shop, &figures)
      try? FileManager.default.removeItem(atPath: shared)
    }
  }

  private static func push(
    _ fixture: StoreFixture, to shared: String, _ bench: Bench, _ shop: String, _ figures: inout Figures
  ) throws(BenchError) {
    let place = bench.freshFolder()
    try fixture.copy(to: place)
    let device = try device(bench, shop, place)
    let file = bench.freshFolder() + ".jsonl"
    let start = Clocks.now()
    try device.server.request("data/export", "{\"path\":\"\(file)\"}")
    figures.add("export", Double(Clocks.now() - start))
    unlink(file)
    try device.configure(shared)
    try device.exchange("push", &figures)
    let (count, before) = (20, device.server.cpu)
    for _ in 0..<count { try device.server.request("sync/now") }
    figures.add("nothing CPU", Double(device.server.cpu - before) / Double(count))
    try device.end()
  }

  private static func pull(
    _ fixture: StoreFixture, from shared: String, _ bench: Bench, _ shop: String, _ figures: inout Figures
  ) throws(BenchError) {
    let (other, start) = (bench.freshFolder(), Clocks.now())
    try StoreUnderTest.importRecords(fixture.export, into: other)
    figures.add("import", Double(Clocks.now() - start))
    try? FileManager.default.removeItem(atPath: other)
    let device = try device(bench, shop)
    try device.configure(shared, creates: false)
    try device.exchange("pull", &figures)
    try device.end()
  }

  /// A service with premium, which a process before it has learnt of.
  private static func device(_ bench: Bench, _ shop: String, _ folder: String? = nil) throws(BenchError) -> Device {
    let (place, arguments) = (folder ?? bench.freshFolder(), ["--store-of-record", shop])
    let first = try bench.service(place, arguments)
    try first.request("premium/verify")
    try first.end()
    return Device(server: try bench.service(place, arguments), folder: place)
  }

  /// An empty folder to share.
  private static func folder(_ bench: Bench) throws(BenchError) -> String {
    let path = bench.freshFolder()
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw .usage("\(path) cannot be created: \(error.localizedDescription)")
    }
    return path
  }

  private static let purchases = """
    {"mode":"online","transactions":[{"id":"1","productId":"daybook.premium.yearly",\
    "purchasedAt":"2026-01-01T00:00:00Z","expiresAt":"2199-01-01T00:00:00Z"}]}
    """
}

private struct Device {
  let server: Spawned
  let folder: String

  func configure(_ shared: String, creates: Bool = true) throws(BenchError) {
    try server.request(
      "sync/configure", "{\"remote\":{\"kind\":\"folder\",\"path\":\"\(shared)\"},\"create\":\(creates)}")
  }

  /// Runs passes until everything is exchanged.
  func exchange(_ key: String, _ figures: inout Figures) throws(BenchError) {
    let (idle, start) = (server.memory("VmHWM") ?? 0, Clocks.now())
    var state = ""
    repeat {
      let answer = try server.request("sync/now") as? [String: Any]
      state = (answer?["status"] as? [String: Any])?["state"] as? String ?? "synced"
    } while state == "idle" || state == "syncing"
    figures.add(key, Double(Clocks.now() - start))
    try Bench.expect(state == "synced", "the \(key) ended as “\(state)”")
    figures.add("\(key) memory", (server.memory("VmHWM") ?? 0) - idle)
  }

  func end() throws(BenchError) {
    try server.end()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
