import Conformance
import Foundation
import JSON
import Spawning

/// The command line of `protocol-conformance`.
struct ConformanceCommand {
  /// The words after the program's name.
  let arguments: [String]

  /// What `--help` prints.
  static let help = """
    usage: protocol-conformance [OPTION…] [--] CMD…

    Runs every case and every example of the folder Protocol/ against a service, which is started by CMD… (a program, then
    its arguments) with --data DIR --clock 2026-01-05T12:00:00Z --seed 1 after it. Each case is run in both framings, and
    each time as it stands, with a write a byte, and with one write up to the next expectation.

      --protocol DIR      the folder Protocol/ (./Protocol)
      --framing KIND      header, newline or both (both)
      --variants KIND     all, or plain: as it stands only (all)
      --build KIND        debug or release (what the service answers to server/info)
      --only TEXT         only cases whose name contains TEXT; coverage is not looked at then
      --jobs N            so many services at a time (4)
      --coverage-in FILE  add the coverage of an earlier run; may be given several times
      --coverage-out FILE write the coverage of this run, with what was added
      --list              print the names of the cases and run nothing
      --verbose           tell of every run, and count every item
      --help              print this

    Coverage is the union of a debug run and a release run: every method, notification, type, error and requirement has a
    case, or the run fails. Not demanded is only what could not have been covered: what the debug build alone has, and what
    cases for the other build mention (the requirements they prove, the methods, types and errors in them), as long as that
    build's run is not added by --coverage-in; and what cases/baseline.txt lists as “coverage: KIND NAME”.

      protocol-conformance --coverage-out debug.json .build/debug/daybook
      protocol-conformance --coverage-in debug.json .build/release/daybook

    cases/baseline.txt may list the names of cases that are known to fail; one that begins to pass fails the run.
    The hang guard of every wait is a minute times TIME_SCALE of the environment.

    Exit status: 0 all is well; 1 something failed; 2 wrong usage, a mistake in Protocol/, or a command that does not start.
    """

  /// Runs the command and returns the exit status.
  func run() -> Int32 {
    do {
      let options = try Options(arguments)
      if options.isHelp {
        print(ConformanceCommand.help)
        return 0
      }
      let suite = try Suite(folder: options.folder)
      if options.isList {
        for item in suite.cases where options.selects(item.name) { print(item.name) }
        return 0
      }
      return try run(options, suite)
    } catch let error as Options.Wrong {
      complain("\(error.message)\n\n\(ConformanceCommand.help)")
    } catch {
      complain("\(error)")
    }
    return 2
  }

  /// Runs the suite.
  private func run(_ options: Options, _ suite: Suite) throws -> Int32 {
    var earlier: Coverage?
    for file in options.coverageIn {
      let coverage = try Coverage(file: file)
      if earlier == nil { earlier = coverage } else { earlier?.formUnion(coverage) }
    }
    let launch = Launch(command: options.command)
    let build: String
    if let given = options.build {
      build = given
    } else {
      do throws(PlayFailure) { build = try Runner.detectBuild(launch, schema: suite.schema) } catch {
        complain(error.reason)
        return error.isUnstartable ? 2 : 1
      }
    }
    let runner = Runner(suite: suite, launch: launch, build: build)
    let cases = runner.cases(options.selection).count
    guard cases > 0 else {
      complain("no case is selected")
      return 2
    }
    print("\(cases) cases of \(options.folder) against the \(build) build of \(options.command.joined(separator: " "))")
    let isVerbose = options.isVerbose
    let outcomes = runner.run(options.selection) { item, framing, variant, failure in
      guard isVerbose else { return }
      let line = "\(failure == nil ? "ok    " : "FAILED") \(item.name) [\(framing.rawValue), \(variant.rawValue)]\n"
      FileHandle.standardOutput.write(Data(line.utf8))
    }
    let verdict = Verdict(outcomes, runner, options.selection, earlier: earlier)
    for line in Report(verdict, isVerbose: isVerbose).lines { print(line) }
    if let file = options.coverageOut, !Files.write(verdict.coverage.json.json, to: file) {
      complain("\(file) cannot be written")
      return 2
    }
    return verdict.failures == 0 ? 0 : 1
  }

  /// Prints a line to standard error.
  private func complain(_ message: String) {
    FileHandle.standardError.write(Data("protocol-conformance: \(message)\n".utf8))
  }
}
