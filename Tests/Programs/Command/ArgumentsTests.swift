import JSONRPC
import Testing

@testable import DaybookCommand

@Suite("Arguments")
struct ArgumentsTests {
  @Test("Options may come before, between and after operands, with a space or an equals sign")
  func forms() throws {
    let parsed = try Arguments(["--data=a=b", "call", "--framing", "newline", "days/get", "--seed", "7", "--", "--x"])
    #expect(parsed.dataFolder == "a=b")
    #expect(parsed.framing == .newline)
    #expect(parsed.seed == 7)
    #expect(parsed.operands == ["call", "days/get", "--x"])
  }

  @Test(
    "Options that editors add are accepted",
    arguments: [["--stdio"], ["--clientProcessId=12"], ["--clientProcessId", "12"]])
  func editors(_ arguments: [String]) throws {
    let parsed = try Arguments(arguments)
    #expect(parsed.operands.isEmpty)
  }

  @Test(
    "A mistake is named",
    arguments: [
      (["--data"], "--data needs a value"), (["--framing", "lines"], "lines"), (["--framing="], "header"),
      (["--seed", "-1"], "-1"), (["--seed", "x"], "whole number"), (["--clock", "noon"], "noon"),
      (["--log-level", "loud"], "loud"), (["--stdio=1"], "takes no value"), (["--no-handshake=yes"], "takes no value"),
      (["--no-handshaek"], "--no-handshake"), (["-x"], "-x"), (["--dat=x"], "--data"),
      (["--clientProcessId"], "needs a value"),
    ])
  func mistakes(_ arguments: [String], _ expected: String) throws {
    let error = #expect(throws: UsageError.self) { try Arguments(arguments) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }

  @Test("A lone dash is an operand")
  func dash() throws {
    #expect(try Arguments(["-"]).operands == ["-"])
  }
}
