import DaybookServer
import FileStore
import Platform

/// `daybook doctor`: checks the data folder and explains what it finds.
struct DoctorCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    if let operand = arguments.operands.first {
      throw UsageError(message: "doctor takes no operand “\(operand)”; --data names the folder")
    }
  }

  func run() throws(UsageError) -> Int32 {
    let options = try arguments.serviceOptions()
    Signals.ignoreBrokenPipes()
    let doctor = Doctor(options.folderConfiguration)
    var repair: Doctor.Repair?
    var failure: StoreError?
    if arguments.flags.contains("--repair") {
      do throws(StoreError) { repair = try doctor.repair() } catch { failure = error }
    }
    let report = examine(doctor)
    let remote = RemoteExamination(options)
    if repair?.steps.isEmpty == false { Terminal.note(done: "the repair was carried out") }
    let text =
      arguments.flags.contains("--json")
      ? DoctorTexts.json(report, repair, failure, remote)
      : Array(DoctorTexts.text(report, repair, failure, remote).utf8)
    Terminal.write(text, to: 1)
    return report.isFine && failure == nil && remote?.problems.isEmpty != false
      ? DaybookCommand.Status.done : DaybookCommand.Status.refused
  }

  /// Examines everything, showing its progress.
  private func examine(_ doctor: Doctor) -> DoctorReport {
    guard StandardStreams.isTerminal(2), !arguments.flags.contains("--json") else { return doctor.examine() }
    var shown = -1
    let report = doctor.examine { done, total in
      let percentage = done * 100 / max(1, total)
      guard percentage != shown else { return }
      shown = percentage
      Terminal.write("\rverifying \(percentage) %", to: 2)
    }
    if shown >= 0 { Terminal.write("\r\u{1B}[K", to: 2) }
    return report
  }
}
