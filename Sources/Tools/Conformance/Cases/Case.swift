import JSON
import Spawning

/// The three ways in which the bytes of a case are written.
package enum SendVariant: String, Sendable, CaseIterable {
  /// A write a step.
  case asIs = "as is"
  /// A write a byte.
  case byteWise = "byte by byte"
  /// One write up to the next expectation.
  case oneWrite = "one write"
}

/// A transcript with what its headers say.
package struct Case: Sendable {
  /// What happens before the first line.
  package enum Session: String, Sendable, CaseIterable {
    case none, initialized, noHandshake
  }

  /// The framings it is run in.
  package enum Framings: String, Sendable, CaseIterable {
    case both, header, newline
  }

  /// The build it is for.
  package enum Build: String, Sendable, CaseIterable {
    case any, debug, release
  }

  /// The state of the data folder: healthy; open in another process; on a full disk; written by a newer version; with damage
  /// in the last change.
  package enum Folder: String, Sendable, CaseIterable {
    case fresh, held, full, newer, damaged
  }

  /// The ways of writing it is run in.
  package enum Variants: String, Sendable, CaseIterable {
    case all, plain
  }

  /// Its identity: the path below `cases/`, or `example METHOD “NAME”`.
  package var name: String
  /// The file it stands in, as it is shown to people.
  package var file: String
  /// The comment on top: what is proven.
  package var comment = ""
  /// Ids of the requirements it proves.
  package var proves: [String] = []
  /// What happens before the first line.
  package var session = Session.initialized
  /// What the store holds when it begins.
  package var fixture = "empty"
  /// The framings it is run in.
  package var framing = Framings.both
  /// The build it is for.
  package var build = Build.any
  /// Further command-line arguments.
  package var args: [String] = []
  /// The state of the data folder.
  package var folder = Folder.fresh
  /// What the runner's handshake says that the client can do.
  package var capabilities = JSONObject()
  /// Further members of the runner's `initialize`.
  package var initialize = JSONObject()
  /// What `--clock` says.
  package var clock = Launch.usualClock
  /// The environment's `TZ`.
  package var zone = Launch.usualZone
  /// The ways of writing it is run in.
  package var variants = Variants.all
  /// What is done, in order.
  package var steps: [Step] = []

  /// A case without steps.
  package init(name: String, file: String) {
    self.name = name
    self.file = file
  }

  /// The steps that come before the service is started.
  var preparations: ArraySlice<Step> { steps.prefix { $0.isPreparation } }

  /// The framings, within a selection.
  package func framings(among selection: [WireFraming]) -> [WireFraming] {
    selection.filter { framing == .both || framing.rawValue == $0.rawValue }
  }

  /// The ways of writing, unless only the plain one is wanted.
  package func variants(plainOnly: Bool) -> [SendVariant] {
    plainOnly || variants == .plain ? [.asIs] : SendVariant.allCases
  }
}
