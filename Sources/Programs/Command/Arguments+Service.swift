import DaybookProtocol
import DaybookServer
import FileStore
import Platform
import Premium

extension Arguments {
  /// Refuses a folder with other files, which was probably named by mistake.
  private func refuseForeign(_ folder: String) throws(UsageError) {
    guard !isForced, !Files.exists(folder + "/store.json"), let names = Files.names(in: folder), !OwnNames.allow(names)
    else { return }
    throw UsageError(
      message: "\(folder) contains files of other programs: use a folder of its own, such as --data \(folder)/daybook, "
        + "or add --force to store data among them")
  }

  /// The products in a file. An unreadable file ends the start: without products nobody could be entitled.
  private static func catalogue(_ path: String) throws(UsageError) -> ProductCatalogue {
    guard let text = Files.contents(of: path, limit: 1 << 20) else {
      throw UsageError(message: "--products: \(path) cannot be read")
    }
    do throws(PremiumError) { return try ProductCatalogue(file: text) } catch {
      throw UsageError(message: "--products \(path): \(error)")
    }
  }

  /// The options for the service.
  func serviceOptions() throws(UsageError) -> ServiceOptions {
    guard let folder = dataFolder ?? Processes.defaultDataFolder() else {
      throw UsageError(message: "no data folder: neither --data nor DAYBOOK_HOME nor HOME is set")
    }
    guard !folder.isEmpty else { throw UsageError(message: "--data needs a folder") }
    try refuseForeign(folder)
    var options = ServiceOptions(dataFolder: folder)
    options.framing = framing
    options.skipsHandshake = skipsHandshake
    if let logLevel { options.logLevel = logLevel }
    guard storeOfRecord != "" else { throw UsageError(message: "--store-of-record needs a file") }
    options.storeOfRecord = storeOfRecord
    options.forcesOnboarding = forcesOnboarding
    options.avoidsDigests = avoidsDigests
    guard httpCarrier != "" else { throw UsageError(message: "--http-carrier needs a program") }
    options.httpCarrier = httpCarrier
    if let products { options.catalogue = try Arguments.catalogue(products) }
    if clock != nil || seed != nil { try TestFolder.claim(folder) }
    if let clock {
      options.now = { clock }
      options.usesSystemClock = false
    }
    // A second run on the same folder must not repeat the ids.
    if let seed {
      options.newID = SeededIDs(seed: seed &+ SeededIDs.salt(of: folder)).next
      options.newIDsAreUnique = false
    }
    return options
  }
}

/// A data folder created for tests; `--clock` and `--seed` refuse others, because they would give a user's data wrong
/// times and repeated ids.
enum TestFolder {
  private static let marker = "made-for-tests"

  /// Marks a missing or empty folder as made for tests; accepts one that is marked.
  static func claim(_ folder: String) throws(UsageError) {
    switch Files.look(at: folder) {
    case .notEmpty where Files.exists(folder + "/" + marker): return
    case .missing, .empty:
      guard Files.make(folder: folder, marker: marker) else {
        throw UsageError(message: "--clock and --seed need a folder of their own, and \(folder) cannot be created")
      }
    case .notAFolder: return  // The store reports the error.
    case .notEmpty:
      throw UsageError(
        message: "--clock and --seed are for tests: they refuse \(folder), a folder that was not made with them")
    }
  }
}
