// protocol-gen: generates files from Protocol/, checks that they are up to date, or compares with an older protocol.
import Foundation
import ProtocolGenerator
import ProtocolModel

exit(GeneratorCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
