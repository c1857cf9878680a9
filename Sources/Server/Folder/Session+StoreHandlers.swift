import DomainKit
import Platform

extension Session {
  nonisolated func storeHealth(
    _ params: StoreHealthParams, _ work: HeavyWork
  ) async throws(RPCError) -> StoreHealthResult {
    let source = try await healthSource()
    var found = RecoveryReport()
    let scrubs = params.scrub ?? false
    if scrubs {
      let configuration = configuration()
      found = try await work.onThread("Verifying the store") { monitor throws(StoreError) in
        var scrub = try Scrub(configuration)
        while try scrub.step() {
          try monitor.check()
          monitor.report(scrub.done * 100 / max(1, scrub.total))
        }
        return scrub.report
      }
    }
    let health: StoreHealth
    do throws(StoreError) { health = try source.assess(further: found) } catch { throw RPCError(error) }
    return StoreHealthResult(health, scrubbed: scrubs, zoneDatabaseMissing: isZoneDatabaseMissing)
  }

  /// The store's own view of its health.
  private func healthSource() throws(RPCError) -> HealthSource {
    _ = try snapshot()
    return try withStore { store throws(StoreError) in try store.healthSource() }
  }

  /// How to read the folder independently of the session.
  nonisolated func configuration() -> FileStore.Configuration { options.readerConfiguration }

  /// Whether only the zone UTC is known: every zone database has London.
  private nonisolated var isZoneDatabaseMissing: Bool {
    guard let name = TimeZoneName("Europe/London") else { return false }
    return (try? options.zones.rules(for: name)) == nil
  }
}
