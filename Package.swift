// swift-tools-version: 6.3
import PackageDescription

// One section per floor, in floor order: an arrow points only downwards. No dependency of any kind.
// A module's sources are at Sources/PLACE and its tests at Tests/PLACE.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // No other program links these modules, so the linker may drop every function that is not called. No regular expressions.
  .unsafeFlags(
    [
      "-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections",
      "-Xfrontend", "-disable-implicit-string-processing-module-import",
      // Otherwise the first use of each generic type reads its name at run time: two thirds of the instructions of a start.
      "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
      // All modules are checked for data races when they are built; each closure that an actor hands on checked it again.
      "-Xfrontend", "-disable-dynamic-actor-isolation",
      // Nothing looks at a type's members by name.
      "-Xfrontend", "-disable-reflection-metadata",
      // Debug builds check it at run time; that takes a tenth of a request.
      "-enforce-exclusivity=unchecked",
    ], .when(configuration: .release)),
]
/// System calls that the C module of the toolchain does not import.
let externs: [SwiftSetting] = [.enableExperimentalFeature("Extern")]
/// Code of which only a little runs often: what is generated, tables, the command line.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
/// What simulations run by the hour in tests: optimized in debug builds too, with their assertions.
let fast: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Instructions that not every processor of the kind has; who calls them asks first whether they are there.
#if arch(x86_64)
  let checksumInstructions: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-msse4.2", "-Xcc", "-msha"])]
#else
  let checksumInstructions: [SwiftSetting] = []
#endif

/// The functions and variables of a start, in order, recorded by the script beside the list.
let startOrder = "\(Context.packageDirectory)/Sources/Tools/linking/daybook.order"

/// Leaves out what nothing here uses, an eighth of the program: above all the tables by which a stack is unwound. Frame pointers stay.
let leftOut = "\(Context.packageDirectory)/Sources/Tools/linking/left-out.ld"

/// A module. Its tests import what it imports, and `tests`; nil when it has none of its own.
func module(
  _ name: String, at place: String, _ uses: [String] = [], tests: [String]? = nil, excludedTests: [String] = [],
  _ flags: [SwiftSetting] = []
) -> [Target] {
  let module = Target.target(
    name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(place)", swiftSettings: settings + flags)
  guard let tests else { return [module] }
  return [module, suite("\(name)Tests", at: place, [name] + uses + tests, exclude: excludedTests)]
}

/// A program of a few lines over modules.
func program(
  _ name: String, at place: String, _ uses: [String], _ flags: [SwiftSetting] = [], linker: [LinkerSetting] = []
) -> [Target] {
  [
    .executableTarget(
      name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(place)",
      swiftSettings: settings + flags, linkerSettings: linker)
  ]
}

/// A suite of tests.
func suite(_ name: String, at place: String, _ uses: [String], exclude: [String] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: Set(uses).sorted().map { .byName(name: $0) }, path: "Tests/\(place)", exclude: exclude,
    swiftSettings: settings)
}

/// What only tests and tools link.
func support(_ name: String, at place: String, _ uses: [String], _ flags: [SwiftSetting] = []) -> [Target] {
  [
    .target(
      name: name, dependencies: uses.map { .byName(name: $0) }, path: "Tests/\(place)", swiftSettings: settings + flags)
  ]
}

let base: [[Target]] = [
  // The decimal digits of a number, several at a time.
  module("Digits", at: "Base/Digits", tests: []),
  // A strict, fast JSON reader and writer over UTF-8 bytes.
  module("JSON", at: "Base/JSON", ["Digits"], tests: [], fast),
  // The small values every floor speaks of: ids and fixed-point decimals.
  module("Values", at: "Base/Values", ["Digits"], tests: []),
  // Letters without their case and marks, for names that are compared.
  module("TextFolding", at: "Base/TextFolding", tests: []),
  // Text without its repetitions, which is text again: for a large literal.
  module("TextPacking", at: "Base/TextPacking", tests: [], fast),
  // Civil days, instants and time zones.
  module("CivilTime", at: "Base/CivilTime", ["Digits"], tests: []),
  // The operating system's calls, one concern a file.
  module("Platform", at: "Base/Platform", ["CivilTime"], tests: [], externs),
  // Checksums by the processor's own instructions, where it has them.
  module("ChecksumInstructions", at: "Base/ChecksumInstructions", [], externs + checksumInstructions),
  // HTTP requests as they are handed to `daybook-http`, and the process that takes them there.
  module("HTTPCarriage", at: "Base/HTTPCarriage", ["JSON", "Platform"], small),
  // Frames, messages and their classification, without I/O.
  module("JSONRPC", at: "Base/JSONRPC", ["JSON"], tests: ["StreamFuzzKit"]),
]

