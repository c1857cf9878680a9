import CivilTime
import DaybookProtocol
import DomainKit
import Values

extension FormerSession {
  /// A session as it was before its next version is stored.
  init(_ session: WorkoutSession, replacedAt instant: Instant) {
    self.init(
      id: DerivedID.formerSession(session.id, version: session.version), session: session, createdAt: instant,
      updatedAt: instant)
  }
}

extension DerivedID {
  /// The identity of an earlier version of a session.
  static func formerSession(_ session: EntityID, version: Int) -> EntityID {
    id("former session\u{1F}", Array("\(session) \(version)".utf8))
  }
}
