import Platform

/// The file calls that the store makes, and no others: the seam where tests put a simulated disk.
///
/// Files and folders are named relative to an open directory, so that swapping the folder for a link redirects nothing.
/// No call follows a symbolic link in the last component, except where it says so.
package protocol FileSystem: Sendable {
  /// Opens the folder at `path`; refuses a link there unless `followingLinks`.
  func openDirectory(path: String, followingLinks: Bool) throws(FileSystemError) -> Descriptor
  func openDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor
  /// Makes a folder of mode 0700 at `path`.
  func makeDirectory(path: String) throws(FileSystemError)
  /// Makes a folder of mode 0700 inside `directory`.
  func makeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError)
  /// Opens a file that exists.
  func openFile(_ name: String, in directory: Descriptor, for access: FileAccess) throws(FileSystemError) -> Descriptor
  /// Makes a file of mode 0600 that did not exist, for appending.
  func createFile(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor
  /// Closes a descriptor; failures are of no interest, since what matters was synchronized.
  func close(_ descriptor: Descriptor)

  /// Reads at most the buffer's length from `offset`; 0 at the end of the file.
  func read(_ descriptor: Descriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer)
    throws(FileSystemError) -> Int
  /// Appends bytes; returns how many were taken, which may be fewer than given.
  func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor) throws(FileSystemError) -> Int
  /// Puts bytes at an offset of a file that was opened for updating: over what is there, and behind its end; returns how many were
  /// taken, which may be fewer than given. Only for copies that nobody needs (`AheadFile`), and for texts that nothing depends on.
  func overwrite(_ bytes: UnsafeRawBufferPointer, of descriptor: Descriptor, at offset: Int)
    throws(FileSystemError) -> Int
  /// Returns when the file's content and length are on the medium.
  func synchronizeFile(_ descriptor: Descriptor) throws(FileSystemError)
  /// Returns when the folder's entries are on the medium.
  func synchronizeDirectory(_ descriptor: Descriptor) throws(FileSystemError)

  /// What is behind an open descriptor.
  func status(of descriptor: Descriptor) throws(FileSystemError) -> FileStatus
  func status(of name: String, in directory: Descriptor) throws(FileSystemError) -> FileStatus
  func status(path: String) throws(FileSystemError) -> FileStatus
  /// When the content of what has a name last changed, milliseconds since 1970; nil when that is not known. Asking makes later changes of
  /// the file dearer (`FileFacts`).
  func modificationTime(of name: String, in directory: Descriptor) -> Int64?
  /// What an open folder is on, as far as the system tells.
  func medium(of descriptor: Descriptor) -> FileMedium
  func setMode(_ mode: UInt32, of descriptor: Descriptor) throws(FileSystemError)

  /// Gives a file another name in the same folder, replacing what has it.
  func rename(_ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor)
    throws(FileSystemError)
  /// Gives a file a second name; fails when that name is taken.
  func link(_ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor)
    throws(FileSystemError)
  func unlink(_ name: String, in directory: Descriptor) throws(FileSystemError)
  func removeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError)
  /// The names in a folder, in no order, without `.` and `..`.
  func names(in directory: Descriptor) throws(FileSystemError) -> [String]
  /// Takes a lock (flock) without waiting, instead of one of the other kind if the descriptor has that; false when
  /// another open file description is in the way. It goes with the descriptor or the process.
  func lock(_ descriptor: Descriptor, _ kind: LockKind) throws(FileSystemError) -> Bool
  func unlock(_ descriptor: Descriptor)

  /// The first page of an open file as memory, which changes as the file does, by the eight bytes at an offset; nil where that cannot
  /// be had or relied on. Zero is read where the file has nothing.
  func map(_ file: Descriptor) -> (@Sendable (_ offset: Int) -> UInt64)?

  /// Has the system begin to write bytes of a file to the medium, normally without waiting, so that a later sync has less to do at once: a
  /// large one occupies the processor in the kernel without yielding. Proves nothing, and may do nothing.
  func beginWriteback(of file: Descriptor, from offset: Int, count: Int)

  /// Bytes that can still be written to what a file or folder is on; nil if that is not known.
  func room(in descriptor: Descriptor) -> Int?

  /// Lets a millisecond pass for others; false where nobody else can go on meanwhile, as in a simulation.
  func pause() -> Bool

  /// The user whose files we trust.
  var userID: UInt32 { get }
  /// This process, for the lock's text.
  var processID: Int32 { get }
}

extension FileSystem {
  package func medium(of descriptor: Descriptor) -> FileMedium { .local }

  package func modificationTime(of name: String, in directory: Descriptor) -> Int64? { nil }

  /// Puts a short text over the start of a file.
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

/// What files are on.
package enum FileMedium: Sendable, Equatable {
  case local
  /// Another machine's, by what is known as such: the locks and the order of writes of several machines cannot be relied on.
  case network(String)
  /// A program that plays a file system (FUSE), which may be anything.
  case program
}

/// How a lock is held.
package enum LockKind: Sendable {
  /// By any number of descriptors at once, as long as none has it exclusively.
  case shared
  /// By one alone.
  case exclusive
}

/// What a file is opened for.
package enum FileAccess: Sendable {
  case reading
  case appending
  /// Reading and overwriting: for the copies of journal lines, the lock file and the mark only.
  case updating
}

/// An open file or folder.
package struct Descriptor: Sendable, Hashable {
  /// The number the system knows it by.
  package let number: Int32
  /// The path it was opened under, for messages.
  package let path: String

  package init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }
}

/// What the system says about a file.
package struct FileStatus: Sendable, Equatable {
  /// What kind of thing it is.
  package enum Kind: Sendable { case file, directory, symbolicLink, other }

  package var kind: Kind
  /// Length in bytes.
  package var size: Int
  /// Permission bits, 0…0o7777.
  package var mode: UInt32
  package var owner: UInt32
  /// How many names it has.
  package var linkCount: UInt64
  /// Device and inode: together the file's identity.
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

  /// Whether both describe the same file.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
