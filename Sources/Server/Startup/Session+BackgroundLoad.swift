import DomainKit
import Platform
import Synchronization

/// Loads the store in the background, so that the client's first request need not wait for that, and others' changes
/// are announced.
extension Session {
  /// How long loading yields to all other work, in milliseconds: long enough for a frontend's first requests.
  private static let loadingPatience: Int32 = 500

  /// Runs `body` once the store is loaded: at once if it is, otherwise after a separate thread has opened and read it
  /// for the session.
  func whenLoaded(_ body: @escaping @Sendable (isolated Session) -> Void) {
    guard folder.announcedRevision == nil, let configuration = storeConfiguration else { return body(self) }
    guard start.waitForLoad(body) else { return }
    let isStarted = Threads.start(stackSize: 8 << 20) { [weak self] in
      Threads.runIdle(atMost: Session.loadingPatience) {
        let reading = StoreInWaiting(configuration)
        self?.enqueue { session in
          session.adopt(reading)
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

  /// Adopts a store that was loaded on another thread, unless a request has loaded it meanwhile.
  private func adopt(_ reading: StoreInWaiting) {
    guard folder.announcedRevision == nil, let ready = reading.take() else { return }
    store?.close()
    folder.opened = .success(ready)
  }

  /// Loads the store if it is not loaded yet, and updates what depends on it. A folder that cannot be used makes later
  /// requests fail.
  func loaded() -> TaskOutcome {
    do throws(RPCError) {
      let revision = try revision()
      refreshDerivedState()
      return .done("revision \(revision)")
    } catch { return .failed(error.message) }
  }
}

/// A store that one thread opens and reads, and the session then adopts.
private final class StoreInWaiting: Sendable {
  private let store: Mutex<FileStore?>

  /// Errors occur again when a request opens the store.
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
