// swift-tools-version: 6.3
import PackageDescription

// One section per target, in floor order: an arrow points only downwards. No dependency of any kind.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // Nothing outside a linked program calls into it, so that the linker may drop whatever nobody calls. No regular expressions.
  .unsafeFlags(
    [
      "-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections",
      "-Xfrontend", "-disable-implicit-string-processing-module-import",
    ], .when(configuration: .release)),
]

let package = Package(
  name: "daybook",
  targets: [
    // MARK: house rules

    // The rules of the house, checked against the repository's own text.
    .testTarget(name: "PackageTests", swiftSettings: settings),

    // MARK: base

    // A strict, fast JSON reader and writer over UTF-8 bytes.
    .target(name: "JSON", swiftSettings: settings),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: settings),

    // The small values every floor speaks of: ids and fixed-point decimals.
    .target(name: "Values", swiftSettings: settings),
    .testTarget(name: "ValuesTests", dependencies: ["Values"], swiftSettings: settings),

    // Letters without their case and marks, for names that are compared.
    .target(name: "TextFolding", swiftSettings: settings),
    .testTarget(name: "TextFoldingTests", dependencies: ["TextFolding"], swiftSettings: settings),

    // Civil days, instants and time zones.
    .target(name: "CivilTime", swiftSettings: settings),
    .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime"], swiftSettings: settings),

    // The operating system's calls, one concern a file.
    .target(
      name: "Platform", dependencies: ["CivilTime"],
      swiftSettings: settings + [.enableExperimentalFeature("Extern")]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform"], swiftSettings: settings),

    // HTTP requests as they are handed to `daybook-http`, and the process that takes them there.
    .target(name: "HTTPCarriage", dependencies: ["JSON", "Platform"], swiftSettings: settings),

    // Frames, messages and their classification, without I/O.
    .target(name: "JSONRPC", dependencies: ["JSON"], swiftSettings: settings),
    .testTarget(
      name: "JSONRPCTests", dependencies: ["JSON", "JSONRPC", "StreamFuzzKit"], swiftSettings: settings),

    // Mutated byte streams through decoder, classification and params: a step for the tests, and a program for millions.
    .target(
      name: "StreamFuzzKit", dependencies: ["DaybookClientCodecs", "DaybookProtocol", "JSON", "JSONRPC"],
      path: "Tests/StreamFuzzKit", swiftSettings: settings),
    .executableTarget(
      name: "stream-fuzz", dependencies: ["StreamFuzzKit"], path: "Tests/StreamFuzz", swiftSettings: settings),

    // Starts programs and cuts what they say into messages: for tests and tools, not for the service.
    .target(name: "Spawning", swiftSettings: settings + [.enableExperimentalFeature("Extern")]),

    // How many tests run at once, and on which threads.
    .target(name: "Pacing", dependencies: ["Platform"], path: "Tests/Pacing", swiftSettings: settings),

    // MARK: wire

    // Types, codecs, methods and errors, generated from Protocol/.
    .target(
      name: "DaybookProtocol", dependencies: ["CivilTime", "JSON", "JSONRPC", "Values"],
      swiftSettings: settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]),
    // The codecs of the other direction, which the service does not link: for tests and clients.
    .target(
      name: "DaybookClientCodecs", dependencies: ["CivilTime", "DaybookProtocol", "JSON", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookProtocolTests",
      dependencies: ["DaybookClientCodecs", "DaybookProtocol", "JSON", "ProtocolGenerator"], swiftSettings: settings),

    // MARK: storage

    // The journal of transactions and the collections of records that it makes, on a folder.
    .target(name: "FileStore", dependencies: ["CivilTime", "JSON", "Platform", "Values"], swiftSettings: settings),
    .testTarget(
      name: "FileStoreTests",
      dependencies: ["CivilTime", "CrashLabKit", "FileStore", "FileStoreTesting", "JSON", "Pacing", "Values"],
      swiftSettings: settings),
    // A disk in memory that crashes, fills up and fails on demand.
    .target(
      name: "FileStoreTesting", dependencies: ["FileStore", "Platform"], path: "Tests/FileStoreTesting",
      swiftSettings: settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    // Histories, crashes and damage on simulated disks, and what must hold after each: for the tests, and for millions.
    .target(
      name: "CrashLabKit", dependencies: ["CivilTime", "FileStore", "FileStoreTesting", "Platform", "Values"],
      path: "Tests/CrashLab/Kit", swiftSettings: settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .executableTarget(
      name: "crash-lab", dependencies: ["CrashLabKit", "FileStoreTesting"], path: "Tests/CrashLab/Program",
      swiftSettings: settings),

    // MARK: tables

    // Comma-separated values: a reader of bytes in any pieces, a writer, and which column says what.
    .target(
      name: "Tables", dependencies: ["CivilTime", "DaybookProtocol", "JSON", "TextFolding", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "TablesTests", dependencies: ["CivilTime", "DaybookProtocol", "FileStoreTesting", "Tables", "Values"],
      swiftSettings: settings),

    // MARK: domains

    // The calorie and weight rules: pure functions of settings, meals, days and weights.
    .target(
      name: "Nutrition", dependencies: ["CivilTime", "DaybookProtocol", "TextFolding", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "NutritionTests",
      dependencies: ["CivilTime", "DaybookProtocol", "FileStoreTesting", "Nutrition", "SettingsDocument", "Values"],
      swiftSettings: settings),

    // Meals, weights and days as tables: our own, and what other programs export.
    .target(
      name: "NutritionTables", dependencies: ["CivilTime", "DaybookProtocol", "Nutrition", "Tables", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "NutritionTablesTests",
      dependencies: ["CivilTime", "DaybookProtocol", "FileStoreTesting", "NutritionTables", "Tables", "Values"],
      swiftSettings: settings),

    // Estimates of meals described in words: what is asked, what an answer has to be, when to ask again. Pure.
    .target(
      name: "Estimation", dependencies: ["CivilTime", "DaybookProtocol", "HTTPCarriage", "JSON", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "EstimationTests",
      dependencies: [
        "CivilTime", "DaybookProtocol", "Estimation", "FileStoreTesting", "HTTPCarriage", "JSON", "Values",
      ],
      swiftSettings: settings),

    // What to remind of and when: one plan out of what every domain would like to say.
    .target(name: "Reminders", dependencies: ["CivilTime", "JSON"], swiftSettings: settings),
    .testTarget(
      name: "RemindersTests", dependencies: ["CivilTime", "FileStoreTesting", "JSON", "Reminders"],
      swiftSettings: settings),

    // The zone a person lives in, the one the device is in, and the one days are told in.
    .target(name: "Zones", dependencies: ["CivilTime", "JSON"], swiftSettings: settings),
    .testTarget(name: "ZonesTests", dependencies: ["CivilTime", "JSON", "Zones"], swiftSettings: settings),

    // Products, entitlements, the cached premium record, gates, paywall and lock: pure rules, and a store of record as a value.
    .target(name: "Premium", dependencies: ["CivilTime", "JSON", "Values"], swiftSettings: settings),
    .testTarget(
      name: "PremiumTests",
      dependencies: ["CivilTime", "DaybookProtocol", "FileStoreTesting", "JSON", "Premium", "Values"],
      swiftSettings: settings),

    // Days of events as a calendar that others subscribe to (iCalendar).
    .target(name: "Calendars", dependencies: ["CivilTime"], swiftSettings: settings),
    .testTarget(
      name: "CalendarsTests", dependencies: ["Calendars", "CivilTime", "FileStoreTesting"], swiftSettings: settings),

    // What is paid for again and again: charges by day, money by currency, totals, insights, budgets, reminders.
    .target(
      name: "Subscriptions",
      dependencies: ["Calendars", "CivilTime", "DaybookProtocol", "Premium", "Reminders", "TextFolding", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "SubscriptionsTests",
      dependencies: [
        "Calendars", "CivilTime", "DaybookProtocol", "FileStoreTesting", "Premium", "Reminders", "Subscriptions",
        "Values",
      ],
      swiftSettings: settings),

    // Subscriptions as tables: our own, and what other programs export.
    .target(
      name: "SubscriptionTables",
      dependencies: ["CivilTime", "DaybookProtocol", "Subscriptions", "Tables", "Values"], swiftSettings: settings),
    .testTarget(
      name: "SubscriptionTablesTests",
      dependencies: [
        "CivilTime", "DaybookProtocol", "FileStoreTesting", "SubscriptionTables", "Subscriptions", "Tables", "Values",
      ],
      swiftSettings: settings),

    // The settings of all domains: defaults, checks, what an update makes of them, older forms.
    .target(
      name: "SettingsDocument", dependencies: ["CivilTime", "DaybookProtocol", "JSON", "Nutrition", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "SettingsDocumentTests",
      dependencies: ["CivilTime", "DaybookProtocol", "JSON", "Nutrition", "SettingsDocument", "Values"],
      swiftSettings: settings),

    // What a domain's service is given: the data folder, days, stored entities and lists of them.
    .target(
      name: "DomainKit", dependencies: ["CivilTime", "DaybookProtocol", "FileStore", "JSON", "JSONRPC", "Values"],
      swiftSettings: settings),

    // Answers what is asked of meals, days, foods, weights, exercise, water and measurements.
    .target(
      name: "NutritionService",
      dependencies: [
        "CivilTime", "DaybookProtocol", "DomainKit", "Estimation", "FileStore", "JSON", "JSONRPC", "Nutrition",
        "Platform", "SettingsDocument", "Values",
      ], swiftSettings: settings),
    .testTarget(
      name: "NutritionServiceTests",
      dependencies: [
        "CivilTime", "DaybookProtocol", "DomainKit", "FileStore", "FileStoreTesting", "JSON", "Nutrition",
        "NutritionService", "Values",
      ], swiftSettings: settings),

    // MARK: server

    // The session, its handlers, and the connection it speaks over.
    .target(
      name: "DaybookServer",
      dependencies: [
        "Calendars", "CivilTime", "DaybookProtocol", "DomainKit", "Estimation", "FileStore", "HTTPCarriage", "JSON",
        "JSONRPC", "Nutrition", "NutritionService", "NutritionTables", "Platform", "Premium", "Reminders",
        "SettingsDocument", "SubscriptionTables", "Subscriptions", "Tables", "Values", "Zones",
      ], swiftSettings: settings),
    .testTarget(
      name: "DaybookServerTests",
      dependencies: [
        "CivilTime", "DaybookProtocol", "DaybookServer", "DomainKit", "Estimation", "FileStore", "FileStoreTesting",
        "JSON", "JSONRPC", "Pacing", "Platform", "ProcessTesting", "Spawning", "Subscriptions", "Values",
      ], exclude: ["Golden"], swiftSettings: settings),

    // MARK: executables

    // The command line: serve, call, watch.
    .target(
      name: "DaybookCommand",
      dependencies: ["CivilTime", "DaybookServer", "FileStore", "JSON", "JSONRPC", "Platform", "Premium", "Values"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookCommandTests",
      dependencies: ["DaybookCommand", "JSON", "JSONRPC", "Pacing", "ProcessTesting", "Spawning", "daybook"],
      swiftSettings: settings),
    // A main of a few lines. Linked statically in release builds, which halves its start.
    .executableTarget(
      name: "daybook", dependencies: ["DaybookCommand", "Platform"], swiftSettings: settings,
      linkerSettings: [
        .unsafeFlags(
          ["-static-executable", "-use-ld=lld", "-Xlinker", "--icf=all"],
          .when(platforms: [.linux], configuration: .release))
      ]),

    // Carries one HTTP request: the only program of ours that speaks to the network, and needs Foundation for it.
    .executableTarget(
      name: "daybook-http", dependencies: ["HTTPCarriage", "Platform"], swiftSettings: settings),

    // The program as others meet it: processes over pipes, killed, starved and shut out.
    .testTarget(
      name: "ProcessTests",
      dependencies: ["HTTPCarriage", "JSON", "Pacing", "ProcessTesting", "Spawning", "daybook", "daybook-http"],
      swiftSettings: settings),
    // Starts programs, speaks to them over pipes, and waits for what they say.
    .target(
      name: "ProcessTesting", dependencies: ["JSON", "Spawning"], path: "Tests/ProcessTesting",
      swiftSettings: settings),
    // Sessions with strangers' clients, where they are installed.
    .testTarget(
      name: "InteropTests", dependencies: ["Pacing", "ProcessTesting", "Spawning", "daybook"], swiftSettings: settings),
    // Runs what the README shows.
    .testTarget(
      name: "ReadmeTests", dependencies: ["Pacing", "ProcessTesting", "Spawning", "daybook", "daybook-http"],
      swiftSettings: settings),

    // How fast the service and its store are, beside a floor server, Foundation, SQLite and bare system calls.
    .executableTarget(
      name: "daybook-bench",
      dependencies: ["CivilTime", "DaybookProtocol", "FileStore", "JSON", "Platform", "Spawning", "Values"],
      swiftSettings: settings + [.enableExperimentalFeature("Extern")]),

    // MARK: the protocol's own tools

    // What the files under Protocol/ say, as values.
    .target(name: "ProtocolModel", dependencies: ["JSON"], swiftSettings: settings),

    // Emitters: Swift, OpenRPC, the manual, samples; and the comparison of two versions.
    .target(name: "ProtocolGenerator", dependencies: ["JSON", "ProtocolModel"], swiftSettings: settings),
    .executableTarget(
      name: "protocol-gen", dependencies: ["ProtocolGenerator", "ProtocolModel"], swiftSettings: settings),
    .testTarget(
      name: "ProtocolGeneratorTests", dependencies: ["DaybookProtocol", "JSON", "ProtocolGenerator", "ProtocolModel"],
      exclude: ["Golden"], swiftSettings: settings),

    // The conformance runner: cases, matching, validation, and a service spoken to over pipes.
    .target(
      name: "Conformance", dependencies: ["JSON", "Platform", "ProtocolModel", "Spawning"], swiftSettings: settings),
    .executableTarget(
      name: "protocol-conformance", dependencies: ["Conformance", "JSON", "Spawning"], swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["Conformance", "JSON", "Pacing", "ProtocolGenerator", "ProtocolModel", "Spawning"],
      exclude: ["fake_server.py"], swiftSettings: settings),
  ]
)
