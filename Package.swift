// swift-tools-version: 6.3
import PackageDescription

// One section per floor, in floor order; a module depends only on lower floors. No external dependencies.
// A module's sources are at Sources/PLACE (a client's at Clients/PLACE), its tests at Tests/PLACE.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // No other program links these modules, so the linker may drop every uncalled function.
  .unsafeFlags(
    [
      "-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections",
      // Otherwise each generic type is looked up by name at first use: two thirds of the instructions of a start.
      "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
      // All modules are checked for data races at compile time; without this, every closure passed to an actor checks
      // again.
      "-Xfrontend", "-disable-dynamic-actor-isolation",
      // Nothing reflects on types.
      "-Xfrontend", "-disable-reflection-metadata",
      // Debug builds check exclusivity at run time, which would cost a tenth of a request.
      "-enforce-exclusivity=unchecked",
    ], .when(configuration: .release)),
]
/// No regular expressions, and none of the searches in texts that come with them: they would be linked into the program.
/// In debug builds too, so that such a search is an error wherever it is compiled first.
let plainTexts: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]
/// For system calls that the toolchain's C modules omit.
let externs: [SwiftSetting] = [.enableExperimentalFeature("Extern")]
/// For code of which little is hot: generated code, tables, the command line.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
/// For code that tests run for long, such as simulations: optimized in debug builds too, with assertions.
let fast: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Instructions that not every x86-64 processor has; callers check for them first.
#if arch(x86_64)
  let checksumInstructions: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-msse4.2", "-Xcc", "-msha"])]
#else
  let checksumInstructions: [SwiftSetting] = []
#endif

/// The functions and variables used at start, in order; recorded by the script next to the list.
let startOrder = "\(Context.packageDirectory)/Sources/Tools/linking/daybook.order"

/// Omits unused sections, an eighth of the program: mainly unwind tables. Frame pointers stay.
let leftOut = "\(Context.packageDirectory)/Sources/Tools/linking/left-out.ld"

/// A module, and its tests, which import its dependencies and `tests`; no tests when that is nil. `documents` are for
/// people, in its folder.
func module(
  _ name: String, at place: String, _ uses: [String] = [], tests: [String]? = nil, excludedTests: [String] = [],
  documents: [String] = [], _ flags: [SwiftSetting] = []
) -> [Target] {
  let module = Target.target(
    name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(place)", exclude: documents,
    swiftSettings: settings + plainTexts + flags)
  guard let tests else { return [module] }
  return [module, suite("\(name)Tests", at: place, [name] + uses + tests, exclude: excludedTests)]
}

/// An executable of a few lines on top of modules.
func program(
  _ name: String, at place: String, _ uses: [String], _ flags: [SwiftSetting] = [], linker: [LinkerSetting] = []
) -> [Target] {
  [
    .executableTarget(
      name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(place)",
      swiftSettings: settings + plainTexts + flags, linkerSettings: linker)
  ]
}

/// A test suite.
func suite(
  _ name: String, at place: String, _ uses: [String], exclude: [String] = [], _ flags: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: name, dependencies: Set(uses).sorted().map { .byName(name: $0) }, path: "Tests/\(place)", exclude: exclude,
    swiftSettings: settings + flags)
}

/// A module for tests and tools only.
func support(_ name: String, at place: String, _ uses: [String], _ flags: [SwiftSetting] = []) -> [Target] {
  [
    .target(
      name: name, dependencies: uses.map { .byName(name: $0) }, path: "Tests/\(place)", swiftSettings: settings + flags)
  ]
}

/// A module of a client, which the service does not use.
func client(_ name: String, at place: String, _ uses: [String], _ flags: [SwiftSetting] = []) -> [Target] {
  [
    .target(
      name: name, dependencies: uses.map { .byName(name: $0) }, path: "Clients/\(place)",
      swiftSettings: settings + plainTexts + flags)
  ]
}

