import DaybookProtocol
import JSONRPC
import Subscriptions

extension RPCError {
  /// Something that no rule allows, to the client that asked for it; `names` says how the request calls a member that has
  /// another pointer in what is stored.
  init(_ problem: SubscriptionProblem, names: [String: String] = [:], hint: String? = nil) {
    self.init(
      .invalidParams, problem.message, pointer: names[problem.pointer] ?? problem.pointer, allowed: problem.allowed,
      hint: hint)
  }
}
