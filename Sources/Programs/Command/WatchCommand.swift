import DaybookServer
import JSON
import Platform

/// `daybook watch`: prints the changes that other processes make, one a line.
struct WatchCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    for domain in arguments.operands where !FolderWatch.domains.contains(domain) {
      let hint = Spelling.nearest(to: domain, among: FolderWatch.domains).map { ", did you mean “\($0)”?" } ?? ""
      throw UsageError(message: "there is no domain “\(domain)”\(hint)")
    }
  }

  func run() throws(UsageError) -> Int32 {
    let options = try arguments.serviceOptions()
    Signals.ignoreBrokenPipes()
    Signals.hold()
    guard !DaybookCommand.refusesLocked(options) else { return DaybookCommand.Status.refused }
    var watch = FolderWatch(options: options, domains: Set(arguments.operands))
    while true {
      switch watch.poll() {
      case .events(let lines):
        // The latest change may have locked it.
        guard lines.isEmpty || !DaybookCommand.refusesLocked(options) else { return DaybookCommand.Status.refused }
        for line in lines where !Terminal.write(line + [0x0A], to: 1) { return DaybookCommand.Status.done }
      case .failed(let message):
        Terminal.complain("daybook: \(message)")
        return DaybookCommand.Status.refused
      }
      repeat {
        if StandardStreams.isBroken(1) { return DaybookCommand.Status.done }
        if let signal = Signals.next(within: 0) {
          Terminal.complain("daybook: ended by \(signal); exit status 1")
          return DaybookCommand.Status.refused
        }
        // Waiting for the folder does not end at a signal, so the waits are short.
      } while !watch.rest(milliseconds: 50)
    }
  }
}
