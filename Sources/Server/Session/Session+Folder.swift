import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC

/// The data folder's state, by the names that the session's rooms use.
extension Session {
  var store: FileStore? {
    get { folder.store }
    set { folder.store = newValue }
  }

  var latestRevision: Int {
    get { folder.latestRevision }
    set { folder.latestRevision = newValue }
  }

  var announcedRevision: Int? {
    get { folder.announcedRevision }
    set { folder.announcedRevision = newValue }
  }

  var seenRevision: Int {
    get { folder.seenRevision }
    set { folder.seenRevision = newValue }
  }

  var ownRevisions: RevisionSet {
    get { folder.ownRevisions }
    _modify { yield &folder.ownRevisions }
  }

  var hasTurn: Bool {
    get { folder.hasTurn }
    set { folder.hasTurn = newValue }
  }

  var hasMissedTurn: Bool {
    get { folder.hasMissedTurn }
    set { folder.hasMissedTurn = newValue }
  }

  var turnRefusal: RPCError? {
    get { folder.turnRefusal }
    set { folder.turnRefusal = newValue }
  }

  var author: String {
    get { folder.author }
    set { folder.author = newValue }
  }
}
