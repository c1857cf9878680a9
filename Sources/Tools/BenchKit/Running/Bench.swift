import DaybookServer
import FileStore
import Foundation

/// What all measures share: the programs, and data folders with meals in them.
package final class Bench {
  package let options: Options
  let floor: Floor
  let scratch: URL
  /// What is to be told below the figures.
  package private(set) var remarks: [String] = []
  private var startedSQLite: Result<SQLiteAnchor, BenchError>?
  private var fixtures: [Int: StoreFixture] = [:]
  /// Folders made so far, by how many meals they have.
  private var folders: [Int: String] = [:]
  private var freshFolders = 0
  /// The program to measure: the one of the options, or an earlier build.
  private let program: String
  /// What this one shares fixtures, folders and remarks with.
  private let owner: Bench?

  /// The day that all meals are on.
  static let day = "2026-11-20"

  init(_ options: Options) throws(BenchError) {
    self.options = options
    program = options.daybook
    owner = nil
    for path in [options.daybook] + (options.before.map { [$0] } ?? [])
    where !FileManager.default.isExecutableFile(atPath: path) {
      throw .usage("\(path) is no program; “swift build -c release --product daybook” makes it")
    }
    scratch = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-bench-\(getpid())")
    do { try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true) } catch {
      throw .usage("\(scratch.path) cannot be made: \(error.localizedDescription)")
    }
    floor = try Floor(options.floor, scratch)
  }

  private init(_ program: String, _ owner: Bench) {
    self.program = program
    self.owner = owner
    options = owner.options
    floor = owner.floor
    scratch = owner.scratch
  }

  /// The same for another build.
  func another(_ program: String) -> Bench { Bench(program, self) }

  /// Adds a line to what is told below the figures, once.
  package func remark(_ line: String) {
    if let owner { return owner.remark(line) }
    if !remarks.contains(line) { remarks.append(line) }
  }

  /// Removes everything that was written on the way.
  func removeScratch() { try? FileManager.default.removeItem(at: scratch) }

  /// Folds the journals of a folder into segments with their digests, as a service does in time.
  package func fold(_ folder: String) throws(BenchError) {
    do throws(StoreError) {
      let store = try FileStore.open(ServiceOptions(dataFolder: folder).folderConfiguration)
      try store.checkpoint()
      store.close()
    } catch { throw .wrong("\(folder) cannot be folded: \(error.message)") }
  }

  /// The path of a data folder that does not exist yet.
  package func freshFolder() -> String {
    if let owner { return owner.freshFolder() }
    freshFolders += 1
    return scratch.appendingPathComponent("fresh-\(freshFolders)").path
  }

  /// SQLite, or nil where it is not installed, which is said once.
  package func sqlite() -> SQLiteAnchor? {
    if let owner { return owner.sqlite() }
    if startedSQLite == nil {
      let started = Result { () throws(BenchError) in try SQLiteAnchor() }
      switch started {
      case .success(let anchor): remark("\(anchor.version), WAL, synchronous=FULL")
      case .failure(let error): remark("no SQLite to stand beside: \(error.message)")
      }
      startedSQLite = started
    }
    return try? startedSQLite?.get()
  }

  /// A store of generated records, made once.
  package func fixture(_ size: StoreSize) throws(BenchError) -> StoreFixture {
    if let owner { return try owner.fixture(size) }
    if let fixture = fixtures[size.records] { return fixture }
    let fixture = try StoreFixture(size, in: options.keep.map { URL(fileURLWithPath: $0) } ?? scratch, sqlite())
    fixtures[size.records] = fixture
    return fixture
  }

  /// A copy of ten years, to be written to.
  package func copyOfTenYears() throws(BenchError) -> String {
    let folder = freshFolder()
    try fixture(.tenYears.scaled(options)).copy(to: folder)
    return folder
  }

  /// How many of something a measure takes: `usual`, or just enough to see that it runs.
  package func count(_ usual: Int, smoke: Int) -> Int { options.isSmoke ? smoke : usual }

  /// The command that serves a data folder.
  func serve(_ folder: String) -> [String] { [program, "serve", "--data", folder] }

  /// Rounds of what takes seconds each.
  var longRounds: Int { min(options.rounds, 3) }

  /// A service on a data folder, initialized.
  package func service(_ folder: String, _ arguments: [String] = []) throws(BenchError) -> Spawned {
    let server = try Spawned("daybook", serve(folder) + arguments)
    try initialize(server)
    return server
  }

  /// A floor server, initialized; nil when there is none.
  func floorServer() throws(BenchError) -> Spawned? {
    guard let path = floor.path else { return nil }
    let server = try Spawned("the floor", [path])
    try initialize(server)
    return server
  }

  private func initialize(_ server: Spawned) throws(BenchError) {
    _ = try server.request(Bench.hello)
    try server.send(Request.frame("{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}"))
  }

  /// What an editor says first.
  static let hello = Request("initialize", "{\"processId\":null,\"rootUri\":null,\"capabilities\":{}}")

  /// Adds a meal with the number of the request in its name.
  package static let addMeal = Request(
    "meals/add",
    """
    {"day":"\(day)","name":"Oat bowl {{i}}","calories":350,"mealType":"breakfast","protein":"12.50","carbs":"40.25",\
    "fat":"7.5"}
    """)

  /// A data folder with so many meals on one day, made by the service itself.
  func folder(meals: Int) throws(BenchError) -> String {
    if let folder = folders[meals] { return folder }
    let folder = freshFolder()
    let server = try service(folder)
    _ = try server.pipeline(Bench.addMeal, window: 64, limit: meals)
    let list = try server.request("meals/list", "{\"limit\":\(meals)}") as? [String: Any]
    guard (list?["meals"] as? [Any])?.count == meals else { throw .wrong("daybook does not list the meals added") }
    _ = try server.end()
    folders[meals] = folder
    return folder
  }

  /// Whether something is as it should be; if not, the measuring is over.
  package static func expect(_ condition: Bool, _ complaint: String) throws(BenchError) {
    if !condition { throw .wrong(complaint) }
  }
}
