import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The first page of a file, mapped for reading: it follows changes of the file without a system call.
///
/// Reading a mapped page raises SIGBUS once the file is truncated or its disk fails. All pages share one address range;
/// on SIGBUS the handler replaces the range by zeros, which no valid counter file holds, and the read continues.
package final class MappedFile: Sendable {
  private let slot: Int
  private let address: UInt

  /// Maps the page; nil when the system refuses, or when this process has 64 mapped files.
  package init?(descriptor: Int32) {
    guard let range = MappedFile.range, let slot = MappedFile.reserveSlot() else { return nil }
    self.slot = slot
    address = range + UInt(slot * MappedFile.pageSize)
    // Must be set before the first read can fail.
    canFail.store(true, ordering: .releasing)
    // The slot stays marked as used after a failure, because its contents are unknown then.
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

  /// The address range of all pages; nil when it cannot be reserved.
  private static let range: UInt? = {
    guard let start = mmap(nil, slots * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), start != MAP_FAILED
    else { return nil }
    rangeStart.store(UInt(bitPattern: start), ordering: .releasing)
    rangeSize.store(slots * pageSize, ordering: .releasing)
    signal(SIGBUS) { _ in MappedFile.recover() }
    return UInt(bitPattern: start)
  }()

  /// Runs in the signal handler, so it neither allocates nor locks.
  private static func recover() {
    // Any other bus error is not ours; it recurs and ends the process.
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

  private static func reserveSlot() -> Int? {
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
/// Copies of the address range for the signal handler, and whether a page in it may fail.
private let rangeStart = Atomic<UInt>(0)
private let rangeSize = Atomic<Int>(0)
private let canFail = Atomic<Bool>(false)
