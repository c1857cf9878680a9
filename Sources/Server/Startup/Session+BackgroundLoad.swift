import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Platform
import Synchronization

/// Reading the store while the client is not waiting for it: then its first request does not, and it hears from now on of what others
/// change.
extension Session {
  /// How long it gives way to everything else, in milliseconds: long enough for the requests that a frontend begins with.
  private static let loadingPatience: Int32 = 500

  /// Has something done once the store is read: at once when it is, else when a thread of its own has read it, by an opening of its own
  /// that takes the place of the session's.
  func whenLoaded(_ body: @escaping @Sendable (isolated Session) -> Void) {
    guard folder.announcedRevision == nil, let configuration = storeConfiguration else { return body(self) }
    guard start.waitForLoad(body) else { return }
    let isStarted = Threads.start(stackSize: 8 << 20) { [weak self] in
      Threads.givingWay(atMost: Session.loadingPatience) {
        let reading = StoreInWaiting(configuration)
        self?.enqueue { session in
          session.takeOver(reading)
          session.endLoading()
        }
      }
    }
    if !isStarted { endLoading() }
  }

  private func endLoading() {
    let waiting = start.takeWaitingForLoad()
    guard client.lifecycle != .shutDown else { return }
    for body in waiting { body(self) }
  }

  /// Uses a store that was read on another thread, unless a request could not wait for it.
  private func takeOver(_ reading: StoreInWaiting) {
    guard folder.announcedRevision == nil, !folder.hasTurn, let ready = reading.take() else { return }
    store?.close()
    folder.store = ready
  }

  /// Records what the store has, reading it now if it was not read yet. A folder that cannot be used is told to the request that asks
  /// for it.
  func loaded() -> TaskOutcome {
    do throws(RPCError) {
      let revision = try revision()
      followChanges()
      return .done("revision \(revision)")
    } catch { return .failed(error.message) }
  }
}

/// A store that was opened and read on one thread, for the owner on another.
private final class StoreInWaiting: Sendable {
  private let store: Mutex<FileStore?>

  /// Opens and reads it. What goes wrong is found out again by who asks next.
  init(_ configuration: FileStore.Configuration) {
    let opened = try? FileStore.open(configuration)
    if (try? opened?.revision) == nil {
      store = Mutex(nil)
    } else {
      store = Mutex(opened)
    }
  }

  /// The store, once; nil when it could not be read.
  func take() -> FileStore? {
    store.withLock { store in
      let taken = store
      store = nil
      return taken
    }
  }
}
