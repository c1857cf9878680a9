// protocol-conformance: runs the cases of Protocol/ against any command that speaks the protocol.
import Foundation

exit(ConformanceCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
