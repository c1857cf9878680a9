import Synchronization

#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// The first page of a file, mapped to be read: it changes as the file does, without a system call.
///
/// Reading a page that the file does not have any more, because somebody has cut it to nothing, or that the disk refuses to give up is a
/// bus error. All pages are mapped into one range of addresses; on a bus error that range becomes zeros, which no file that is
/// looked at in this way has, and reading goes on.
package final class MappedFile: Sendable {
  private let slot: Int
  private let address: UInt

  /// Maps the page; nil when the system refuses, or when this process has mapped 64 files already.
  package init?(descriptor: Int32) {
    guard let range = MappedFile.range, let slot = MappedFile.takeSlot() else { return nil }
    self.slot = slot
    address = range + UInt(slot * MappedFile.pageSize)
    // Before the page can fail.
    canFail.store(true, ordering: .releasing)
    // A slot that could not be mapped is not used again: what is there now is not known.
    guard MappedFile.map(address, MappedFile.pageSize, PROT_READ, MAP_SHARED, descriptor) else { return nil }
  }

  deinit {
    guard MappedFile.map(address, MappedFile.pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1) else { return }
    usedSlots.bitwiseXor(1 << UInt64(slot), ordering: .releasing)
  }

  /// The eight bytes at an offset that is a multiple of eight and less than a page; zero when they cannot be read.
  package func word(at offset: Int) -> UInt64 {
    UnsafePointer<Atomic<UInt64>>(bitPattern: address + UInt(offset))?.pointee.load(ordering: .acquiring) ?? 0
  }

  private static let pageSize = Int(getpagesize())
  private static let slots = 64

  /// Where the pages are; nil when the system has no addresses to give.
  private static let range: UInt? = {
    guard let start = mmap(nil, slots * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), start != MAP_FAILED
    else { return nil }
    rangeStart.store(UInt(bitPattern: start), ordering: .releasing)
    rangeSize.store(slots * pageSize, ordering: .releasing)
    signal(SIGBUS) { _ in MappedFile.recover() }
    return UInt(bitPattern: start)
  }()

  /// Runs in a signal handler: nothing here takes memory or a lock.
  private static func recover() {
    // Another bus error is none of ours; it comes again and ends the process.
    guard canFail.exchange(false, ordering: .acquiringAndReleasing),
      map(
        rangeStart.load(ordering: .acquiring), rangeSize.load(ordering: .acquiring), PROT_READ,
        MAP_PRIVATE | MAP_ANONYMOUS, -1)
    else {
      signal(SIGBUS, SIG_DFL)
      return
    }
  }

  private static func map(_ address: UInt, _ size: Int, _ access: Int32, _ kind: Int32, _ descriptor: Int32) -> Bool {
    mmap(UnsafeMutableRawPointer(bitPattern: address), size, access, kind | MAP_FIXED, descriptor, 0) != MAP_FAILED
  }

  private static func takeSlot() -> Int? {
    var used = usedSlots.load(ordering: .relaxed)
    while used != .max {
      let slot = (~used).trailingZeroBitCount
      let (isTaken, now) = usedSlots.compareExchange(
        expected: used, desired: used | 1 << UInt64(slot), ordering: .acquiringAndReleasing)
      if isTaken { return slot }
      used = now
    }
    return nil
  }
}

private let usedSlots = Atomic<UInt64>(0)
/// The range of addresses again, and whether a page in it may fail, for the signal handler.
private let rangeStart = Atomic<UInt>(0)
private let rangeSize = Atomic<Int>(0)
private let canFail = Atomic<Bool>(false)
