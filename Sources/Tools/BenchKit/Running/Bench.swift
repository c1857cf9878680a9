import DaybookServer
import FileStore
import Foundation

/// The environment of all measures: programs, and data folders with meals.
package final class Bench {
  package let options: Options
  let floor: Floor
  let scratch: URL
  /// The remarks below the table.
  package private(set) var remarks: [String] = []
  private var startedSQLite: Result<SQLiteAnchor, BenchError>?
  private var fixtures: [Int: StoreFixture] = [:]
  /// The folders created so far, by number of meals.
  private var folders: [Int: String] = [:]
  private var freshFolders = 0
  /// The program to measure: that of the options, or an earlier build.
  private let program: String
  /// The bench whose fixtures, folders and remarks this one shares.
  private let owner: Bench?

  /// The day of all meals.
  static let day = "2026-11-20"

  init(_ options: Options) throws(BenchError) {
    self.options = options
    program = options.daybook
    owner = nil
    for path in [options.daybook] + (options.before.map { [$0] } ?? [])
    where !FileManager.default.isExecutableFile(atPath: path) {
      throw .usage("\(path) is not a program; build it with “swift build -c release --product daybook”")
    }
    scratch = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-bench-\(getpid())")
    do { try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true) } catch {
      throw .usage("\(scratch.path) cannot be created: \(error.localizedDescription)")
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

  /// A bench for another build with the same environment.
  func another(_ program: String) -> Bench { Bench(program, self) }

  /// Adds a remark below the table, once.
  package func remark(_ line: String) {
    if let owner { return owner.remark(line) }
    if !remarks.contains(line) { remarks.append(line) }
  }

  /// Removes all temporary files.
  func removeScratch() { try? FileManager.default.removeItem(at: scratch) }

  /// Checkpoints a folder's journal into segments with digests, as a service does eventually.
  package func fold(_ folder: String) throws(BenchError) {
    do throws(StoreError) {
      let store = try FileStore.open(ServiceOptions(dataFolder: folder).folderConfiguration)
      try store.checkpoint()
      store.close()
    } catch { throw .wrong("\(folder) cannot be checkpointed: \(error.message)") }
  }

  /// The path of a data folder that does not exist yet.
  package func freshFolder() -> String {
    if let owner { return owner.freshFolder() }
    freshFolders += 1
    return scratch.appendingPathComponent("fresh-\(freshFolders)").path
  }

  /// The SQLite reference; nil, with a remark, where it is not installed.
  package func sqlite() -> SQLiteAnchor? {
    if let owner { return owner.sqlite() }
    if startedSQLite == nil {
      let started = Result { () throws(BenchError) in try SQLiteAnchor() }
      switch started {
      case .success(let anchor): remark("\(anchor.version), WAL, synchronous=FULL")
      case .failure(let error): remark("no SQLite to compare with: \(error.message)")
      }
      startedSQLite = started
    }
    return try? startedSQLite?.get()
  }

  /// A store of generated records, created once.
  package func fixture(_ size: StoreSize) throws(BenchError) -> StoreFixture {
    if let owner { return try owner.fixture(size) }
    if let fixture = fixtures[size.records] { return fixture }
    let fixture = try StoreFixture(size, in: options.keep.map { URL(fileURLWithPath: $0) } ?? scratch, sqlite())
    fixtures[size.records] = fixture
    return fixture
  }

  /// A writable copy of the ten-year store.
  package func copyOfTenYears() throws(BenchError) -> String {
    let folder = freshFolder()
    try fixture(.tenYears.scaled(options)).copy(to: folder)
    return folder
  }

  /// The number of repetitions: `usual`, or a few in a smoke run.
  package func count(_ usual: Int, smoke: Int) -> Int { options.isSmoke ? smoke : usual }

  /// The command that serves a data folder.
  func serve(_ folder: String) -> [String] { [program, "serve", "--data", folder] }

  /// The rounds of measures that take seconds each.
  var longRounds: Int { min(options.rounds, 3) }

  /// An initialized service on a data folder.
  package func service(_ folder: String, _ arguments: [String] = []) throws(BenchError) -> Spawned {
    let server = try Spawned("daybook", serve(folder) + arguments)
    try initialize(server)
    return server
  }

  /// An initialized floor server; nil when there is none.
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

  /// The first message of an editor.
  static let hello = Request("initialize", "{\"processId\":null,\"rootUri\":null,\"capabilities\":{}}")

  /// Adds a meal whose name contains the request's number.
  package static let addMeal = Request(
    "meals/add",
    """
    {"day":"\(day)","name":"Oat bowl {{i}}","calories":350,"mealType":"breakfast","protein":"12.50","carbs":"40.25",\
    "fat":"7.5"}
    """)

  /// A data folder with a number of meals on one day, created by the service.
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

  /// Throws unless a condition holds, which ends the run.
  package static func expect(_ condition: Bool, _ complaint: String) throws(BenchError) {
    if !condition { throw .wrong(complaint) }
  }
}
