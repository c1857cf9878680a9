/// The house rules, as functions from text to offences, so that each can be tested with a bad sample.
enum HouseRule {
  /// Every `#if os(Linux)` has an `#else` before its `#endif`: the engine builds on Apple systems too.
  static func everyLinuxHasATwin(_ file: SourceText) -> [Offence] {
    var open: [(line: Int, isLinux: Bool, hasElse: Bool)] = []
    var offences: [Offence] = []
    for (index, line) in file.code.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }
      switch words.first {
      case "#if": open.append((index + 1, line.contains("os(Linux)"), false))
      case "#else": if !open.isEmpty { open[open.count - 1].hasElse = true }
      case "#endif":
        guard let block = open.popLast() else { continue }
        if block.isLinux && !block.hasElse {
          offences.append(Offence(path: file.path, line: block.line, reason: "#if os(Linux) without #else"))
        }
      default: continue
      }
    }
    return offences
  }

  /// No file of the service imports Foundation or a part of it.
  static func noFoundation(_ file: SourceText) -> [Offence] {
    guard isOfService(file), file.mentions("Foundation") else { return [] }
    return offences(in: file, matching: /\bimport\s+(\w+\s+)?Foundation/, reason: "imports Foundation")
  }

  /// The service starts no task and no timer on the runtime's own threads, which need descriptors at first use, and end
  /// the process if there are none.
  static func noRuntimeThreads(_ file: SourceText) -> [Offence] {
    guard isOfService(file), file.mentions("Task", "DispatchQueue") else { return [] }
    return offences(
      in: file, matching: /\bTask(\.detached)?\s*(\{|\(\s*\)|\(\s*priority)|\bTask\.sleep\b|DispatchQueue/,
      reason: "uses the runtime's own threads")
  }

  /// Whether a file is part of the service.
  private static func isOfService(_ file: SourceText) -> Bool {
    let isOfBench = file.path.hasPrefix("Sources/Domains/") && file.parts.dropFirst(3).first == "Bench"
    let isOther = ["Clients/", "Sources/Tools/", "Sources/Programs/daybook-http/"].contains { file.path.hasPrefix($0) }
    return !isOther && !isOfBench
  }

  /// Files that may park a thread, each with the reason.
  static let parkingFiles = [
    "CommitThread.swift": "the commit thread has nothing to do between two batches",
    "Parker.swift": "the main thread waits here for the end of the process, and readers for room",
  ]

  /// No thread blocks on asynchronous work, which starves the pool or deadlocks.
  static func noBridges(_ file: SourceText) -> [Offence] {
    guard parkingFiles[file.name] == nil, file.mentions("wait", "Dispatch", "NSCondition", "RunLoop") else { return [] }
    let waits = offences(
      in: file,
      matching:
        /DispatchSemaphore|DispatchGroup|NSCondition|RunLoop|sem_(timed)?wait\b|pthread_cond_(timed)?wait\b|semaphore_wait\b/,
      reason: "waits for other threads")
    return waits + offences(in: file, matching: /\.wait\(\s*(\)|timeout|wallTimeout)/, unless: "await", reason: "waits")
  }

  /// Nothing ends the process or bypasses the compiler's checks.
  static func noTraps(_ file: SourceText) -> [Offence] {
    guard file.mentions("fatalError", "try!", "@unchecked", "nonisolated", "as!", "properties") else { return [] }
    return offences(
      in: file,
      matching:
        /\bfatalError\s*\(|\btry!|@unchecked\s+Sendable|nonisolated\s*\(\s*unsafe\s*\)|\bas!|\.properties\s*\.name\b/,
      reason:
        "fatalError, try!, as!, @unchecked Sendable, nonisolated(unsafe), or names of characters, which are not linked")
  }

  /// No test starts programs with Foundation, whose pipes leak into other programs, so that their end never comes. Use
  /// `Spawning`.
  static func oneSpawner(_ file: SourceText) -> [Offence] {
    guard file.mentions("Foundation"), file.mentions("Process", "Pipe"),
      file.code.contains(where: { $0.contains(/\bimport\s+Foundation\b/) })
    else { return [] }
    return offences(
      in: file, matching: /\b(Process|Pipe)\s*\(\s*\)|\bProcess\.run\b/, reason: "starts programs with Foundation")
  }

  /// Messages are what a native engineer writes: “not a cursor” and “the token has expired”, neither “this is no
  /// cursor” nor “of a token it is told …” nor “it is not valid any more”. “There is no …” is fine.
  static func plainMessages(_ file: SourceText) -> [Offence] {
    guard !file.parts.dropLast().contains("Generated"), file.mentions(" no ", " none", " any more", " it is") else {
      return []
    }
    // Only a text has such words in a row, so strings need not be found.
    return file.code.enumerated().compactMap { index, line in
      guard line.contains(" no") || line.contains(" any more") || line.contains(" it is") else { return nil }
      let isNo = line.matches(of: /(\w+ )?\b(?:is|are|was|were) (?:no|none)\b(?! longer)/).contains {
        $0.1?.lowercased() != "there "
      }
      guard isNo || line.contains(/\bany more\b|"of [^",.;:]*\bit is\b/) else { return nil }
      return Offence(path: file.path, line: index + 1, reason: "says “is no”, “any more” or “of … it is”")
    }
  }

  /// The server names no domain, so that any can be deleted: neither a module, a type, a method nor a collection. It
  /// reaches them through `DomainService` and the generated tables.
  static func serverNamesNoDomain(_ file: SourceText, _ domains: DomainNames) -> [Offence] {
    guard file.path.hasPrefix("Sources/Server/"), !file.parts.dropLast().contains("Generated") else { return [] }
    return file.code.enumerated().compactMap { index, line in
      domains.named(in: line).map { Offence(path: file.path, line: index + 1, reason: "names \($0) of a domain") }
    }
  }

  /// No domain names another, and shared rules name none, so that any can be deleted: neither a module nor a type. They
  /// reach each other through what the Kit offers.
  static func domainsNameNoOther(_ file: SourceText, _ domains: DomainNames) -> [Offence] {
    guard file.path.hasPrefix("Sources/Domains/"), !file.parts.dropLast().contains("Generated") else { return [] }
    let home = file.parts.dropFirst(2).first.map { "\($0)" }
    return file.code.enumerated().compactMap { index, line in
      domains.moduleOrType(in: line, home: home).map {
        Offence(path: file.path, line: index + 1, reason: "names \($0) of another domain")
      }
    }
  }

  /// The maximum length of a handwritten file, in lines.
  static let maximumLines = 500

  /// No handwritten file exceeds the maximum length.
  static func notTooLong(_ file: SourceText) -> [Offence] {
    guard file.lines.count > maximumLines, !file.parts.dropLast().contains("Generated") else { return [] }
    return [Offence(path: file.path, line: nil, reason: "\(file.lines.count) lines, more than \(maximumLines)")]
  }

  /// The allowed top-level entries, besides dotfiles.
  static let topLevel: Set = ["Package.swift", "Sources", "Tests", "Protocol", "Clients", "README.md"]

  /// The top level has only the allowed entries and dotfiles.
  static func topLevelEntries(_ names: [String]) -> [Offence] {
    names.filter { !$0.hasPrefix(".") && !topLevel.contains($0) }
      .map { Offence(path: $0, line: nil, reason: "does not belong at the top of the repository") }
  }

  /// The manifest names no dependency.
  static func noDependency(_ manifest: SourceText) -> [Offence] {
    offences(in: manifest, matching: /\.package\s*\(/, reason: "names a dependency")
  }

  /// An offence for each line that matches, unless it contains `pardon`.
  private static func offences(
    in file: SourceText, matching pattern: some RegexComponent, unless pardon: String? = nil, reason: String
  ) -> [Offence] {
    file.code.enumerated().compactMap { index, line in
      if let pardon, line.contains(pardon) { return nil }
      return line.firstMatch(of: pattern) == nil ? nil : Offence(path: file.path, line: index + 1, reason: reason)
    }
  }
}
