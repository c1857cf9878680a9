import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC

/// What a client said of itself and wants, on one connection.
struct ClientState {
  var lifecycle: Lifecycle
  var framing = Framing.header
  /// Whether the framing is settled.
  var hasBegun = false
  /// Whether unknown members of params are refused.
  var isStrict = true
  var trace = TraceValue.off
  var abilities = ClientAbilities()
  /// Whether it is a script, without a handshake: it hears no event before it subscribes.
  let isScript: Bool
  /// Whether it has said which events it wants.
  var hasSubscribed = false
  /// The domains whose events are wanted; nil for all.
  var subscribed: Set<EventDomain>?
  /// The day this connection looks at; today when nil.
  var selectedDay: CivilDay?
  /// The user's locale.
  var locale: String?
  /// The status to end with, once asked to.
  var exitStatus: Int32?

  init(skipsHandshake: Bool) {
    isScript = skipsHandshake
    lifecycle = skipsHandshake ? .running(hasConfirmed: true) : .awaitingInitialize
  }

  /// Whether it hears events now.
  var hearsEvents: Bool { lifecycle == .running(hasConfirmed: true) && (!isScript || hasSubscribed) }
}
