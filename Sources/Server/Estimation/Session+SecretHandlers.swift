import DomainKit
import Estimation

/// Secrets can be written and removed, but never read by a client.
extension Session {
  func secretsSet(_ params: SecretsSetParams, _ call: inout Call) throws(RPCError) -> SecretsSetResult {
    guard params.name.utf8.allSatisfy({ Session.isOfSecretName($0) }), params.name != Session.checksumName else {
      throw RPCError(
        .invalidParams, "the name is not that of a secret", pointer: "/name",
        allowed: "letters, digits, “.”, “-” and “_”", hint: "such as estimator.key")
    }
    if params.value == "" {
      throw RPCError(
        .invalidParams, "the secret is empty", pointer: "/value", allowed: "1 to 10000 characters, or null")
    }
    if params.name == EstimatorKey.secretName, let value = params.value { try Session.checkEstimatorKey(value) }
    makeFolder()
    let before = params.name == EstimatorKey.secretName ? estimatorStatus : nil
    do throws(StoreError) {
      _ = try ownSmallFile(.secrets).update { content throws(StoreError) in
        var secrets = JSONObject()
        switch content {
        case .missing: break
        case .value(let object): secrets = object
        // A damaged file is not overwritten: it may contain a key that can still be rescued.
        case .damaged(let reason):
          throw StoreError(.storeUnavailable, "secrets.json is damaged: \(reason)")
        }
        secrets[params.name] = params.value.map { .string($0) }
        return secrets
      }
    } catch { throw RPCError(error) }
    log.info(.settings, "a secret was \(public: params.value == nil ? "forgotten" : "set")")
    if let before { appendEstimatorChange(since: before, &call) }
    return SecretsSetResult(name: params.name, stored: params.value != nil)
  }

  func secretsList(_ params: NoParams) throws(RPCError) -> SecretsListResult {
    SecretsListResult(names: try secretNames())
  }

  func secretNames() throws(RPCError) -> [String] {
    switch smallFile(.secrets).read() {
    case .missing: return []
    case .value(let object): return object.members.map(\.name).sorted()
    case .damaged(let reason):
      throw RPCError(
        .storeUnavailable, "secrets.json cannot be read: \(reason)", hint: "“daybook doctor” tells more")
    }
  }

  private static let checksumName = "checksum"

  private static func isOfSecretName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
