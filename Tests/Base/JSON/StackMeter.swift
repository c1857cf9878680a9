import Foundation

/// Measures stack use: runs work on a painted stack and counts the untouched part.
enum StackMeter {
  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// The peak stack use of `body` in bytes, including the thread's own.
  static func bytes(_ body: @escaping () -> Void) -> Int {
    let size = 16 << 20
    let stack = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
    defer { stack.deallocate() }
    memset(stack, 0xA5, size)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstack(&attributes, stack, size)
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    pthread_join(thread, nil)
    var untouched = 0
    while untouched < size, stack.load(fromByteOffset: untouched, as: UInt8.self) == 0xA5 { untouched += 1 }
    return size - untouched
  }
}
