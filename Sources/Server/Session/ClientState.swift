import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC

/// What a client has declared about itself, and its choices, on one connection.
struct ClientState {
  var lifecycle: Lifecycle
  var framing = Framing.header
  /// Whether the framing is known.
  var hasBegun = false
  /// Whether unknown members of params are refused.
  var isStrict = true
  var trace = TraceValue.off
  var abilities = ClientAbilities()
  /// Whether it is a script without a handshake, which receives no events before it subscribes.
  let isScript: Bool
  var hasSubscribed = false
  /// The domains whose events it wants; nil for all.
  var subscribed: Set<EventDomain>?
  /// The day that this connection shows; nil for today.
  var selectedDay: CivilDay?
  var locale: String?
  /// The status to exit with, once “exit” has come.
  var exitStatus: Int32?

  init(skipsHandshake: Bool) {
    isScript = skipsHandshake
    lifecycle = skipsHandshake ? .running(hasConfirmed: true) : .awaitingInitialize
  }

  /// Whether it receives events now.
  var receivesEvents: Bool { lifecycle == .running(hasConfirmed: true) && (!isScript || hasSubscribed) }
}