let wire: [[Target]] = [
  // Types, codecs, methods and errors, generated from Protocol/.
  module(
    "DaybookProtocol", at: "Wire/DaybookProtocol", ["CivilTime", "JSON", "JSONRPC", "Values"],
    tests: ["DaybookClientCodecs", "ProtocolGenerator"], small),
  // The codecs of the other direction, which the service does not link: for tests and clients.
  module(
    "DaybookClientCodecs", at: "Wire/DaybookClientCodecs", ["CivilTime", "DaybookProtocol", "JSON", "Values"], small),
]

let storage: [[Target]] = [
  // The journal of transactions and the collections of records that it makes, on a folder.
  module(
    "FileStore", at: "Storage/FileStore", ["ChecksumInstructions", "CivilTime", "JSON", "Platform", "Values"],
    tests: ["CrashLabKit", "FileStoreTesting", "Interleaving", "Pacing"], fast)
]

/// For random histories of calls to a whole service, which must agree with a model of the domain.
let historyTests = ["DaybookServer", "FileStoreTesting", "Pacing", "Platform", "ProcessTesting", "ServerTesting"]

let domains: [[Target]] = [
  // What a domain's service is given: the data folder, days, stored entities and lists of them.
  module(
    "DomainKit", at: "Domains/Kit",
    ["CivilTime", "DaybookProtocol", "FileStore", "JSON", "JSONRPC", "Platform", "Premium", "Reminders", "Values"]),
  // Comma-separated values: a reader of bytes in any pieces, a writer, and which column says what.
  module(
    "Tables", at: "Domains/Tables", ["CivilTime", "DaybookProtocol", "JSON", "TextFolding", "Values"],
    tests: ["FileStoreTesting"]),

  // Imports of tables and exports of texts, the same for all domains.
  module(
    "TableService", at: "Domains/TableService",
    ["CivilTime", "DaybookProtocol", "DomainKit", "FileStore", "JSON", "JSONRPC", "Tables", "Values"], tests: [], small),

  // Meals, days, foods, weights, exercise, water and measurements: the rules.
  module(
    "Nutrition", at: "Domains/Nutrition/Rules",
    ["CivilTime", "DaybookProtocol", "JSON", "Reminders", "TextFolding", "Values"],
    tests: ["FileStoreTesting", "SettingsDocument"]),
  // The same as tables: our own, and what other programs export.
  module(
    "NutritionTables", at: "Domains/Nutrition/Tables",
    ["CivilTime", "DaybookProtocol", "Nutrition", "Tables", "Values"], tests: ["FileStoreTesting"], small),
  // Answers what is asked of them.
  module(
    "NutritionService", at: "Domains/Nutrition/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "Estimation", "FileStore", "JSON", "JSONRPC", "Nutrition",
      "NutritionTables", "Platform", "Reminders", "SettingsDocument", "TableService", "Tables", "Values",
    ], tests: historyTests),

  // What is paid for again and again: charges by day, money by currency, totals, insights, budgets, reminders.
  module(
    "Subscriptions", at: "Domains/Subscriptions/Rules",
    ["Calendars", "CivilTime", "DaybookProtocol", "Premium", "Reminders", "TextFolding", "Values"],
    tests: ["DaybookClientCodecs", "FileStoreTesting", "JSON"], small),
  // The same as tables: our own, and what other programs export.
  module(
    "SubscriptionTables", at: "Domains/Subscriptions/Tables",
    ["CivilTime", "DaybookProtocol", "JSON", "Subscriptions", "Tables", "Values"], tests: ["FileStoreTesting"], small),
  // Answers what is asked of them.
  module(
    "SubscriptionsService", at: "Domains/Subscriptions/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "FileStore", "JSON", "JSONRPC", "Calendars", "Premium", "Reminders",
      "SubscriptionTables", "Subscriptions", "TableService", "Tables", "Values",
    ], tests: historyTests),

  // Habits, what is logged of them, and what that comes to: days, cards, streaks, strength, personality, reminders, places.
  module(
    "Habits", at: "Domains/Habits/Rules",
    ["CivilTime", "DaybookProtocol", "Premium", "Reminders", "TextFolding", "Values"],
    tests: ["DaybookClientCodecs", "FileStoreTesting", "JSON", "Pacing"], small),
  // Tables of habits and logs as this and other programs write them.
  module(
    "HabitTables", at: "Domains/Habits/Tables",
    ["CivilTime", "DaybookProtocol", "Habits", "JSON", "Tables", "Values"], tests: ["FileStoreTesting"], small),
  // Answers what is asked of them.
  module(
    "HabitsService", at: "Domains/Habits/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "FileStore", "Habits", "HabitTables", "JSON", "JSONRPC", "Platform",
      "Premium", "Reminders", "TableService", "Tables", "Values",
    ], tests: historyTests, small),

  // Exercises, plans, programs, the running workout, and what finished ones come to.
  module(
    "Training", at: "Domains/Training/Rules",
    ["CivilTime", "DaybookProtocol", "JSON", "TextFolding", "Values"], tests: ["FileStoreTesting", "Pacing"], small),
  // Tables of sets as this and other programs write them.
  module(
    "TrainingTables", at: "Domains/Training/Tables",
    ["CivilTime", "DaybookProtocol", "JSON", "Tables", "Training", "Values"], tests: ["FileStoreTesting"], small),
  // Answers what is asked of them.
  module(
    "TrainingService", at: "Domains/Training/Service",
    [
      "CivilTime", "DaybookProtocol", "DomainKit", "FileStore", "JSON", "JSONRPC", "TableService", "Tables", "Training",
      "TrainingTables", "Values",
    ], tests: historyTests, small),

  // What the domains offer of a day, side by side: the agenda, and measures by day.
  module(
    "AgendaService", at: "Domains/Agenda/Service",
    ["CivilTime", "DaybookProtocol", "DomainKit", "JSON", "JSONRPC"], tests: historyTests),

  // Estimates of meals described in words: the request, what an answer has to be, when to ask again. Pure.
  module(
    "Estimation", at: "Domains/Estimation", ["CivilTime", "DaybookProtocol", "HTTPCarriage", "JSON", "Values"],
    tests: ["FileStoreTesting"], small),
  // What to remind of and when: one plan of everything the domains want to say.
  module(
    "Reminders", at: "Domains/Reminders", ["CivilTime", "DaybookProtocol", "JSON"], tests: ["FileStoreTesting"], small),
  // The zone a person lives in, the one the device is in, and the one days are told in.
  module("Zones", at: "Domains/Zones", ["CivilTime", "JSON"], tests: [], small),
  // Products, entitlements, the cached premium record, gates, paywall and lock: pure rules, and a store of record as a value.
  module(
    "Premium", at: "Domains/Premium", ["CivilTime", "DaybookProtocol", "JSON", "Values"],
    tests: ["FileStoreTesting"], small),
  // Days of events as a calendar that others subscribe to (iCalendar).
  module("Calendars", at: "Domains/Calendars", ["CivilTime"], tests: ["FileStoreTesting"], small),
  // The settings of all domains: defaults, checks, updates, older forms.
  module(
    "SettingsDocument", at: "Domains/Settings", ["CivilTime", "DaybookProtocol", "JSON", "Nutrition", "Values"],
    tests: [], small),
]