let base: [[Target]] = [
  // Decimal digits of numbers, several at a time.
  module("Digits", at: "Base/Digits", tests: []),
  // A strict, fast JSON reader and writer over UTF-8 bytes.
  module("JSON", at: "Base/JSON", ["Digits"], tests: [], fast),
  // Small values that every floor uses: ids and fixed-point decimals.
  module("Values", at: "Base/Values", ["Digits"], tests: []),
  // Letters without case and diacritics, for comparing names.
  module("TextFolding", at: "Base/TextFolding", tests: []),
  // Compressed text that is text again, for large literals.
  module("TextPacking", at: "Base/TextPacking", tests: [], fast),
  // Civil days, instants and time zones.
  module("CivilTime", at: "Base/CivilTime", ["Digits"], tests: []),
  // The operating system's calls, one concern a file.
  module("Platform", at: "Base/Platform", ["CivilTime"], tests: [], externs),
  // Checksums by processor instructions, where available.
  module("ChecksumInstructions", at: "Base/ChecksumInstructions", [], externs + checksumInstructions),
  // HTTP requests for `daybook-http`, and the process that sends them.
  module("HTTPCarriage", at: "Base/HTTPCarriage", ["JSON", "Platform"], small),
  // Frames, messages and their classification, without I/O.
  module("JSONRPC", at: "Base/JSONRPC", ["JSON"], tests: ["StreamFuzzKit"]),
]

let wire: [[Target]] = [
  // Types, codecs, methods and errors, generated from Protocol/.
  module(
    "DaybookProtocol", at: "Wire/DaybookProtocol", ["CivilTime", "JSON", "JSONRPC", "Values"],
    tests: ["DaybookClientCodecs", "ProtocolGenerator"], small),
  // The collections that the protocol declares: their events, and how they are synced.
  module("CollectionTables", at: "Wire/CollectionTables", ["DaybookProtocol", "JSON"], small),
]

let storage: [[Target]] = [
  // The journal of transactions, and the collections of records built from it, in a folder.
  module(
    "FileStore", at: "Storage/FileStore", ["ChecksumInstructions", "CivilTime", "JSON", "Platform", "Values"],
    tests: ["CrashLabKit", "FileStoreTesting", "Interleaving", "Pacing"], documents: ["FORMAT.md"], fast)
]

let sync: [[Target]] = [
  // The rules of sync: versions and their order, merging, the outbox. Pure; names no domain.
  module(
    "SyncRules", at: "Sync/Rules", ["CivilTime", "CollectionTables", "FileStore", "JSON", "Values"],
    tests: ["FileStoreTesting", "Pacing", "Platform"],
    excludedTests: ["vectors.json"], fast),
  // Its engine: batches, heads, a pass, the bookkeeping of commits. Names no domain; the remote is injected.
  module(
    "SyncEngine", at: "Sync/Engine", ["CivilTime", "CollectionTables", "FileStore", "JSON", "SyncRules", "Values"],
    tests: ["DaybookClientCodecs", "FileStoreTesting", "Pacing", "Platform", "ProtocolModel"], fast),
  // Its remotes: a plain folder.
  module(
    "SyncRemotes", at: "Sync/Remotes", ["FileStore", "JSON", "SyncEngine", "Values"],
    tests: ["FileStoreTesting", "Pacing", "Platform", "SyncRules"]),
]

/// For tests that run random histories of calls against a whole service and a model of the domain.
let historyTests = ["DaybookServer", "FileStoreTesting", "Pacing", "Platform", "ProcessTesting", "ServerTesting"]

