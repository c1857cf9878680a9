// crash-lab: tests the store on simulated disks, with a given number of crash points.
import CrashLabKit
import FileStoreTesting
import Foundation

let help = """
  crash-lab [--points N] [--kind K]… [--failures N] [--workers N]
    Tests the store on simulated disks until N crash points (CRASH_POINTS, else 1,000,000) were recovered from and
    checked, of all kinds or of those given. Stops at the first violation, or at the N-th.
  crash-lab --kind K --profile P --seed N
    Repeats one case, minimizes its history, and prints the calls.

  kinds: \(LabKind.allCases.map(\.rawValue).joined(separator: " "))
  profiles: \(CrashProfile.allCases.map(\.rawValue).joined(separator: " "))

  Exit code 0: no violation; 1: a violation; 2: wrong usage.
  """

func refuse(_ text: String) -> Never {
  print(text + "\n\n" + help)
  exit(2)
}

var arguments = CommandLine.arguments.dropFirst()
var options: [String: [String]] = [:]
let names: Set = ["--points", "--kind", "--failures", "--workers", "--profile", "--seed"]
while let name = arguments.popFirst() {
  if name == "--help" || name == "-h" {
    print(help)
    exit(0)
  }
  guard names.contains(name), let value = arguments.popFirst() else { refuse("\(name) is unknown or has no value") }
  options[name, default: []].append(value)
}

func number(_ name: String, _ value: String?) -> Int? {
  guard let value else { return nil }
  guard let number = Int(value), number >= 0 else { refuse("\(name) takes a number, not \(value)") }
  return number
}

let kinds = options["--kind", default: []].map { name in
  LabKind(rawValue: name) ?? { refuse("there is no kind \(name)") }()
}

if let seed = number("--seed", options["--seed"]?.last) {
  guard kinds.count == 1, let profile = CrashProfile(rawValue: options["--profile"]?.last ?? "ordered") else {
    refuse("a seed needs one kind and one profile")
  }
  let trial = LabCase(kinds[0], profile, seed: UInt64(seed))
  exit(LabReplay(FileStoreDriver(), trial).run { print($0) } ? 0 : 1)
}

let given = options["--points"]?.last ?? ProcessInfo.processInfo.environment["CRASH_POINTS"]
let lab = CrashLab(
  FileStoreDriver(), budget: number("--points", given) ?? 1_000_000, kinds: kinds.isEmpty ? LabKind.allCases : kinds,
  failureLimit: number("--failures", options["--failures"]?.last) ?? 1,
  workers: number("--workers", options["--workers"]?.last) ?? 2)
let start = ProcessInfo.processInfo.systemUptime
let summary = lab.run()
let seconds = ProcessInfo.processInfo.systemUptime - start
print(summary)
print("\(Int(Double(summary.points) / max(seconds, 0.001))) crash points a second")
exit(summary.failures.isEmpty ? 0 : 1)
