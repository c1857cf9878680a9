// daybook: a local-first engine for what a person tracks by the day, spoken to in JSON-RPC over standard input and output.
import DaybookCommand
import Platform

/// Where the system begins. The package manager gives an executable's `main` this name; declared here it gets the arguments themselves,
/// where the standard library would look for them in `/proc`, and find none if no file can be opened.
@c(daybook_main)
func main(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?) -> Int32 {
  Allocator.keepLittle()
  guard let arguments = ArgumentVector.texts(count, values) else {
    Processes.end(DaybookCommand.refuseArguments())
  }
  Processes.end(DaybookCommand.run(arguments))
}
