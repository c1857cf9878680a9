import Platform

/// Hints that the system may ignore.
extension PosixFileSystem {
  package func beginWriteback(of file: Descriptor, from offset: Int, count: Int) {
    Writeback.begin(of: file.number, from: offset, count: count)
  }
}
