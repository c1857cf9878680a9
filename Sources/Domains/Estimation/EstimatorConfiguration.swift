import DaybookProtocol
import JSON

/// How meals are estimated on a folder. The key is no part of it.
package struct EstimatorConfiguration: Sendable, Equatable {
  /// Whether the user has turned it on.
  package var isEnabled = false
  package var provider = EstimatorProvider.http
  /// The address before `/chat/completions`, checked by `Endpoint`.
  package var baseURL: String?
  /// Whether the user allows http in a network of one's own.
  package var allowsUnencrypted = false
  /// The model's name there.
  package var model: String?
  /// How long an estimate may take, all attempts together, in milliseconds: 1000…600000.
  package var timeout = RequestTimeout.estimatorEstimate
  /// How many more attempts there may be: 0…5.
  package var retries = 2

  package init() {}

  private enum Name {
    static let enabled = "enabled"
    static let provider = "provider"
    static let baseURL = "baseURL"
    static let model = "model"
    static let allowUnencrypted = "allowUnencrypted"
    static let timeout = "timeout"
    static let retries = "retries"
  }

  /// Reads what `json` makes. What cannot be understood counts as not set: then nothing is sent anywhere.
  package init(_ object: JSONObject) {
    isEnabled = object[Name.enabled] == .bool(true)
    if case .string(let name)? = object[Name.provider] {
      // A provider of a later version is none that could be asked.
      provider = EstimatorProvider.known.first { $0.rawValue == name } ?? .unknown(name)
    }
    allowsUnencrypted = object[Name.allowUnencrypted] == .bool(true)
    if case .string(let text)? = object[Name.baseURL] {
      baseURL = (try? Endpoint(text, allowsUnencrypted: allowsUnencrypted))?.baseURL
    }
    if case .string(let text)? = object[Name.model], !text.isEmpty { model = text }
    if case .number(let number)? = object[Name.timeout], let value = number.integer, (1000...600_000).contains(value) {
      timeout = value
    }
    if case .number(let number)? = object[Name.retries], let value = number.integer, (0...5).contains(value) {
      retries = value
    }
  }

  /// As it is kept.
  package var json: JSONObject {
    var object = JSONObject([
      (Name.enabled, .bool(isEnabled)), (Name.provider, .string(provider.rawValue)),
      (Name.timeout, .number(JSONNumber(timeout))), (Name.retries, .number(JSONNumber(retries))),
    ])
    object[Name.baseURL] = baseURL.map { .string($0) }
    object[Name.model] = model.map { .string($0) }
    if allowsUnencrypted { object[Name.allowUnencrypted] = .bool(true) }
    return object
  }

  /// Where to ask.
  package var endpoint: Endpoint? { baseURL.flatMap { try? Endpoint($0, allowsUnencrypted: allowsUnencrypted) } }

  /// What is missing before meals can be estimated.
  ///
  /// - Parameters:
  ///   - hasKey: Whether a key is known, or the client can be asked for one.
  ///   - hasCarrier: Whether `daybook-http` is there.
  ///   - hasFrontend: Whether the client estimates meals.
  package func needs(hasKey: Bool, hasCarrier: Bool, hasFrontend: Bool) -> [EstimatorNeed] {
    var needs: [EstimatorNeed] = isEnabled ? [] : [.enabled]
    guard provider == .http else { return needs + (hasFrontend && provider == .frontend ? [] : [.frontend]) }
    if endpoint == nil { needs.append(.baseURL) }
    if model == nil { needs.append(.model) }
    if !hasKey, endpoint?.needsKey != false { needs.append(.key) }
    if !hasCarrier { needs.append(.carrier) }
    return needs
  }
}
