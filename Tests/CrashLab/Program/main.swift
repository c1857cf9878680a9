// crash-lab: tries the store on simulated disks until CRASH_POINTS (1,000,000) crashes were recovered from and checked.
// crash-lab --kind K --profile P --seed N: tries that one case again and prints its calls.
import CrashLabKit
import FileStoreTesting
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())

func value(_ name: String) -> String? {
  arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
}

if let seed = value("--seed").flatMap({ UInt64($0) }) {
  guard let kind = LabKind(rawValue: value("--kind") ?? ""),
    let profile = CrashProfile(rawValue: value("--profile") ?? CrashProfile.ordered.rawValue)
  else {
    print("kinds: \(LabKind.allCases.map(\.rawValue)); profiles: \(CrashProfile.allCases.map(\.rawValue))")
    exit(2)
  }
  exit(LabReplay(FileStoreDriver(), LabCase(kind, profile, seed: seed)).run { print($0) } ? 0 : 1)
}

let budget = (value("--points") ?? ProcessInfo.processInfo.environment["CRASH_POINTS"]).flatMap { Int($0) } ?? 1_000_000
let start = ProcessInfo.processInfo.systemUptime
let summary = CrashLab(FileStoreDriver(), budget: budget).run()
let seconds = ProcessInfo.processInfo.systemUptime - start
print(summary)
print("\(Int(Double(summary.points) / max(seconds, 0.001))) crash points a second")
exit(summary.failures.isEmpty ? 0 : 1)
