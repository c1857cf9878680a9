import Platform

/// What the system may do as it likes.
extension PosixFileSystem {
  package func beginWriteback(of file: Descriptor, from offset: Int, count: Int) {
    Writeback.begin(of: file.number, from: offset, count: count)
  }
}
