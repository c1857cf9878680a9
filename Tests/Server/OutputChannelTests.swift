import Platform
import ServerTesting
import Testing

@testable import DaybookServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("The output channel")
struct OutputChannelTests {
  let pipe: Pipe
  let drained = Count()

  init() throws {
    Signals.ignoreBrokenPipes()
    pipe = try #require(Pipe())
  }

  private func channel() -> OutputChannel {
    OutputChannel(descriptor: pipe.writing) { [drained] in drained.add() }
  }

  private func send(_ bytes: [UInt8], to channel: OutputChannel) { bytes.withUnsafeBytes { channel.send($0) } }

  @Test("Frames of several senders arrive whole, in each sender's order, however small the pipe is")
  func whole() async {
    #if os(Linux)
      // F_SETPIPE_SZ
      _ = fcntl(pipe.writing, 1031, 4096)
    #endif
    let channel = channel()
    let senders = 4
    for sender in 0..<senders {
      Threads.start {
        for number in 0..<200 {
          let frame = [UInt8(sender), UInt8(number)] + [UInt8](repeating: UInt8(sender), count: 1000 + number * 7)
          send(frame, to: channel)
        }
      }
    }
    let sizes = (0..<200).map { 1002 + $0 * 7 }
    let total = senders * sizes.reduce(0, +)
    let reading = pipe.reading
    let bytes = await onThread { OutputChannelTests.read(total, from: reading) }
    var at = 0
    var next = [Int](repeating: 0, count: senders)
    while at < bytes.count {
      let (sender, number) = (Int(bytes[at]), Int(bytes[at + 1]))
      guard sender < senders, next[sender] == number else { break }
      #expect(bytes[(at + 2)..<(at + sizes[number])].allSatisfy { $0 == UInt8(sender) })
      next[sender] += 1
      at += sizes[number]
    }
    #expect(at == total)
    #expect(await eventually { channel.unsentBytes == 0 })
    close(pipe.reading)
    close(pipe.writing)
  }

  @Test("It reports being above the high-water mark, and notifies once the backlog has drained")
  func highWater() async {
    let channel = channel()
    #expect(!channel.notifyWhenDrained(), "there is nothing to wait for")
    let total = 6 << 20
    send([UInt8](repeating: 1, count: total), to: channel)
    #expect(channel.isAboveHighWater)
    #expect(channel.notifyWhenDrained())
    #expect(drained.value == 0)
    let reading = pipe.reading
    #expect(await onThread { OutputChannelTests.read(total, from: reading).count } == total)
    #expect(await eventually { channel.unsentBytes == 0 && drained.value == 1 })
    #expect(!channel.isAboveHighWater && !channel.notifyWhenDrained())
    close(pipe.reading)
    close(pipe.writing)
  }

  @Test("Once the reader is gone, pending output is dropped, waiters are notified, and sending does no harm")
  func broken() async {
    let channel = channel()
    #expect(!channel.isAbandoned)
    send([UInt8](repeating: 1, count: 6 << 20), to: channel)
    #expect(channel.notifyWhenDrained())
    close(pipe.reading)
    #expect(await eventually { channel.isBroken && drained.value == 1 })
    send([1, 2, 3], to: channel)
    #expect(channel.unsentBytes == 0 && channel.isAbandoned)
    channel.flush(within: .max)
    close(pipe.writing)
  }

  #if os(Linux)
    @Test("A long reply leaves at once, through a pipe that is enlarged for it")
    func enlargedPipe() async {
      let channel = channel()
      send([UInt8](repeating: 1, count: 900 << 10), to: channel)
      #expect(channel.unsentBytes == 0, "nobody has read yet")
      let reading = pipe.reading
      #expect(await onThread { OutputChannelTests.read(900 << 10, from: reading).count } == 900 << 10)
      close(pipe.reading)
      close(pipe.writing)
    }
  #else
    // Elsewhere a pipe's capacity cannot be set.
  #endif

  @Test("Without a limit, waiting for the reader does not end")
  func flush() async {
    let channel = channel()
    // More than the greatest pipe holds.
    send([UInt8](repeating: 1, count: 3 << 20), to: channel)
    channel.flush(within: 1)
    #expect(channel.unsentBytes > 0)
    let reading = pipe.reading
    Threads.start { _ = OutputChannelTests.read(3 << 20, from: reading) }
    let rest = await onThread {
      channel.flush(within: .max)
      return channel.unsentBytes
    }
    #expect(rest == 0)
    close(pipe.writing)
  }

  /// Reads `count` bytes, or those before the end.
  private static func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while bytes.count < count {
      let taken = piece.withUnsafeMutableBytes { StandardStreams.read(descriptor, into: $0) ?? 0 }
      if taken == 0 { break }
      bytes += piece[..<taken]
    }
    return bytes
  }
}
