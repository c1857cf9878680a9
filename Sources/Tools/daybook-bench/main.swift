// daybook-bench: how fast the service is, measured beside what it has to be compared with.
import Foundation

exit(BenchCommand.run(Array(CommandLine.arguments.dropFirst())))
