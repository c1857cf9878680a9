import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The writing end of a process's standard input. Posting never waits.
final class InputPipe: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "input")
  private let isOpen = Guard(true)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes bytes after all that was posted before.
  func post(_ bytes: [UInt8]) {
    queue.async { [descriptor, isOpen] in
      var at = 0
      while at < bytes.count, isOpen.with({ $0 }) {
        let count = bytes[at...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { at += count } else if errno != EINTR { return }
      }
    }
  }

  /// Waits until everything posted was taken, or cannot be any more.
  func allTaken() async throws {
    let taken = Once<Bool>()
    queue.async { taken.set(true) }
    _ = try await taken.value("what was sent is not taken")
  }

  /// Closes it after everything posted.
  func close() {
    queue.async { [descriptor, isOpen] in
      if isOpen.with({ isOpen in
        defer { isOpen = false }
        return isOpen
      }) {
        Daybook.close(descriptor)
      }
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
    guard begin() else { return }
    Thread.detachNewThread { [descriptor] in
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &piece, piece.count)
        if count > 0 { deliver(piece[..<count]) } else if count == 0 || errno != EINTR { break }
      }
      Daybook.close(descriptor)
      atEnd()
    }
  }

  /// Closes it without having read anything.
  func closeUnread() {
    if begin() { Daybook.close(descriptor) }
  }

  private func begin() -> Bool {
    isStarted.with { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
  }
}

extension Daybook {
  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
