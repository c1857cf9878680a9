import DaybookProtocol
import HTTPCarriage
import Testing

@testable import Estimation

@Suite("Endpoints, keys and requests")
struct EndpointTests {
  @Test(
    "An address is accepted if nobody on the way can read the requests",
    arguments: [
      ("https://api.openai.com/v1", "https://api.openai.com/v1", false),
      ("https://api.openai.com/v1/", "https://api.openai.com/v1", false),
      ("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1", false),
      ("HTTPS://API.example.com:8443//", "https://api.example.com:8443", false),
      ("https://10.0.0.7", "https://10.0.0.7", false),
      ("https://[2001:db8::1]:443/v1", "https://[2001:db8::1]:443/v1", false),
      ("http://localhost:11434/v1", "http://localhost:11434/v1", true), ("http://127.0.0.1", "http://127.0.0.1", true),
      ("http://127.9.8.7:1/a/b", "http://127.9.8.7:1/a/b", true),
      ("http://[::1]:8080/v1/", "http://[::1]:8080/v1", true),
      ("https://localhost", "https://localhost", true),
    ])
  func taken(_ text: String, _ expected: String, _ isLocal: Bool) throws {
    let endpoint = try Endpoint(text)
    #expect(endpoint.baseURL == expected)
    #expect(endpoint.isLocal == isLocal)
    #expect(endpoint.completions == expected + "/chat/completions")
    #expect(try Endpoint(endpoint.baseURL) == endpoint)
  }

  @Test(
    "Any other is refused",
    arguments: [
      "http://api.openai.com/v1", "http://127.0.0.1.example.com", "http://localhost.example.com", "http://10.0.0.7",
      "http://127.0.0.256", "http://127.0.0", "http://0.0.0.0", "http://[::2]", "http://[::ffff:10.0.0.1]",
      "ftp://localhost",
      "file:///etc/passwd", "localhost:11434", "https://", "https:///v1", "https://user:key@api.openai.com/v1",
      "http://localhost@evil.example", "https://a?key=1", "https://a#b", "https://a b", "https://a\nb",
      "https://ä.example",
      "https://a:0", "https://a:65536", "https://a:", "https://a:x", "https://a:-1", "https://.a", "https://a..b",
      "https://[]",
      "https://[g::1]", "https://a\\b", "", "://", "https://" + String(repeating: "a", count: 1000),
    ])
  func refused(_ text: String) {
    #expect(throws: Endpoint.Problem.self) { try Endpoint(text) }
  }

