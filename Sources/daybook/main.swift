// daybook: a local-first engine for what a person tracks by the day, spoken to in JSON-RPC over standard input and output.
import DaybookCommand
import Platform

Processes.end(DaybookCommand.run(Array(CommandLine.arguments.dropFirst())))
