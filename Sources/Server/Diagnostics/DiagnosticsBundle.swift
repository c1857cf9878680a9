import CivilTime
import FileStore
import JSON

/// An archive to attach to a problem report: reports from the caller, a listing of the data folder, and the log. It
/// contains user data only if the caller adds it at the user's request.
struct DiagnosticsBundle: Sendable {
  struct Entry: Sendable, Equatable {
    /// Its path within the archive's folder, such as `health.json`.
    var name: String
    var content: [UInt8]
  }

  struct Written: Sendable, Equatable {
    /// The length of the archive in bytes.
    var length: Int
    /// The names of its entries, in order.
    var names: [String]
    /// The names of log files that were omitted or truncated for lack of room.
    var shortened: [String]
  }

  /// The maximum length of an archive in bytes.
  static let largest = 32 << 20
  /// The folder of all entries in the archive.
  static let folder = "daybook-diagnostics"

  private let dataFolder: String
  private let homePaths: HomePaths
  private let now: Instant
  private let fileSystem: any FileSystem
  private let limit: Int
  /// Reports of the service about itself, without user data; paths in them are shortened.
  var reports: [Entry] = []
  /// User data, included unchanged with `includesPersonalData` only.
  var personalData: [Entry] = []
  var includesPersonalData = false

  /// A bundle about a data folder.
  ///
  /// - Parameter home: The path of the user's home, which becomes `~` in the archive.
  init(
    dataFolder: String, home: String?, now: Instant, fileSystem: any FileSystem = PosixFileSystem(),
    limit: Int = DiagnosticsBundle.largest
  ) {
    self.dataFolder = dataFolder
    homePaths = HomePaths(home)
    self.now = now
    self.fileSystem = fileSystem
    self.limit = limit
  }

  /// Writes the archive to a path, readable by the user only; it appears complete or not at all. Throws `alreadyExists`
  /// unless `replacing`, `noFolder`, `unwritable`, `diskFull`; `tooLarge` when it exceeds the limit without any log;
  /// `invalidName`.
  func write(to path: String, replacing: Bool = false) throws(DiagnosticsError) -> Written {
    let (entries, shortened) = try entries()
    let place = try BundleFile(path, replacing: replacing, outside: dataFolder, fileSystem)
    var archive = TarWriter(place.file, fileSystem)
    do throws(DiagnosticsError) {
      for entry in entries {
        try archive.add(DiagnosticsBundle.folder + "/" + entry.name, entry.content, modifiedAt: now)
      }
      try archive.finish()
      try place.publish()
    } catch {
      place.discard()
      throw error
    }
    return Written(length: archive.length, names: entries.map(\.name), shortened: shortened)
  }

  // MARK: what is in it

  private func entries() throws(DiagnosticsError) -> (entries: [Entry], shortened: [String]) {
    var entries = reports.map { Entry(name: $0.name, content: homePaths.hidden(in: $0.content)) }
    entries.append(Entry(name: "folder.txt", content: FolderListing(of: dataFolder, fileSystem).text))
    let personal = includesPersonalData ? personalData : []
    var room = limit - TarWriter.endLength - TarWriter.length(of: DiagnosticsBundle.aboutRoom)
    for entry in entries + personal { room -= TarWriter.length(of: entry.content.count) }
    guard room >= 0 else {
      throw DiagnosticsError(.tooLarge, "The bundle would have more than \(limit) bytes without any log.")
    }
    let (logs, shortened) = logs(room: room)
    entries += logs + personal
    let names = ["about.json"] + entries.map(\.name)
    guard Set(names).count == names.count else {
      throw DiagnosticsError(.invalidName, "Two entries of the bundle have one name.")
    }
    return ([about(shortened)] + entries, shortened)
  }

  /// The maximum length of `about.json` in bytes.
  private static let aboutRoom = 4096

  private func about(_ shortened: [String]) -> Entry {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("subsystem")
    writer.write(Log.subsystem)
    writer.name("version")
    writer.write(ServiceOptions.version)
    writer.name("at")
    writer.write(now.description)
    writer.name("personalData")
    writer.write(includesPersonalData)
    writer.name("shortened")
    shortened.encode(to: &writer)
    writer.endObject()
    writer.append(UInt8(ascii: "\n"))
    return Entry(name: "about.json", content: writer.bytes)
  }

  /// The log files, newest first, as far as they fit. Files that cannot be read are omitted: bundles are most useful
  /// when something is broken.
  private func logs(room: Int) -> (entries: [Entry], shortened: [String]) {
    guard let place = try? LogFolder.open(forReading: dataFolder, fileSystem) else { return ([], []) }
    var room = room
    var entries: [Entry] = []
    var shortened: [String] = []
    for number in 0..<LogFolder.fileCount {
      let name = LogFolder.folderName + "/" + LogFolder.name(number)
      guard let file = try? place.open(LogFolder.name(number), for: .reading) else { continue }
      defer { fileSystem.close(file) }
      guard let size = try? fileSystem.status(of: file).size else { continue }
      // Shortening paths never makes a text longer.
      let most = max(0, room - TarWriter.block) / TarWriter.block * TarWriter.block
      let content = homePaths.hidden(in: end(of: file, size, min(size, most)))
      if content.isEmpty || size > most { shortened.append(name) }
      guard !content.isEmpty else { continue }
      room -= TarWriter.length(of: content.count)
      entries.append(Entry(name: name, content: content))
    }
    return (entries, shortened)
  }

  /// The whole lines among the last `count` bytes of a file.
  private func end(of file: Descriptor, _ size: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = bytes.withUnsafeMutableBytes { buffer in
      var filled = 0
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        guard let read = try? fileSystem.read(file, at: size - count + filled, into: rest), read > 0 else { break }
        filled += read
      }
      return filled
    }
    bytes.removeLast(count - filled)
    guard count < size else { return bytes }
    return bytes.firstIndex(of: UInt8(ascii: "\n")).map { Array(bytes[($0 + 1)...]) } ?? []
  }
}
