import Platform

/// The file calls that the store makes, and no others: the seam where tests put a simulated disk.
///
/// Files and folders are named relative to an open directory, so that swapping the folder for a link redirects
/// nothing. No call follows a symbolic link in the last component unless it says so.
package protocol FileSystem: Sendable {
  /// Opens the folder at `path`; refuses a link there unless `followingLinks`.
  func openDirectory(path: String, followingLinks: Bool) throws(FileSystemError) -> Descriptor
  func openDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor
  /// Creates a folder with mode 0700 at `path`.
  func makeDirectory(path: String) throws(FileSystemError)
  /// Creates a folder with mode 0700 inside `directory`.
  func makeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError)
  func openFile(_ name: String, in directory: Descriptor, for access: FileAccess) throws(FileSystemError) -> Descriptor
  /// Creates a new file with mode 0600, for appending.
  func createFile(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor
  /// Closes a descriptor; failures are ignored, because everything important was synced.
  func close(_ descriptor: Descriptor)

  /// Reads at most the buffer's length from `offset`; 0 at the end of the file.
  func read(_ descriptor: Descriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer)
    throws(FileSystemError) -> Int
  /// Appends bytes; returns how many were written, possibly fewer than given.
  func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor) throws(FileSystemError) -> Int
  /// Writes bytes at an offset of a file opened for updating, over what is there or past its end; returns how many
  /// were written, possibly fewer than given. Only for copies that nobody needs (`AheadFile`) and texts that nothing
  /// depends on.
  func overwrite(_ bytes: UnsafeRawBufferPointer, of descriptor: Descriptor, at offset: Int)
    throws(FileSystemError) -> Int
  /// Returns when the file's content and length are durable.
  func synchronizeFile(_ descriptor: Descriptor) throws(FileSystemError)
  /// Returns when the folder's entries are durable.
  func synchronizeDirectory(_ descriptor: Descriptor) throws(FileSystemError)

  func status(of descriptor: Descriptor) throws(FileSystemError) -> FileStatus
  func status(of name: String, in directory: Descriptor) throws(FileSystemError) -> FileStatus
  func status(path: String) throws(FileSystemError) -> FileStatus
  /// The modification time in milliseconds since 1970; nil when unknown. Asking makes later changes of the file more
  /// expensive (`FileFacts`).
  func modificationTime(of name: String, in directory: Descriptor) -> Int64?
  func medium(of descriptor: Descriptor) -> FileMedium
  func setMode(_ mode: UInt32, of descriptor: Descriptor) throws(FileSystemError)

  /// Renames a file, replacing one with the new name.
  func rename(_ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor)
    throws(FileSystemError)
  /// Creates a hard link; fails when the new name exists.
  func link(_ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor)
    throws(FileSystemError)
  func unlink(_ name: String, in directory: Descriptor) throws(FileSystemError)
  func removeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError)
  /// The names in a folder, unordered, without `.` and `..`.
  func names(in directory: Descriptor) throws(FileSystemError) -> [String]
  /// Takes a lock (flock) without waiting, converting one that the descriptor already holds; false when another open
  /// file description holds a conflicting one. It is released with the descriptor or the process.
  func lock(_ descriptor: Descriptor, _ kind: LockKind) throws(FileSystemError) -> Bool
  func unlock(_ descriptor: Descriptor)

  /// Maps the first page of an open file, which reflects later changes, as a function from an offset to the eight
  /// bytes there; nil where mapping is impossible or unreliable. Past the end of the file it reads zeros.
  func map(_ file: Descriptor) -> (@Sendable (_ offset: Int) -> UInt64)?

  /// Asks the system to start writing bytes of a file to the medium, normally without waiting, so that a later sync
  /// has less to do at once: a large one occupies the processor in the kernel without yielding. Proves nothing, and
  /// may do nothing.
  func beginWriteback(of file: Descriptor, from offset: Int, count: Int)

  /// The free space for a file or folder in bytes; nil if unknown.
  func room(in descriptor: Descriptor) -> Int?

  /// Waits a millisecond; false where no other process can make progress meanwhile, as in a simulation.
  func pause() -> Bool

  /// The user whose files are trusted.
  var userID: UInt32 { get }
  /// This process's id, for the lock's text.
  var processID: Int32 { get }
}

extension FileSystem {
  package func medium(of descriptor: Descriptor) -> FileMedium { .local }

  package func modificationTime(of name: String, in directory: Descriptor) -> Int64? { nil }

  /// Overwrites the start of a file with a short text.
  package func overwrite(_ bytes: UnsafeRawBufferPointer, of descriptor: Descriptor) throws(FileSystemError) {
    _ = try overwrite(bytes, of: descriptor, at: 0)
  }

  package func map(_ file: Descriptor) -> (@Sendable (_ offset: Int) -> UInt64)? { nil }

  package func beginWriteback(of file: Descriptor, from offset: Int, count: Int) {}

  package func pause() -> Bool {
    Threads.rest(milliseconds: 1)
    return true
  }
}

/// The kind of storage that files are on.
package enum FileMedium: Sendable, Equatable {
  case local
  /// A known network file system: locks and the order of writes across machines are unreliable.
  case network(String)
  /// A FUSE file system, whose behaviour is unknown.
  case program
}

package enum LockKind: Sendable {
  /// Held by any number of descriptors at once, while none holds it exclusively.
  case shared
  /// Held by one descriptor alone.
  case exclusive
}

/// How a file is opened.
package enum FileAccess: Sendable {
  case reading
  case appending
  /// Reading and overwriting: only for `ahead.jsonl`, the lock file and the mark.
  case updating
}

package struct Descriptor: Sendable, Hashable {
  package let number: Int32
  /// The path it was opened under, for messages.
  package let path: String

  package init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }
}

package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable { case file, directory, symbolicLink, other }

  package var kind: Kind
  package var size: Int
  /// Permission bits, 0…0o7777.
  package var mode: UInt32
  package var owner: UInt32
  package var linkCount: UInt64
  /// The device and inode number, which together identify the file.
  package var device: UInt64
  package var inode: UInt64

  package init(
    kind: Kind, size: Int, mode: UInt32, owner: UInt32, linkCount: UInt64, device: UInt64, inode: UInt64
  ) {
    self.kind = kind
    self.size = size
    self.mode = mode
    self.owner = owner
    self.linkCount = linkCount
    self.device = device
    self.inode = inode
  }

  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