let domains: [[Target]] = [
  // One line of text as words, numbers and units, with its day, time and kind: what all kinds of entries share. Pure.
  module("EntryWords", at: "Domains/EntryWords", ["CivilTime", "TextFolding", "Values"], tests: []),
  // The environment of domain services: the data folder, days, stored entities and lists of them.
  module(
    "DomainKit", at: "Domains/Kit",
    [
      "CivilTime", "CollectionTables", "DaybookProtocol", "EntryWords", "FileStore", "JSON", "JSONRPC", "Platform",
      "Premium", "Reminders", "Values",
    ],
    tests: ["FileStoreTesting", "SettingsDocument"]),
  // Comma-separated values: an incremental reader, a writer, and column detection.
  module(
    "Tables", at: "Domains/Tables", ["CivilTime", "DaybookProtocol", "JSON", "TextFolding", "Values"],
    tests: ["FileStoreTesting"]),

  // Table imports and text exports, shared by all domains.
  module(
    "TableService", at: "Domains/TableService",
    ["CivilTime", "DaybookProtocol", "DomainKit", "FileStore", "JSON", "JSONRPC", "Tables", "Values"], tests: [], small),

  // Meals, days, foods, weights, exercise, water and measurements: the rules.
  module(
    "Nutrition", at: "Domains/Nutrition/Rules",
    ["CivilTime", "DaybookProtocol", "EntryWords", "JSON", "Reminders", "TextFolding", "Values"],
    tests: ["FileStoreTesting", "SettingsDocument"]),
  // Tables of it, ours and those of other programs.
  module(
    "NutritionTables", at: "Domains/Nutrition/Tables",
    ["CivilTime", "DaybookProtocol", "Nutrition", "SettingsDocument", "Tables", "Values"], tests: ["FileStoreTesting"],
    small),
  // Its service: handlers and caches.
  module(
    "NutritionService", at: "Domains/Nutrition/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "EntryWords", "Estimation", "FileStore", "JSON", "JSONRPC",
      "Nutrition", "NutritionTables", "Platform", "Reminders", "SettingsDocument", "TableService", "Tables",
      "TextFolding", "Values",
    ], tests: historyTests),

  // Recurring payments: charges by day, money by currency, totals, insights, budgets, reminders.
  module(
    "Subscriptions", at: "Domains/Subscriptions/Rules",
    ["Calendars", "CivilTime", "DaybookProtocol", "JSON", "Premium", "Reminders", "TextFolding", "Values"],
    tests: ["DaybookClientCodecs", "FileStoreTesting"], small),
  // Tables of it, ours and those of other programs.
  module(
    "SubscriptionTables", at: "Domains/Subscriptions/Tables",
    ["CivilTime", "DaybookProtocol", "JSON", "Subscriptions", "Tables", "Values"], tests: ["FileStoreTesting"], small),
  // Its service: handlers and caches.
  module(
    "SubscriptionsService", at: "Domains/Subscriptions/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "EntryWords", "FileStore", "JSON", "JSONRPC", "Calendars", "Premium",
      "Reminders", "SubscriptionTables", "Subscriptions", "TableService", "Tables", "TextFolding", "Values",
    ], tests: historyTests),

  // Habits, their logs, and what follows: days, cards, streaks, strength, personality, reminders, places.
  module(
    "Habits", at: "Domains/Habits/Rules",
    ["CivilTime", "DaybookProtocol", "Premium", "Reminders", "TextFolding", "Values"],
    tests: ["DaybookClientCodecs", "FileStoreTesting", "JSON", "Pacing"], small),
  // Tables of habits and logs, ours and those of other programs.
  module(
    "HabitTables", at: "Domains/Habits/Tables",
    ["CivilTime", "DaybookProtocol", "Habits", "JSON", "Tables", "Values"], tests: ["FileStoreTesting"], small),
  // Its service: handlers and caches.
  module(
    "HabitsService", at: "Domains/Habits/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "EntryWords", "FileStore", "Habits", "HabitTables", "JSON",
      "JSONRPC",
      "Platform", "Premium", "Reminders", "TableService", "Tables", "TextFolding", "Values",
    ], tests: historyTests, small),

  // Exercises, plans, programs, the running workout, and statistics of finished ones.
  module(
    "Training", at: "Domains/Training/Rules",
    ["CivilTime", "DaybookProtocol", "JSON", "TextFolding", "Values"],
    tests: ["CollectionTables", "FileStoreTesting", "Pacing"], small),
  // Tables of sets, ours and those of other programs.
  module(
    "TrainingTables", at: "Domains/Training/Tables",
    ["CivilTime", "DaybookProtocol", "JSON", "Tables", "Training", "Values"], tests: ["FileStoreTesting"], small),
  // Its service: handlers and caches.
  module(
    "TrainingService", at: "Domains/Training/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "EntryWords", "FileStore", "JSON", "JSONRPC", "SyncEngine",
      "TableService", "Tables", "TextFolding", "Training", "TrainingTables", "Values",
    ], tests: historyTests + ["SettingsDocument"], small),

  // The domains' offers for a day: the agenda, and measures by day.
  module(
    "AgendaService", at: "Domains/Agenda/Service",
    ["CivilTime", "DaybookProtocol", "DomainKit", "JSON", "JSONRPC"], tests: historyTests),

  // Entries: collects the domains' readings of a line of text, ranks them, refuses doubt, and stores one.
  module(
    "EntriesService", at: "Domains/Entries/Service",
    ["CivilTime", "DaybookProtocol", "DomainKit", "EntryWords", "JSON", "JSONRPC", "TextFolding", "Values"],
    tests: historyTests, small),

  // Estimates of meals described in words: the request, validation of responses, retries. Pure.
  module(
    "Estimation", at: "Domains/Estimation", ["CivilTime", "DaybookProtocol", "HTTPCarriage", "JSON", "Values"],
    tests: ["FileStoreTesting"], small),
  // Reminders: one plan of everything that the domains schedule.
  module(
    "Reminders", at: "Domains/Reminders", ["CivilTime", "DaybookProtocol", "JSON"], tests: ["FileStoreTesting"], small),
  // The home zone, the device's zone, and the zone of days.
  module("Zones", at: "Domains/Zones", ["CivilTime", "JSON"], tests: [], small),
  // Products, entitlements, the cached premium record, gates, paywall and lock: pure rules, and a store of record as a
  // value.
  module(
    "Premium", at: "Domains/Premium", ["CivilTime", "DaybookProtocol", "JSON", "Values"],
    tests: ["FileStoreTesting"], small),
  // Dated events as a calendar for subscription (iCalendar).
  module("Calendars", at: "Domains/Calendars", ["CivilTime"], tests: ["FileStoreTesting"], small),
  // The settings of all domains: defaults, validation, updates, migration.
  module(
    "SettingsDocument", at: "Domains/Settings", ["CivilTime", "DaybookProtocol", "JSON", "Values"],
    tests: ["CollectionTables"], small),
]

