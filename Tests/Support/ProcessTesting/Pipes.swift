import Foundation
import JSON
import Spawning

/// The writing end of a process's standard input. Posting never blocks.
final class InputPipe: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "input")
  private let isOpen = Guard(true)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes bytes after everything posted before.
  func post(_ bytes: [UInt8]) {
    queue.async { [descriptor, isOpen] in
      var rest = bytes[...]
      while !rest.isEmpty, isOpen.with({ $0 }) {
        guard let count = rest.withUnsafeBytes({ Descriptor.write(descriptor, $0) }) else { return }
        rest.removeFirst(count)
      }
    }
  }

  /// Waits until everything posted was written or has failed.
  func allTaken() async throws {
    let taken = Once<Bool>()
    queue.async { taken.set(true) }
    _ = try await taken.value("what was sent is not taken")
  }

  /// Closes it after everything posted.
  func close() {
    queue.async { [descriptor, isOpen] in
      let wasOpen = isOpen.with { isOpen in
        defer { isOpen = false }
        return isOpen
      }
      if wasOpen { Descriptor.close(descriptor) }
    }
  }
}

/// The reading end of a process's standard output or error.
final class OutputPipe: Sendable {
  private let descriptor: Int32
  private let isStarted = Guard(false)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Reads to the end on a thread of its own, then closes.
  func start(_ deliver: @escaping @Sendable (ArraySlice<UInt8>) -> Void, atEnd: @escaping @Sendable () -> Void) {
    onThread { descriptor in
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while let count = piece.withUnsafeMutableBytes({ Descriptor.read(descriptor, into: $0) }), count > 0 {
        deliver(piece[..<count])
      }
    } atEnd: {
      atEnd()
    }
  }

  /// Reads messages to the end on a thread of its own, then closes; passes anything else to `stray`.
  func startMessages(
    _ framing: WireFraming, _ deliver: @escaping @Sendable (JSONValue) -> Void,
    stray: @escaping @Sendable ([UInt8]) -> Void, atEnd: @escaping @Sendable () -> Void
  ) {
    onThread { descriptor in
      var reader = FrameReader(framing)
      while let count = reader.fill({ Descriptor.read(descriptor, into: $0) }), count > 0 {
        do {
          while let body = try reader.next() {
            if let message = try? JSONValue(json: Array(body)) { deliver(message) } else { stray(Array(body)) }
          }
        } catch {
          // From here on, messages cannot be delimited.
          stray(reader.rest)
          while let count = reader.fill({ Descriptor.read(descriptor, into: $0) }), count > 0 {}
          return
        }
      }
    } atEnd: {
      atEnd()
    }
  }

  /// Closes it without reading.
  func closeUnread() {
    if begin() { Descriptor.close(descriptor) }
  }

  private func onThread(
    _ body: @escaping @Sendable (Int32) -> Void, atEnd: @escaping @Sendable () -> Void
  ) {
    guard begin() else { return }
    Thread.detachNewThread { [descriptor] in
      body(descriptor)
      Descriptor.close(descriptor)
      atEnd()
    }
  }

  private func begin() -> Bool {
    isStarted.with { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
  }
}