let server: [[Target]] = [
  // The session, its rooms, and the connection it speaks over.
  module(
    "DaybookServer", at: "Server",
    [
      "AgendaService", "CivilTime", "DaybookProtocol", "DomainKit", "Estimation", "FileStore", "HabitsService",
      "HTTPCarriage", "JSON",
      "JSONRPC", "Nutrition", "NutritionService", "Platform", "Premium", "Reminders", "SettingsDocument",
      "Subscriptions",
      "SubscriptionsService", "TableService", "TextPacking", "TrainingService", "Values",
      "Zones",
    ], tests: ["FileStoreTesting", "Interleaving", "Pacing", "ProcessTesting", "ServerTesting", "Spawning"],
    excludedTests: ["Golden"])
]

let programs: [[Target]] = [
  // The command line: serve, call, watch.
  module(
    "DaybookCommand", at: "Programs/Command",
    ["CivilTime", "DaybookProtocol", "DaybookServer", "FileStore", "JSON", "JSONRPC", "Platform", "Premium", "Values"],
    tests: ["Pacing", "ProcessTesting", "Spawning", "daybook"], small),
  // A main of a few lines. Linked statically in release builds, which halves its start. Nothing unwinds its stack by table.
  program(
    "daybook", at: "Programs/daybook", ["DaybookCommand", "Platform"],
    linker: [
      .unsafeFlags(
        [
          "-static-executable", "-use-ld=lld", "-Xlinker", "--icf=all", "-Xlinker", "--no-eh-frame-hdr",
          "-Xlinker", "--script=\(leftOut)",
          // Nobody asks for the names of Unicode's characters, of which there is half a megabyte; a house rule holds to that.
          "-Xlinker", "--wrap=_swift_stdlib_getScalarName",
          "-Xlinker", "--defsym=__wrap__swift_stdlib_getScalarName=abort",
          // Written in one piece, as a copy is, the program lies in memory in large pieces, which a start maps in a sixth less time.
          // lld 21 takes this option for `--no-mmap-output-file`; for others it is what they do by themselves.
          "-Xlinker", "--mmap-output-file",
          // What a start uses lies together. Names that are gone are passed over.
          "-Xlinker", "--symbol-ordering-file=\(startOrder)", "-Xlinker", "--no-warn-symbol-ordering",
        ],
        .when(platforms: [.linux], configuration: .release))
    ]),
  // Carries one HTTP request: the only program of ours that speaks to the network, and needs Foundation for it.
  program("daybook-http", at: "Programs/daybook-http", ["HTTPCarriage", "Platform"]),
  [
    // The program as others meet it: processes over pipes, killed, starved and shut out.
    suite(
      "ProcessTests", at: "Programs/Processes",
      ["HTTPCarriage", "JSON", "Pacing", "ProcessTesting", "Spawning", "daybook", "daybook-http"]),
    // Sessions with programs of others, where they are installed.
    suite(
      "InteropTests", at: "Programs/Interop/Suite", ["Pacing", "ProcessTesting", "Spawning", "daybook"]),
    // Plays the cases of Protocol/ against the program, by the runner that lies there, and runs the runner's own tests.
    suite(
      "ConformanceTests", at: "Tools/Conformance/Suite",
      ["Pacing", "ProcessTesting", "ProtocolGenerator", "Spawning", "daybook"]),
    // Runs what the README shows.
    suite(
      "ReadmeTests", at: "Programs/Readme", ["Pacing", "ProcessTesting", "Spawning", "daybook", "daybook-http"]),
  ],
]

