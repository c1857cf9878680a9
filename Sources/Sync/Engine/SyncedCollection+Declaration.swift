import CollectionTables
import FileStore
import JSON
import SyncRules

/// How collections travel, by their declarations.
extension SyncedCollection {
  /// Nil for a collection that stays on its device, and for one that is only mirrored: its records are never merged
  /// into those of another device.
  package init?(_ declaration: CollectionDeclaration) {
    let policy: MergePolicy
    var local = JSONObject()
    switch declaration.merging {
    case .whole: policy = .whole
    case .byMember(let defaults, let groups):
      var merged = JSONObject(generated: defaults)
      for name in declaration.localMembers {
        local[name] = merged[name]
        merged[name] = nil
      }
      policy = .byMember(defaults: merged, groups: groups)
    case .byPart(let lists): policy = .byPart(lists: lists)
    case .mirrored, .never: return nil
    }
    self.init(policy, priority: declaration.syncPriority, localDefaults: local)
  }

  /// How each collection travels: as it is declared. One that only a later version declares travels as a whole; internal
  /// ones never do.
  ///
  /// - Parameter internalCollections: Those of the service. Sync's own need not be among them.
  /// - Parameter understanding: What the service understands of the bodies of declared collections.
  package static func declared(
    besides internalCollections: Set<CollectionName>,
    understanding: @escaping BodyUnderstanding = { _, _, _ in .whole }
  ) -> SyncedCollections {
    let internalCollections = internalCollections.union(SyncParticipant.internalCollections)
    return { collection in
      if var known = byName[collection.rawValue] {
        known.understanding = understanding
        return known
      }
      let isUnknown = Collections.declaration(named: collection.rawValue) == nil
      return isUnknown && !internalCollections.contains(collection) ? SyncedCollection(.whole) : nil
    }
  }

  /// Made on first use, which is the first change after the start.
  private static let byName = Collections.all.reduce(into: [String: SyncedCollection]()) {
    $0[$1.name] = SyncedCollection($1)
  }
}
