import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension FileStatus {
  /// Converts the system's file information.
  init(_ facts: FileFacts) {
    let kind: Kind =
      switch mode_t(facts.mode) & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    self.init(
      kind: kind, size: facts.size, mode: facts.mode & 0o7777, owner: facts.owner, linkCount: facts.linkCount,
      device: facts.device, inode: facts.inode)
  }
}