let server: [[Target]] = [
  // The session, its parts, and its connection.
  module(
    "DaybookServer", at: "Server",
    [
      "AgendaService", "CivilTime", "DaybookProtocol", "DomainKit", "EntriesService", "Estimation", "FileStore",
      "HabitsService",
      "HTTPCarriage", "JSON",
      "JSONRPC", "NutritionService", "Platform", "Premium", "Reminders", "SettingsDocument",
      "SubscriptionsService", "SyncEngine", "SyncRemotes", "SyncRules", "TableService", "TextPacking",
      "TrainingService", "Values", "Zones",
    ],
    tests: [
      "FileStoreTesting", "Interleaving", "Pacing", "ProcessTesting", "ProtocolModel", "ServerTesting", "Spawning",
    ],
    excludedTests: ["Golden"])
]

let programs: [[Target]] = [
  // Pages for people: results of requests as lines of cells, in colours or plain text. Pure.
  module(
    "TerminalPages", at: "Programs/Terminal", ["CivilTime", "JSON", "Values"],
    tests: ["Pacing", "ProcessTesting", "Spawning", "daybook"], excludedTests: ["Golden", "terminal.py"], small),
  // The command line: serve, call, watch, and the commands that print pages.
  module(
    "DaybookCommand", at: "Programs/Command",
    [
      "CivilTime", "DaybookProtocol", "DaybookServer", "FileStore", "JSON", "JSONRPC", "Platform", "Premium",
      "TerminalPages", "TextPacking", "Values",
    ],
    tests: ["Pacing", "ProcessTesting", "Spawning", "daybook"], small),
  // The entry point. Linked statically in release builds, which halves its start, and without unwind tables.
  program(
    "daybook", at: "Programs/daybook", ["DaybookCommand", "Platform"],
    linker: [
      .unsafeFlags(
        [
          "-static-executable", "-use-ld=lld", "-Xlinker", "--icf=all", "-Xlinker", "--no-eh-frame-hdr",
          "-Xlinker", "--script=\(leftOut)",
          // Unicode character names, half a megabyte, are not used; a house rule ensures it.
          "-Xlinker", "--wrap=_swift_stdlib_getScalarName",
          "-Xlinker", "--defsym=__wrap__swift_stdlib_getScalarName=abort",
          // Written in one piece, the program lies in large pages of the page cache, which makes mapping it a sixth
          // faster. lld 21 takes this option for `--no-mmap-output-file`; others write that way by default.
          "-Xlinker", "--mmap-output-file",
          // Places the code used at start together; unknown names are ignored.
          "-Xlinker", "--symbol-ordering-file=\(startOrder)", "-Xlinker", "--no-warn-symbol-ordering",
        ],
        .when(platforms: [.linux], configuration: .release))
    ]),
  // Sends one HTTP request: the only program that uses the network, and Foundation for it.
  program("daybook-http", at: "Programs/daybook-http", ["HTTPCarriage", "Platform"]),
  [
    // The program as seen from outside: processes over pipes that are killed, starved and locked out.
    suite(
      "ProcessTests", at: "Programs/Processes",
      [
        "FileStore", "HTTPCarriage", "JSON", "Pacing", "ProcessTesting", "Spawning", "daybook", "daybook-http",
      ]),
    // Sessions with third-party programs, where they are installed.
    suite(
      "InteropTests", at: "Programs/Interop/Suite", ["Pacing", "ProcessTesting", "Spawning", "daybook"]),
    // Plays the cases of Protocol/ against the program with their runner, and runs the runner's own tests.
    suite(
      "ConformanceTests", at: "Tools/Conformance/Suite",
      ["Pacing", "ProcessTesting", "ProtocolGenerator", "Spawning", "daybook"]),
    // Runs what the documents show.
    suite(
      "ReadmeTests", at: "Programs/Readme", ["Pacing", "ProcessTesting", "Spawning", "daybook", "daybook-http"]),
  ],
]

