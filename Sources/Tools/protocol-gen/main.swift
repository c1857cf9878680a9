// protocol-gen: writes the files made from Protocol/, or checks that they are fresh, or compares with an older protocol.
import Foundation
import ProtocolGenerator
import ProtocolModel

exit(GeneratorCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