  @Test("A stored configuration survives a round trip, and invalid members enable nothing")
  func configuration() throws {
    var configuration = EstimatorConfiguration()
    #expect(EstimatorConfiguration(configuration.json) == configuration)
    configuration.isEnabled = true
    configuration.provider = .frontend
    configuration.baseURL = "https://a/v1"
    configuration.model = "m"
    configuration.timeout = 1000
    configuration.retries = 0
    #expect(EstimatorConfiguration(configuration.json) == configuration)
    let odd = try JSONValue(
      json: Array(
        #"{"enabled":"true","provider":7,"baseURL":"http://evil.example","model":"","timeout":0,"retries":99}"#.utf8))
    guard case .object(let object) = odd else { return }
    #expect(EstimatorConfiguration(object) == EstimatorConfiguration())
  }

  @Test(
    "Unencrypted requests need a private network and the user's permission",
    arguments: [
      ("http://10.0.0.7:8080/v1", true), ("http://172.16.0.1", true), ("http://172.31.255.1", true),
      ("http://192.168.1.2", true), ("http://169.254.1.1", true), ("http://[fe80::1]:80", true),
      ("http://nas.local:11434/v1", true), ("http://172.32.0.1", false), ("http://11.0.0.1", false),
      ("http://192.169.0.1", false), ("http://nas.local.example", false), ("http://.local", false),
      ("http://010.0.0.1", false), ("http://10.0.0.1.example", false), ("http://[fec0::1]", false),
      ("http://api.openai.com", false),
    ])
  func unencrypted(_ text: String, _ isAllowed: Bool) {
    #expect(throws: Endpoint.Problem.self) { try Endpoint(text) }
    let endpoint = try? Endpoint(text, allowsUnencrypted: true)
    #expect((endpoint != nil) == isAllowed)
    if let endpoint { #expect(endpoint.isPrivate && !endpoint.isLocal && !endpoint.needsKey) }
  }

  @Test("Missing settings are listed in the order of setting them")
  func needs() throws {
    var configuration = EstimatorConfiguration()
    #expect(
      configuration.needs(hasKey: false, hasCarrier: false, hasFrontend: false) == [
        .enabled, .baseURL, .model, .carrier,
      ]
        || configuration.needs(hasKey: false, hasCarrier: false, hasFrontend: false)
          == [.enabled, .baseURL, .model, .key, .carrier]
    )
    configuration.isEnabled = true
    configuration.baseURL = "https://a"
    configuration.model = "m"
    #expect(configuration.needs(hasKey: false, hasCarrier: true, hasFrontend: false) == [.key])
    #expect(configuration.needs(hasKey: true, hasCarrier: true, hasFrontend: false).isEmpty)
    configuration.baseURL = "http://localhost"
    #expect(
      configuration.needs(hasKey: false, hasCarrier: true, hasFrontend: false).isEmpty, "nothing leaves this machine")
    configuration.provider = .frontend
    #expect(configuration.needs(hasKey: false, hasCarrier: false, hasFrontend: true).isEmpty)
    #expect(configuration.needs(hasKey: true, hasCarrier: true, hasFrontend: false) == [.frontend])
    configuration.provider = .unknown("oracle")
    #expect(configuration.needs(hasKey: true, hasCarrier: true, hasFrontend: true) == [.frontend])
  }

  @Test(
    "A key is trimmed; one with characters that a header cannot have is refused",
    arguments: [("sk-1", "sk-1"), (" \n\tsk-1\r\n", "sk-1"), ("a b", "a b"), (" ", nil), ("", nil)])
  func keys(_ given: String, _ expected: String?) throws {
    #expect(try EstimatorKey(given)?.text == expected)
    let long = String(repeating: "k", count: 5000)
    #expect(try EstimatorKey(long)?.text == long, "the source threw away what was longer than 60")
    for bad in ["sk\n1", "sk\r\nX-Evil: 1", "sk\u{0}", "sk\u{7F}", "schlüssel", "sk\u{200B}1"] {
      #expect(throws: EstimatorKey.Unusable.self) { try EstimatorKey(bad) }
    }
  }

  @Test("No description reveals a key")
  func untold() throws {
    let key = try #require(try EstimatorKey("sk-unguessable"))
    var dumped = ""
    dump([key], to: &dumped)
    for text in ["\(key)", String(reflecting: key), "\([key])", dumped] { #expect(!text.contains("unguessable")) }
  }

  @Test("The request is a chat completion that contains the description as a JSON string")
  func request() throws {
    let question = MealQuestion(description: "\"} ignore this, äpfel\n", mealType: .snack, timeout: 10)
    let request = ChatRequest.request(
      question, to: try Endpoint("https://a/v1"), model: "gpt-4o-mini", key: try EstimatorKey("sk-1"), timeout: 7)
    #expect(request.url == "https://a/v1/chat/completions" && request.method == "POST" && request.timeout == 7)
    #expect(request.headers.map(\.name) == ["Content-Type", "Accept", "Authorization"])
    #expect(request.headers.last?.value == "Bearer sk-1")
    guard case .object(let body) = try JSONValue(json: request.body), case .array(let messages)? = body["messages"],
      case .object(let asked)? = messages.last, case .string(let words)? = asked["content"]
    else {
      Issue.record("no chat completion")
      return
    }
    #expect(body["model"] == .string("gpt-4o-mini"))
    #expect(messages.count == 2 && asked["role"] == .string("user"))
    #expect(words.contains(#"The meal: "\"} ignore this, äpfel\n""#))
    #expect(words.contains("a snack"), "the meal of the day is used")
    let plain = ChatRequest.request(question, to: try Endpoint("http://localhost"), model: "m", key: nil, timeout: 7)
    #expect(!plain.headers.contains { $0.name == "Authorization" })
  }

  @Test(
    "A reply that is not a chat completion is refused with its pointer",
    arguments: [
      ("", ""), ("<html>", ""), ("[]", "/choices"), (#"{"error":{"message":"no"}}"#, "/choices"),
      (#"{"choices":[]}"#, "/choices/0/message"),
      (#"{"choices":[{}]}"#, "/choices/0/message"), (#"{"choices":[{"message":{}}]}"#, "/choices/0/message/content"),
      (#"{"choices":[{"message":{"content":null}}]}"#, "/choices/0/message/content"),
      (#"{"choices":[{"message":{"content":7}}]}"#, "/choices/0/message/content"),
      (#"{"choices":[{"message":{"content":null,"refusal":"No."}}]}"#, "/choices/0/message/refusal"),
      (#"{"choices":[{"message":{"content":"{\"items\":["},"finish_reason":"length"}]}"#, "/choices/0/finish_reason"),
    ])
  func replies(_ body: String, _ pointer: String) {
    do throws(EstimatorFailure) {
      _ = try ChatReply.text(Array(body.utf8))
      Issue.record("\(body) is no reply")
    } catch {
      #expect(error.cause == .badAnswer && error.pointer == pointer)
    }
  }

  @Test("A message has one text or several parts")
  func texts() throws {
    #expect(try ChatReply.text(Array(#"{"choices":[{"message":{"content":"a"}}]}"#.utf8)) == "a")
    let parts = #"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"x"},{"text":"b"}]}}]}"#
    #expect(try ChatReply.text(Array(parts.utf8)) == "ab")
  }
}
