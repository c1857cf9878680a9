import Testing

/// Checks the house rules on the repository; a failure prints each offending file:line.
struct HouseRuleTests {
  @Test("The sources are found")
  func sourcesAreFound() throws {
    let paths = try Repository.sources().map(\.path)
    #expect(paths.contains("Sources/Base/Values/EntityID.swift"))
    #expect(paths.contains("Clients/Swift/Sources/DaybookClientCodecs/Generated/WireTypes.swift"))
    #expect(try Repository.topLevelEntries().contains("Package.swift"))
  }

  @Test("Every #if os(Linux) has an #else")
  func everyLinuxHasATwin() throws {
    try expectNone(HouseRule.everyLinuxHasATwin)
  }

  @Test("No source imports Foundation outside daybook-http and the tools")
  func noFoundation() throws {
    try expectNone(HouseRule.noFoundation)
  }

  @Test("No source of the service starts tasks or timers on the runtime's threads")
  func noRuntimeThreads() throws {
    try expectNone(HouseRule.noRuntimeThreads)
  }

  @Test("No source waits for asynchronous work outside the files that may park a thread")
  func noBridges() throws {
    try expectNone(HouseRule.noBridges)
  }

  @Test("No source ends the process or bypasses the compiler's checks")
  func noTraps() throws {
    try expectNone(HouseRule.noTraps)
  }

  @Test("No test and no tool starts programs with Foundation")
  func oneSpawner() throws {
    // This rule's samples break it.
    let tests = try Repository.tests().filter { $0.name != "HouseRuleSampleTests.swift" }
    let offences = try (Repository.sources() + tests).flatMap(HouseRule.oneSpawner)
    #expect(offences.isEmpty, "\(list(offences))")
  }

  @Test("No message says “is no”, “any more” or “of … it is”")
  func plainMessages() throws {
    try expectNone(HouseRule.plainMessages)
  }

  @Test("The server names no domain")
  func serverNamesNoDomain() throws {
    let domains = try Repository.domainNames()
    #expect(domains.services.isSuperset(of: ["Habits", "Nutrition", "Subscriptions", "Training"]))
    #expect(domains.types["Meal"] == "Nutrition" && domains.methods.contains("meals/add"))
    try expectNone { HouseRule.serverNamesNoDomain($0, domains) }
  }

  @Test("No domain names another, and shared rules name none")
  func domainsNameNoOther() throws {
    let domains = try Repository.domainNames()
    #expect(domains.types["Exercise"] == "Nutrition" && domains.types["RatesChangedParams"] == "Subscriptions")
    try expectNone { HouseRule.domainsNameNoOther($0, domains) }
  }

  @Test("No source has more than 500 lines outside Generated")
  func notTooLong() throws {
    try expectNone(HouseRule.notTooLong)
  }

  @Test("The top of the repository holds its six entries and dotfiles")
  func topLevelEntries() throws {
    let offences = HouseRule.topLevelEntries(try Repository.topLevelEntries())
    #expect(offences.isEmpty, "\(list(offences))")
  }

  @Test("Package.swift names no dependency")
  func noDependency() throws {
    let offences = HouseRule.noDependency(try Repository.file("Package.swift"))
    #expect(offences.isEmpty, "\(list(offences))")
  }

  /// Expects that no file under `Sources` breaks the rule.
  private func expectNone(_ rule: (SourceText) -> [Offence]) throws {
    let offences = try Repository.sources().flatMap(rule)
    #expect(offences.isEmpty, "\(list(offences))")
  }

  /// One offence a line.
  private func list(_ offences: [Offence]) -> String {
    offences.map { "\n\($0)" }.joined()
  }
}
