import Foundation
import Testing

/// Tests each rule with a sample that breaks it and one that does not.
struct HouseRuleSampleTests {
  /// The lines of a sample that break the rule.
  private func lines(
    _ rule: (SourceText) -> [Offence], _ text: String, path: String = "Sources/Base/JSON/Sample.swift"
  ) -> [Int?] {
    rule(SourceText(path: path, text: text)).map(\.line)
  }

  @Test(
    "A Linux block without a twin is found, with its line",
    arguments: [
      ("#if os(Linux)\nimport Glibc\n#endif\n", [1]),
      ("let a = 1\n#if os(Linux)\n#if DEBUG\n#else\n#endif\n#endif\n", [2]),
      ("#if DEBUG\n  #if os(Linux) && DEBUG\n  #endif\n#else\n#endif\n", [2]),
      ("#if os(Linux)\n#elseif os(macOS)\n#endif\n", [1]), ("#if os(Linux)\n// #else\n#endif\n", [1]),
      ("#if os(Linux)\nimport Glibc\n#else\nimport Darwin\n#endif\n", []),
      ("#if os(Linux)\n#if canImport(Musl)\n#else\n#endif\n#else\n#endif\n", []), ("#if DEBUG\n#endif\n", []),
      ("// #if os(Linux)\n#endif\n", []),
    ])
  func linux(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.everyLinuxHasATwin, text) == expected)
  }

  @Test(
    "A test that starts programs with Foundation is found",
    arguments: [
      ("import Foundation\nlet a = Process()", [2]), ("import Foundation\nlet a = Pipe( )", [2]),
      ("import Foundation\ntry Process.run(a, arguments: [])", [2]), ("import Platform\nlet a = Pipe()", []),
      ("import Foundation\nlet a = SpawnedProcess()\n// Process()", []),
    ])
  func spawner(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.oneSpawner, text, path: "Tests/Server/Sample.swift") == expected)
  }

  @Test(
    "Each way in which the server may name a domain is found",
    arguments: [
      ("import PondsService", [1]), ("let a = 1\nlet b: [Fish] = []", [2]), ("records(in: Fish.collection)", [1]),
      ("try services.ponds.feed()", [1]), ("QuickAction(method: \"fish/add\")", [1]), ("$0.hasPrefix(\"fish/\")", [1]),
      ("let domains = [.fish]", [1]), ("(.fish, \"Fish\")", [1]), ("case .fish: return", [1]),
      ("import Platform", []), ("let a = pond.fish", []), ("log.info(\"Fish\")", []), ("// Fish", []),
      ("let a = [Fishing()]", []), ("Gate(method: \"gate/open\")", []), ("services.all.first", []),
      ("value.map(\\.count).fish", []), ("require(.angling)", [1]), ("require(.lock)", []),
    ] as [(String, [Int])])
  func domains(_ text: String, _ expected: [Int]) throws {
    let ponds = #"""
      {"service": "Ponds", "types": [{"name": "Fish", "collection": {"name": "fish"}}, {"name": "Net"}],
        "requests": [{"method": "fish/add"}, {"method": "fish/weigh", "room": "Scales"}]}
      """#
    let gate = #"""
      {"types": [{"name": "Gate", "values": [{"name": "angling", "service": "Ponds"}, {"name": "lock"}]}],
        "requests": [{"method": "gate/open"}]}
      """#
    let names = try DomainNames([Data(ponds.utf8), Data(gate.utf8)])
    let rule = { HouseRule.serverNamesNoDomain($0, names) }
    #expect(lines(rule, text, path: "Sources/Server/Session/Sample.swift") == expected)
    #expect(lines(rule, text, path: "Sources/Server/Generated/Sample.swift").isEmpty)
    #expect(lines(rule, text, path: "Sources/Domains/Ponds/Sample.swift").isEmpty)
  }

  @Test(
    "A domain may name itself and the server, and no other domain",
    arguments: [
      ("import PondsService", [1]), ("import PondTables", [1]), ("let a: Fish? = nil", [1]),
      ("let a: FishAddResult", [1]),
      ("import Values\nlet a = Heron()", []), ("import HeronsTables", []), ("let a: Gate", []), ("// Fish", []),
      ("from: \"Fish\"", []),
    ] as [(String, [Int])])
  func otherDomains(_ text: String, _ expected: [Int]) throws {
    let ponds = #"{"service": "Ponds", "types": [{"name": "Fish"}], "requests": [{"method": "fish/add"}]}"#
    let herons = #"{"service": "Herons", "types": [{"name": "Heron"}]}"#
    let names = try DomainNames([ponds, herons, #"{"types": [{"name": "Gate"}]}"#].map { Data($0.utf8) })
    let rule = { HouseRule.domainsNameNoOther($0, names) }
    #expect(lines(rule, text, path: "Sources/Domains/Herons/Rules/Sample.swift") == expected)
    #expect(lines(rule, text, path: "Sources/Domains/Ponds/Service/Generated/Sample.swift").isEmpty)
    let namesHerons = text.contains("Heron")
    #expect(lines(rule, text, path: "Sources/Domains/Ponds/Rules/Sample.swift").isEmpty == !namesHerons)
    #expect(lines(rule, text, path: "Sources/Domains/Kit/Sample.swift").isEmpty == (expected.isEmpty && !namesHerons))
  }

  @Test(
    "Each way to import Foundation is found",
    arguments: [
      ("import Foundation", [1]), ("import Testing\n  @preconcurrency import Foundation", [2]),
      ("import struct Foundation.Date", [1]), ("private import FoundationEssentials", [1]),
      ("import FoundationNetworking", [1]), ("import  Foundation", [1]), ("// import Foundation", []),
      ("/* import Foundation */", []), ("import Glibc", []), ("import MyFoundation", []),
    ])
  func foundation(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.noFoundation, text) == expected)
    #expect(lines(HouseRule.noFoundation, text, path: "Sources/Programs/daybook/main.swift") == expected)
  }

  @Test(
    "Foundation is allowed where it is needed, and nowhere that only sounds like it",
    arguments: [
      ("Programs/daybook-http", true), ("Tools/daybook-bench", true), ("Tools/protocol-gen", true),
      ("Programs/daybook", false), ("Programs/daybook-httpd", false), ("Domains/Tools", false),
      ("Domains/Nutrition/Bench", true),
      ("Domains/Bench/Rules", false),
    ])
  func foundationFolders(_ folder: String, _ isAllowed: Bool) {
    let offences = lines(HouseRule.noFoundation, "import Foundation", path: "Sources/\(folder)/main.swift")
    #expect(offences.isEmpty == isAllowed)
    #expect(lines(HouseRule.noFoundation, "import Foundation", path: "Clients/Swift/Sources/Client.swift").isEmpty)
  }

  @Test(
    "Each way to use the runtime's own threads is found",
    arguments: [
      ("Task { a() }", [1]), ("let t = Task.detached{ a() }", [1]), ("Task(priority: .low) { a() }", [1]),
      ("try? await Task.sleep(for: .seconds(1))", [1]), ("\nDispatchQueue.main.async { a() }", [2]),
      ("Task.detached(executorPreference: x) { a() }", []), ("if Task.isCancelled { a() }", []), ("// Task {", []),
      ("struct MyTask {", []),
    ])
  func runtimeThreads(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.noRuntimeThreads, text) == expected)
    #expect(lines(HouseRule.noRuntimeThreads, text, path: "Sources/Tools/daybook-bench/main.swift").isEmpty)
  }

  @Test(
    "Each way to wait for asynchronous work is found",
    arguments: [
      ("let s = DispatchSemaphore(value: 0)", [1]), ("\ns.wait()", [2]), ("s.wait(timeout: .now() + 1)", [1]),
      ("_ = group.wait(wallTimeout: x)", [1]), ("DispatchGroup()", [1]), ("sem_wait(&s)", [1]),
      ("pthread_cond_wait(&c, &m)", [1]), ("pthread_cond_timedwait(&c, &m, &t)", [1]), ("RunLoop.main.run()", [1]),
      ("await s.wait()", []), ("// s.wait()", []), ("job.waits()", []), ("waitpid(pid, &status, 0)", []),
    ])
  func bridges(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.noBridges, text) == expected)
    #expect(lines(HouseRule.noBridges, text, path: "Sources/Storage/FileStore/CommitThread.swift").isEmpty)
    #expect(lines(HouseRule.noBridges, text, path: "Sources/Base/Platform/Parker.swift").isEmpty)
    #expect(lines(HouseRule.noBridges, text, path: "Sources/Parker.swift/Other.swift") == expected)
  }

  @Test(
    "Each way to end the process or to silence the compiler is found",
    arguments: [
      ("fatalError(\"no\")", [1]), ("fatalError ()", [1]), ("let a = try! b()", [1]), ("a as! B", [1]),
      ("final class A: @unchecked Sendable {}", [1]), ("nonisolated(unsafe) var a = 1", [1]),
      ("let a = 1 // fine\nlet b = \"http://x\" as! C\n", [2]), ("let a = \"\\(b as! C)\"", [1]),
      ("let a = \"\"\"\n  // text\n  \"\"\" as! B", [3]), ("/* a\n/* b */\n*/ try! c()", [3]),
      ("// never fatalError() or try! here", []), ("/// as! is forbidden\nlet a = b as? C", []),
      ("scalar.properties.name", [1]), ("scalar.properties.nameAlias", []), ("myfatalError()", []),
      ("let has = !a", []), ("/* try!\n as! */", []),
    ])
  func traps(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.noTraps, text) == expected)
  }

  @Test(
    "A message that no native engineer writes is found",
    arguments: [
      ("\"this is no cursor\"", [1]), ("\"a\"\n\"“\\(text)” is no type\"", [2]), ("\"an empty one is none\"", [1]),
      ("\"\"\"\n  they are no files\n  \"\"\"", [2]), ("\"it would not fire any more\"", [1]),
      ("\"of a reminder it is told what came of it\"", [1]), ("\"there is no file\"", []), ("\"There are none\"", []),
      ("\"it is no longer there\"", []), ("\"not a cursor\"", []), ("// this is no cursor any more", []),
      ("\"a copy of a file, if it is there\"", []), ("\"it is nonempty\"", []),
    ])
  func messages(_ text: String, _ expected: [Int]) {
    #expect(lines(HouseRule.plainMessages, text) == expected)
    #expect(lines(HouseRule.plainMessages, text, path: "Sources/Wire/Generated/Sample.swift").isEmpty)
  }

  @Test("A file of 501 lines is found, one of 500 and a generated one are not")
  func length() {
    let long = String(repeating: "//\n", count: 501)
    #expect(lines(HouseRule.notTooLong, long) == [nil])
    #expect(lines(HouseRule.notTooLong, String(long.dropLast(3))) == [])
    #expect(lines(HouseRule.notTooLong, long, path: "Sources/Wire/DaybookProtocol/Generated/Meal.swift") == [])
    #expect(lines(HouseRule.notTooLong, long, path: "Sources/Wire/DaybookProtocol/Generated.swift") == [nil])
  }

  @Test("An unexpected entry at the top is found, the six and dotfiles are not")
  func topLevel() {
    let names = ["Package.swift", "Sources", "Tests", "Protocol", "Clients", "README.md", ".build", ".gitignore"]
    #expect(HouseRule.topLevelEntries(names).isEmpty)
    #expect(HouseRule.topLevelEntries(names + ["Docs", "sources"]).map(\.path) == ["Docs", "sources"])
  }

  @Test("A dependency in the manifest is found")
  func dependency() {
    let bad = "let package = Package(\n  dependencies: [\n    .package(url: \"https://x\", from: \"1.0.0\")\n  ])"
    #expect(lines(HouseRule.noDependency, bad, path: "Package.swift") == [3])
    #expect(lines(HouseRule.noDependency, ".package (path: \"../x\")", path: "Package.swift") == [1])
    #expect(lines(HouseRule.noDependency, "// .package(\n.target(name: \"package\")", path: "Package.swift") == [])
  }

  @Test("An offence names its file and line")
  func description() {
    #expect(Offence(path: "Sources/A.swift", line: 3, reason: "waits").description == "Sources/A.swift:3: waits")
    #expect(Offence(path: "Docs", line: nil, reason: "strange").description == "Docs: strange")
  }
}
