// daybook: a local-first engine for what a person tracks by the day, spoken to in JSON-RPC over standard input and output.
import DaybookCommand
import Platform

/// The entry point. The package manager gives an executable's `main` this name. Declared here, it receives the
/// arguments directly; the standard library would read them from `/proc`, and get none when no file can be opened.
@c(daybook_main)
func main(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?) -> Int32 {
  Allocator.returnFreedMemory()
  guard let arguments = ArgumentVector.texts(count, values) else {
    Processes.end(DaybookCommand.refuseArguments())
  }
  Processes.end(DaybookCommand.run(arguments))
}
