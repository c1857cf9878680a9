import Conformance
import JSON
import Testing

/// What matches what.
struct MatcherTests {
  /// The first difference between a value and a pattern, both JSON; nil when they match.
  private func difference(_ pattern: String, _ value: String, _ bindings: Bindings = [:]) throws -> Mismatch? {
    let (matcher, value) = (Matcher(schema: try Toy.schema()), try Toy.json(value))
    var bound = Set(bindings.keys)
    let compiled = try Pattern(message: Toy.json(pattern), bound: &bound, schema: Toy.schema())
    do throws(Mismatch) {
      _ = try matcher.match(value, compiled, bindings)
      return nil
    } catch { return error }
  }

  @Test(
    "These match",
    arguments: [
      ("1", "1.0"), ("100", "1e2"), ("0", "-0.0"), ("1.50", "15e-1"),
      ("12345678901234567890", "12345678901234567890.0"),
      ("null", "null"), ("true", "true"), ("\"a\"", "\"\\u0061\""), ("[]", "[]"),
      ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"),
      ("\"$any\"", "null"), ("\"$any\"", "[1]"), ("\"$string\"", "\"\""), ("\"$int\"", "7.0"), ("\"$int\"", "-3"),
      ("\"$number\"", "0.5"), ("\"$bool\"", "false"), ("\"$null\"", "null"),
      ("\"$uuid\"", "\"11111111-1111-4111-8111-11111111111a\""), ("\"$instant\"", "\"2026-01-05T12:00:00.000Z\""),
      ("\"$date\"", "\"2024-02-29\""), ("\"$time\"", "\"23:59\""), ("\"$type:Level\"", "\"low\""),
      ("\"$type:array<int>\"", "[1,2]"),
      ("\"$re:a+b?\"", "\"aaa\""), ("\"$re:.\"", "\"🍛\""), ("\"$re:[0-9]{2}\\\\.x\"", "\"12.x\""),
      ("\"$$any\"", "\"$any\""),
      ("[1,\"$rest\"]", "[1]"), ("[1,\"$rest\"]", "[1,2,3]"), ("{\"$rest\":true}", "{\"a\":1}"),
      ("{\"a\":\"$absent\",\"$rest\":true}", "{\"b\":1}"), ("{\"a\":\"$absent\"}", "{}"),
      ("{\"error\":{\"code\":1,\"message\":\"x\"}}", "{\"error\":{\"code\":1,\"message\":\"y\"}}"),
      ("{\"error\":{\"code\":1}}", "{\"error\":{\"code\":1,\"message\":\"y\"}}"),
      ("{\"a\":\"$bind:x\",\"b\":\"$x\"}", "{\"b\":1.0,\"a\":1}"),
    ])
  func matches(_ pattern: String, _ value: String) throws {
    #expect(try difference(pattern, value) == nil)
  }

  @Test(
    "These do not match, and the place is told",
    arguments: [
      ("1", "2", ""), ("1", "true", ""), ("1", "\"1\"", ""), ("null", "false", ""),
      ("1", "1.0000000000000000000001", ""),
      ("9007199254740993", "9007199254740992", ""), ("\"é\"", "\"e\\u0301\"", ""), ("[1,2]", "[2,1]", "/0"),
      ("[1]", "[1,2]", "/1"),
      ("[1,2]", "[1]", ""), ("[]", "{}", ""), ("{\"a\":1}", "{}", "/a"), ("{}", "{\"a~/b\":1}", "/a~0~1b"),
      ("{\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[2]}}", "/a/b/0"), ("\"$string\"", "1", ""), ("\"$int\"", "1.5", ""),
      ("\"$int\"", "\"1\"", ""),
      ("\"$number\"", "\"1\"", ""), ("\"$bool\"", "0", ""), ("\"$null\"", "0", ""),
      ("\"$uuid\"", "\"11111111-1111-4111-8111-11111111111A\"", ""), ("\"$uuid\"", "\"1111\"", ""),
      ("\"$instant\"", "\"2026-01-05T12:00:00Z\"", ""), ("\"$instant\"", "\"2026-01-05T24:00:00.000Z\"", ""),
      ("\"$instant\"", "\"2026-02-30T12:00:00.000Z\"", ""), ("\"$date\"", "\"2023-02-29\"", ""),
      ("\"$date\"", "\"1899-12-31\"", ""), ("\"$time\"", "\"24:00\"", ""),
      ("\"$date\"", "\"2023-2-9\"", ""), ("\"$type:Level\"", "\"middle\"", ""),
      ("\"$type:array<int>\"", "[1,\"2\"]", "/1"),
      ("\"$re:a\"", "\"aa\"", ""), ("\"$re:a\"", "1", ""), ("\"$$any\"", "1", ""), ("[1,\"$rest\"]", "[]", ""),
      ("{\"a\":1,\"$rest\":true}", "{\"b\":1}", "/a"), ("{\"a\":\"$absent\",\"$rest\":true}", "{\"a\":null}", "/a"),
      ("{\"error\":{\"code\":1}}", "{\"error\":{\"code\":1}}", "/error/message"),
      ("{\"error\":{\"code\":1,\"message\":\"x\"}}", "{\"error\":{\"code\":1,\"message\":\"\"}}", "/error/message"),
      ("{\"a\":\"$bind:x\",\"b\":\"$x\"}", "{\"b\":2,\"a\":1}", "/b"),
    ])
  func differs(_ pattern: String, _ value: String, _ pointer: String) throws {
    #expect(try difference(pattern, value)?.pointer == pointer)
  }

  @Test("What an earlier step remembers is compared by value")
  func bound() throws {
    let bindings = ["x": try Toy.json("[1.0]")]
    #expect(try difference("{\"a\":\"$x\"}", "{\"a\":[1]}", bindings) == nil)
    #expect(try difference("{\"a\":\"$x\"}", "{\"a\":[2]}", bindings)?.pointer == "/a")
  }
}
