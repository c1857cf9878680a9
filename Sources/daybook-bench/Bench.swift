import Foundation

/// What all measures share: the programs, and data folders with meals in them.
final class Bench {
  let options: Options
  let floor: Floor
  private let scratch: URL
  /// Folders made so far, by how many meals they have.
  private var folders: [Int: String] = [:]
  private var freshFolders = 0

  /// The day that all meals are on.
  static let day = "2026-11-20"

  init(_ options: Options) throws(BenchError) {
    self.options = options
    guard FileManager.default.isExecutableFile(atPath: options.daybook) else {
      throw .usage("\(options.daybook) is no program; “swift build -c release --product daybook” makes it")
    }
    scratch = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-bench-\(getpid())")
    do { try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true) } catch {
      throw .usage("\(scratch.path) cannot be made: \(error.localizedDescription)")
    }
    floor = try Floor(options.floor, scratch)
  }

  /// Removes everything that was written on the way.
  func removeScratch() { try? FileManager.default.removeItem(at: scratch) }

  /// The path of a data folder that does not exist yet.
  func freshFolder() -> String {
    freshFolders += 1
    return scratch.appendingPathComponent("fresh-\(freshFolders)").path
  }

  /// A service on a data folder, initialized.
  func service(_ folder: String) throws(BenchError) -> Spawned {
    let server = try Spawned("daybook", [options.daybook, "serve", "--data", folder])
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
  static let addMeal = Request(
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
  static func expect(_ condition: Bool, _ complaint: String) throws(BenchError) {
    if !condition { throw .wrong(complaint) }
  }
}
