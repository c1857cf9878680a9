import DaybookServer
import FileStore
import JSON

/// The doctor's report as text and as JSON.
enum DoctorTexts {
  /// The column at which lines are wrapped.
  private static let width = 100

  // MARK: for people

  /// A summary, the repairs, each kind of finding with its places, and the folder of the devices.
  static func text(
    _ report: DoctorReport, _ repair: Doctor.Repair?, _ failure: StoreError?, _ remote: RemoteExamination? = nil
  ) -> String {
    var lines = [summary(report), counts(report)]
    if let repair {
      lines.append("")
      lines.append(repair.steps.isEmpty ? "There was nothing to repair." : "Repaired:")
      for step in repair.steps { lines += wrapped(step, first: "  - ", rest: "    ") }
    }
    if let failure {
      lines.append("")
      lines += wrapped("The repair could not be completed: \(detailed(failure))", first: "", rest: "")
    }
    var listed: [Finding.Kind] = []
    for finding in report.findings where !listed.contains(finding.kind) {
      listed.append(finding.kind)
      lines.append("")
      lines += paragraph(report.findings.filter { $0.kind == finding.kind })
    }
    if report.omitted > 0 { lines += ["", "\(report.omitted) further findings are not listed."] }
    if let remote { lines += [""] + paragraph(remote) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func summary(_ report: DoctorReport) -> String {
    let problems = report.findings.count { $0.severity > .note } + report.omitted
    if problems == 0 { return "The store in \(report.folder) is in order." }
    let losses = report.findings.count { $0.severity == .damage } + report.omitted
    let number = problems == 1 ? "1 problem" : "\(problems) problems"
    let loss =
      losses == 0
      ? "No stored data is known to be missing."
      : "Some stored data may be lost: look for DAMAGE below."
    return "The store in \(report.folder) has \(number). \(loss)"
  }

  private static func counts(_ report: DoctorReport) -> String {
    "\(some(report.revision, "change")), \(some(report.records, "record")), \(some(report.segments, "file")) of records, "
      + "\(some(report.journals, "journal"))."
  }

  private static func some(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

  private static func paragraph(_ findings: [Finding]) -> [String] {
    guard let first = findings.first else { return [] }
    let title =
      switch findings.map(\.severity).max() ?? .note {
      case .damage: "DAMAGE"
      case .warning: "WARNING"
      case .note: "NOTE"
      }
    let (what, meaning, advice) = first.kind.explanation
    var lines = wrapped(what, first: "\(title): ", rest: "  ")
    lines += wrapped(meaning, first: "  What it means: ", rest: "    ")
    lines += wrapped(advice, first: "  What to do: ", rest: "    ")
    for finding in findings.prefix(20) {
      lines += wrapped(place(finding) + finding.reason, first: "  - ", rest: "    ")
    }
    if findings.count > 20 { lines.append("  - and \(findings.count - 20) more") }
    return lines
  }

  private static func paragraph(_ remote: RemoteExamination) -> [String] {
    let content = "\(some(remote.devices, "device")) and \(some(remote.batches, "file")) of changes"
    guard !remote.problems.isEmpty else {
      return wrapped("The shared folder \(remote.path) is in order: \(content).", first: "", rest: "")
    }
    let number = some(remote.problems.count, "problem")
    var lines = wrapped("The shared folder \(remote.path) has \(number); \(content).", first: "", rest: "")
    for problem in remote.problems.prefix(20) {
      lines += wrapped(problem.message, first: "WARNING: ", rest: "  ")
      lines += wrapped(problem.advice, first: "  What to do: ", rest: "    ")
    }
    if remote.problems.count > 20 { lines.append("and \(remote.problems.count - 20) more") }
    return lines
  }

  private static func place(_ finding: Finding) -> String {
    guard !finding.file.isEmpty else { return "" }
    var place = finding.file
    if finding.length > 0 { place += ", bytes \(finding.offset) to \(finding.offset + finding.length)" }
    if let next = finding.nextSequence {
      place += ", between changes \(finding.previousSequence) and \(next)"
    } else if finding.previousSequence > 0 {
      place += ", after change \(finding.previousSequence)"
    }
    return place + ": "
  }

  private static func detailed(_ error: StoreError) -> String {
    error.message.detailed(place: error.path, cause: error.systemText)
  }

  /// Wraps a text at its spaces.
  private static func wrapped(_ text: String, first: String, rest: String) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.unicodeScalars.count + 1 + word.unicodeScalars.count > width {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += isEmpty ? word : " " + word
      isEmpty = false
    }
    return lines + [line]
  }

  // MARK: for programs

  /// The report as one line of JSON.
  static func json(
    _ report: DoctorReport, _ repair: Doctor.Repair?, _ failure: StoreError?, _ remote: RemoteExamination? = nil
  ) -> [UInt8] {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    var object = JSONObject([
      ("folder", .string(report.folder)), ("fine", .bool(report.isFine)),
      ("lossPossible", .bool(report.isLossPossible)), ("revision", number(report.revision)),
      ("records", number(report.records)), ("segments", number(report.segments)),
      ("journals", number(report.journals)),
    ])
    if let repair { object["repaired"] = .array(repair.steps.map { .string($0) }) }
    if let failure { object["failure"] = .string(detailed(failure)) }
    object["findings"] = .array(report.findings.map { .object(members($0)) })
    object["omitted"] = number(report.omitted)
    if let remote {
      let problems = remote.problems.map { problem in
        JSONValue.object(JSONObject([("what", .string(problem.message)), ("advice", .string(problem.advice))]))
      }
      object["remote"] = .object(
        JSONObject([
          ("path", .string(remote.path)), ("devices", number(remote.devices)), ("problems", .array(problems)),
        ]))
    }
    return JSONValue.object(object).json + [UInt8(ascii: "\n")]
  }

  private static func members(_ finding: Finding) -> JSONObject {
    let (what, meaning, advice) = finding.kind.explanation
    let severity =
      switch finding.severity {
      case .note: "note"
      case .warning: "warning"
      case .damage: "damage"
      }
    var object = JSONObject([
      ("kind", .string(finding.kind.rawValue)), ("severity", .string(severity)), ("file", .string(finding.file)),
    ])
    if finding.length > 0 {
      object["offset"] = .number(JSONNumber(finding.offset))
      object["length"] = .number(JSONNumber(finding.length))
    }
    if finding.previousSequence > 0 { object["previousRevision"] = .number(JSONNumber(finding.previousSequence)) }
    if let next = finding.nextSequence { object["nextRevision"] = .number(JSONNumber(next)) }
    object["reason"] = .string(finding.reason)
    object["what"] = .string(what)
    object["meaning"] = .string(meaning)
    object["advice"] = .string(advice)
    return object
  }
}