let tools: [[Target]] = [
  // Starts programs and cuts their output into messages.
  module("Spawning", at: "Tools/Spawning", tests: [], externs),
  // What the files under Protocol/ say, as values.
  module("ProtocolModel", at: "Tools/ProtocolModel", ["JSON"]),
  // Emitters: Swift, OpenRPC, the reference, samples; and the comparison of two versions.
  module(
    "ProtocolGenerator", at: "Tools/ProtocolGenerator", ["JSON", "ProtocolModel", "TextPacking"],
    tests: ["DaybookProtocol", "TextPacking"],
    excludedTests: ["Golden"]),
  program("protocol-gen", at: "Tools/protocol-gen", ["ProtocolGenerator", "ProtocolModel"]),
  // What measures a service and its store, beside a floor server, Foundation, SQLite and bare system calls.
  module(
    "BenchKit", at: "Tools/BenchKit",
    ["CivilTime", "DaybookProtocol", "DaybookServer", "FileStore", "JSON", "Platform", "Spawning", "Values"], externs),
  // The same of what a domain answers; it lies in the domain's folder.
  module("NutritionBench", at: "Domains/Nutrition/Bench", ["BenchKit", "CivilTime"]),
  module("SubscriptionsBench", at: "Domains/Subscriptions/Bench", ["BenchKit"]),
  module("HabitsBench", at: "Domains/Habits/Bench", ["BenchKit", "CivilTime"]),
  module("TrainingBench", at: "Domains/Training/Bench", ["BenchKit", "CivilTime"]),
  // How fast it is, in figures and ratios.
  program(
    "daybook-bench", at: "Tools/daybook-bench",
    ["BenchKit", "HabitsBench", "NutritionBench", "SubscriptionsBench", "TrainingBench"]),
  // Histories, crashes and damage on simulated disks, by the million.
  program("crash-lab", at: "Tools/crash-lab", ["CrashLabKit", "FileStoreTesting"]),
  // Mutated byte streams through decoder, classification and params, by the million.
  program("stream-fuzz", at: "Tools/stream-fuzz", ["StreamFuzzKit"]),
]

let testing: [[Target]] = [
  // The rules of the house, checked against the repository's own text.
  [suite("PackageTests", at: "Package", [])],
  // How many tests run at once, and on which threads.
  support("Pacing", at: "Support/Pacing", ["Platform"]),
  // Goes through all interleavings of the threads of a model.
  support("Interleaving", at: "Support/Interleaving", [], fast),
  // Starts programs, speaks to them over pipes, and waits for what they say.
  support("ProcessTesting", at: "Support/ProcessTesting", ["JSON", "Spawning"]),
  // A service in this process, on a clock of its own.
  support(
    "ServerTesting", at: "Support/ServerTesting",
    ["CivilTime", "DaybookServer", "FileStore", "JSON", "Platform", "ProcessTesting", "Values"]),
  // A disk in memory that crashes, fills up and fails on demand.
  support("FileStoreTesting", at: "Support/FileStoreTesting", ["FileStore", "Platform"], fast),
  // Histories, crashes and damage on simulated disks, and what must hold after each.
  support(
    "CrashLabKit", at: "Storage/CrashLab/Kit", ["CivilTime", "FileStore", "FileStoreTesting", "Platform", "Values"],
    fast),
  // A step of the stream fuzzer.
  support(
    "StreamFuzzKit", at: "Support/StreamFuzzKit", ["DaybookClientCodecs", "DaybookProtocol", "JSON", "JSONRPC"]),
]

let package = Package(
  name: "daybook", targets: (base + wire + storage + domains + server + programs + tools + testing).flatMap { $0 })