let clients: [[Target]] = [
  // The core of the Swift client: the codecs of the direction opposite to the service's. Tests use it too.
  client(
    "DaybookClientCodecs", at: "Swift/Sources/DaybookClientCodecs", ["CivilTime", "DaybookProtocol", "JSON", "Values"],
    small)
]

let tools: [[Target]] = [
  // Starts programs and splits their output into messages.
  module("Spawning", at: "Tools/Spawning", tests: [], externs),
  // The files under Protocol/ as values.
  module("ProtocolModel", at: "Tools/ProtocolModel", ["JSON"]),
  // Emitters: Swift, OpenRPC, the reference, samples; and the comparison of two versions.
  module(
    "ProtocolGenerator", at: "Tools/ProtocolGenerator", ["JSON", "ProtocolModel", "TextPacking"],
    tests: ["DaybookProtocol", "TextPacking"],
    excludedTests: ["Golden"]),
  program("protocol-gen", at: "Tools/protocol-gen", ["ProtocolGenerator", "ProtocolModel"]),
  // Benchmarks of a service and its store, next to a floor server, Foundation, SQLite and bare system calls.
  module(
    "BenchKit", at: "Tools/BenchKit",
    ["CivilTime", "DaybookProtocol", "DaybookServer", "FileStore", "JSON", "Platform", "Spawning", "Values"],
    documents: ["RESULTS.md"], externs),
  // Benchmarks of a domain's requests, in the domain's folder.
  module("NutritionBench", at: "Domains/Nutrition/Bench", ["BenchKit", "CivilTime"]),
  module("SubscriptionsBench", at: "Domains/Subscriptions/Bench", ["BenchKit"]),
  module("HabitsBench", at: "Domains/Habits/Bench", ["BenchKit", "CivilTime"]),
  module("TrainingBench", at: "Domains/Training/Bench", ["BenchKit", "CivilTime"]),
  // The benchmark program.
  program(
    "daybook-bench", at: "Tools/daybook-bench",
    ["BenchKit", "HabitsBench", "NutritionBench", "SubscriptionsBench", "TrainingBench"]),
  // Histories, crashes and damage on simulated disks, by the million.
  program("crash-lab", at: "Tools/crash-lab", ["CrashLabKit", "FileStoreTesting"]),
  // Mutated byte streams through decoding, classification and params, by the million.
  program("stream-fuzz", at: "Tools/stream-fuzz", ["StreamFuzzKit"]),
]

