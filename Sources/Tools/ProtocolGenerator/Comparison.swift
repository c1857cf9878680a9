import ProtocolModel

/// The changes between two versions of the protocol, by their effect on clients.
package struct Comparison {
  /// Changes that can break a client of the old version.
  package private(set) var breaking: [String] = []
  /// Changes that do not affect it.
  package private(set) var additions: [String] = []

  package init(old: [String: [UInt8]], new: [String: [UInt8]]) throws(SpecificationError) {
    let old = try Specification(files: old, isOld: true)
    let new = try Specification(files: new)
    compareErrors(old, new)
    compareCapabilities(old, new)
    compareMessages(old.requests + old.notifications, new.requests + new.notifications)
    let sent = old.reachable(fromClient: true)
    let received = old.reachable(fromClient: false)
    for type in old.allTypes where !type.isParams {
      guard let other = new.type(named: type.name) else {
        breaking.append("type \(type.name) was removed")
        continue
      }
      compare(type, other, isSent: sent.contains(type.name), isReceived: received.contains(type.name))
    }
    for type in new.allTypes where old.type(named: type.name) == nil && !type.isParams {
      additions.append("type \(type.name) is new")
    }
  }

  private mutating func compareErrors(_ old: Specification, _ new: Specification) {
    for error in old.errors {
      guard let other = new.errors.first(where: { $0.name == error.name }) else {
        breaking.append("error \(error.name) was removed")
        continue
      }
      if other.code != error.code {
        breaking.append("error \(error.name) has the code \(other.code) instead of \(error.code)")
      }
    }
    for error in new.errors where !old.errors.contains(where: { $0.name == error.name }) {
      additions.append("error \(error.name) is new")
    }
  }

  private mutating func compareCapabilities(_ old: Specification, _ new: Specification) {
    for capability in old.capabilities where !new.capabilities.contains(where: { $0.name == capability.name }) {
      breaking.append("capability \(capability.name) was removed")
    }
    for capability in new.capabilities where !old.capabilities.contains(where: { $0.name == capability.name }) {
      additions.append("capability \(capability.name) is new")
    }
  }

  private mutating func compareMessages(_ old: [Message], _ new: [Message]) {
    for message in old {
      guard let other = new.first(where: { $0.method == message.method }) else {
        breaking.append("\(message.method) was removed")
        continue
      }
      if other.direction != message.direction { breaking.append("\(message.method) has the opposite direction") }
      if other.request?.result != message.request?.result { breaking.append("\(message.method) has another result") }
      if other.request?.effect != message.request?.effect {
        breaking.append("\(message.method) has the effect \(other.request?.effect.rawValue ?? "none")")
      }
      if other.request?.requires != message.request?.requires, let ability = other.request?.requires {
        breaking.append("\(message.method) needs the capability \(ability)")
      }
      if other.request?.feature != message.request?.feature, let feature = other.request?.feature {
        breaking.append("\(message.method) needs the feature \(feature)")
      }
      if message.request?.isServedWhileLocked == true, other.request?.isServedWhileLocked == false {
        breaking.append("\(message.method) is no longer served while locked")
      }
      // Params are compared here because empty ones have no type.
      compare(
        message.params, other.params, isSent: message.direction.isFromClient, isReceived: message.direction.isFromServer
      )
      for error in other.request?.errors ?? [] where message.request?.errors.contains(error) == false {
        additions.append("\(message.method) may answer \(error)")
      }
    }
    for message in new where !old.contains(where: { $0.method == message.method }) {
      additions.append("\(message.method) is new")
    }
  }

  private mutating func compare(_ old: TypeDefinition, _ new: TypeDefinition, isSent: Bool, isReceived: Bool) {
    if isSent, old.isLenient, !new.isLenient { breaking.append("\(old.name) refuses unknown members now") }
    switch (old.kind, new.kind) {
    case (.structure(let before), .structure(let after)):
      for member in before {
        guard let other = after.first(where: { $0.name == member.name }) else {
          breaking.append("\(old.name).\(member.name) was removed")
          continue
        }
        compare(member, other, in: old.name, isSent: isSent, isReceived: isReceived)
      }
      for member in after where !before.contains(where: { $0.name == member.name }) {
        if isSent, !member.isOptional {
          breaking.append("\(old.name).\(member.name) is new and required")
        } else {
          additions.append("\(old.name).\(member.name) is new")
        }
      }
    case (.enumeration(let before), .enumeration(let after)):
      for value in before where !after.contains(where: { $0.name == value.name }) {
        breaking.append("\(old.name) has lost the value \(value.name)")
      }
      for value in after where !before.contains(where: { $0.name == value.name }) {
        if old.isOpen || !isReceived {
          additions.append("\(old.name) has the new value \(value.name)")
        } else {
          breaking.append("\(old.name), a closed enum, has the new value \(value.name)")
        }
      }
      if old.isOpen, !new.isOpen { breaking.append("\(old.name) is closed now") }
    default: breaking.append("\(old.name) is of another kind")
    }
  }

  private mutating func compare(
    _ old: Member, _ new: Member, in type: String, isSent: Bool, isReceived: Bool
  ) {
    let place = "\(type).\(old.name)"
    if old.type != new.type { breaking.append("\(place) is \(new.type.text) instead of \(old.type.text)") }
    if isSent {
      if old.isOptional, !new.isOptional { breaking.append("\(place) is required now") }
      if old.isNullable, !new.isNullable { breaking.append("\(place) may no longer be null") }
      if isNarrower(old.minimum, new.minimum, <) || isNarrower(old.maximum, new.maximum, >)
        || isNarrower(old.minimumLength, new.minimumLength, <) || isNarrower(old.maximumLength, new.maximumLength, >)
        || isNarrower(old.scale, new.scale, >)
      {
        breaking.append("\(place) allows less than before")
      }
    }
    if isReceived {
      if !old.isOptional, new.isOptional { breaking.append("\(place) may be absent now") }
      if !old.isNullable, new.isNullable { breaking.append("\(place) may be null now") }
    }
  }

  private func isNarrower(_ old: Int?, _ new: Int?, _ wasBeyond: (Int, Int) -> Bool) -> Bool {
    guard let new else { return false }
    return old.map { wasBeyond($0, new) } ?? true
  }
}
