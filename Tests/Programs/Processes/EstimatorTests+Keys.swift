import Foundation
import JSON
import ProcessTesting
import Testing

/// The key for an endpoint: which one is used, and that it is never disclosed.
extension EstimatorTests {
  @Test("The key of the secret comes before those of the environment, in their order, trimmed")
  func keys() async throws {
    let server = try MisbehavingServer([MisbehavingServer.good])
    func authorization(_ environment: [String: String], secret: String? = nil) async throws -> (String?, String?) {
      let daybook = try await serve(server.baseURL, environment: environment)
      let value = secret.map { String(decoding: $0.json, as: UTF8.self) } ?? "null"
      try await daybook.call("key", "secrets/set", #"{"name":"estimator.key","value":\#(value)}"#)
      let source = try await daybook.call("get", "estimator/get")["keyFrom"]?.string
      try await daybook.call("1", "meals/estimate", question)
      return (try await server.requests.take("the request") { _ in true }?.header("Authorization"), source)
    }
    let both = ["DAYBOOK_ESTIMATOR_KEY": " sk-ours ", "OPENAI_API_KEY": "sk-theirs"]
    #expect(try await authorization(both, secret: " sk-secret\n") == ("Bearer sk-secret", "secret"))
    #expect(try await authorization(both) == ("Bearer sk-ours", "environment"))
    #expect(
      try await authorization(["DAYBOOK_ESTIMATOR_KEY": " ", "OPENAI_API_KEY": "sk-theirs"]) == (
        "Bearer sk-theirs", "environment"
      ))
    #expect(try await authorization([:]) == (nil, nil))
    let long = String(repeating: "k", count: 300)
    #expect(try await authorization([:], secret: long) == ("Bearer \(long)", "secret"))
  }

  @Test("The key is in no log, no report and no answer")
  func untold() async throws {
    let server = try MisbehavingServer([
      MisbehavingServer.answer("404 No", #"{"error":{"message":"no, Unguessable-42"}}"#), MisbehavingServer.good,
    ])
    let daybook = try await serve(server.baseURL, retries: 0, arguments: ["--log-level", "trace"])
    try await daybook.call("key", "secrets/set", #"{"name":"estimator.key","value":"Unguessable-42"}"#)
    daybook.request("1", "meals/estimate", question)
    #expect(try await daybook.response("1").text.contains("Unguessable") == false)
    try await daybook.call("2", "meals/estimate", question)
    let bundle = folder.path + "/report.tar"
    try await daybook.call("3", "diagnostics/bundle", #"{"path":"\#(bundle)","includePersonalData":true}"#)
    daybook.closeInput()
    _ = try await daybook.exitStatus()
    #expect(!(try await daybook.errorText()).contains("Unguessable"))
    let entries = folder.dataEntries.filter { $0 != "secrets.json" }.map { folder.data + "/" + $0 }
    for path in entries + [bundle] {
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      #expect(bytes.range(of: Data("Unguessable".utf8)) == nil, "\(path)")
    }
  }
}
