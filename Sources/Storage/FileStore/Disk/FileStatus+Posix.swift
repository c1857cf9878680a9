#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension FileStatus {
  /// The same from the system's own structure.
  init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    #if os(Linux)
      let modified = status.st_mtim
    #else
      let modified = status.st_mtimespec
    #endif
    let seconds = Int64(modified.tv_sec).multipliedReportingOverflow(by: 1000)
    self.init(
      kind: kind, size: Int(status.st_size), mode: UInt32(status.st_mode) & 0o7777, owner: UInt32(status.st_uid),
      linkCount: UInt64(truncatingIfNeeded: status.st_nlink), device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino),
      modifiedAt: seconds.overflow ? nil : seconds.partialValue &+ Int64(modified.tv_nsec) / 1_000_000)
  }
}