let testing: [[Target]] = [
  // House rules, checked against the repository's text.
  [suite("PackageTests", at: "Package", [], fast)],
  // Limits concurrent tests, and their threads.
  support("Pacing", at: "Support/Pacing", ["Platform"]),
  // Explores all interleavings of the threads of a model.
  support("Interleaving", at: "Support/Interleaving", [], fast),
  // Starts programs, exchanges messages over pipes, and waits for them.
  support("ProcessTesting", at: "Support/ProcessTesting", ["JSON", "Spawning"]),
  // An in-process service with its own clock.
  support(
    "ServerTesting", at: "Support/ServerTesting",
    ["CivilTime", "DaybookServer", "FileStore", "JSON", "Platform", "ProcessTesting", "ProtocolModel", "Values"]),
  // An in-memory disk that crashes, fills up and fails on demand.
  support("FileStoreTesting", at: "Support/FileStoreTesting", ["FileStore", "Platform"], fast),
  // Histories, crashes and damage on simulated disks, and the invariants after each.
  support(
    "CrashLabKit", at: "Storage/CrashLab/Kit", ["CivilTime", "FileStore", "FileStoreTesting", "Platform", "Values"],
    fast),
  // A step of the stream fuzzer.
  support(
    "StreamFuzzKit", at: "Support/StreamFuzzKit", ["DaybookClientCodecs", "DaybookProtocol", "JSON", "JSONRPC"]),
]

let all = (base + wire + storage + sync + domains + server + programs + clients + tools + testing).flatMap { $0 }

/// The targets among `all` that some suites consist of: themselves and what they need.
func targets(of suites: [String], among all: [Target]) -> [Target] {
  var wanted = Set(suites)
  var new = wanted
  while !new.isEmpty {
    let uses = all.filter { new.contains($0.name) }.flatMap(\.dependencies).compactMap { dependency in
      if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    new = Set(uses).subtracting(wanted)
    wanted.formUnion(new)
  }
  return all.filter { wanted.contains($0.name) }
}

/// The only suites to build, separated by commas, for a slow way of building them; all if unset.
let suites = Context.environment["SUITES"]?.split(separator: ",").map(String.init)

/// Targets without those of a domain, and without dependencies on them.
func targets(_ all: [Target], without domain: String) -> [Target] {
  let gone = all.filter { $0.path?.hasPrefix("Sources/Domains/\(domain)/") == true }.map(\.name)
  for target in all {
    target.dependencies.removeAll { if case .byNameItem(let name, _) = $0 { gone.contains(name) } else { false } }
  }
  return all.filter { !gone.contains($0.name) }
}

/// A domain to leave out, whose folder is not there; none if unset. Needs the files that are generated without it.
let left = Context.environment["WITHOUT"].map { targets(all, without: $0) } ?? all

let package = Package(name: "daybook", targets: suites.map { targets(of: $0, among: left) } ?? left)
