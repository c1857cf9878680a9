import CivilTime
import DaybookProtocol
import DaybookServer
import FileStore
import JSON
import Platform
import Premium
import Values

extension Arguments {
  /// The option somebody meant.
  static func nearest(to name: String) -> String? { Spelling.nearest(to: name, among: optionNames) }

  private static let optionNames = [
    "--framing", "--data", "--no-handshake", "--clock", "--seed", "--log-level", "--stdio", "--clientProcessId",
    "--store-of-record", "--products", "--force-onboarding", "--help", "--version", "--repair", "--json", "--overwrite",
    "--merge", "--replace", "--preview", "--note", "--http-carrier", "--force",
  ]

  /// Refuses a folder of other files, named by mistake: what is kept would lie among them.
  private func refuseForeign(_ folder: String) throws(UsageError) {
    guard !isForced, !Files.exists(folder + "/store.json"), let names = Files.names(in: folder), !OwnNames.allow(names)
    else { return }
    throw UsageError(
      message: "\(folder) has files that are not daybook's: name a folder of its own, as in --data \(folder)/daybook, "
        + "or add --force to keep data among them")
  }

  /// The products in a file. One that cannot be read ends the start: without it nobody could be entitled.
  private static func catalogue(_ path: String) throws(UsageError) -> ProductCatalogue {
    guard let text = Files.contents(of: path, limit: 1 << 20) else {
      throw UsageError(message: "--products cannot be read: \(path)")
    }
    do throws(PremiumError) { return try ProductCatalogue(file: text) } catch {
      throw UsageError(message: "--products \(path): \(error)")
    }
  }

  /// What the service is to be started with.
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
    guard httpCarrier != "" else { throw UsageError(message: "--http-carrier needs a program") }
    options.httpCarrier = httpCarrier
    if let products { options.catalogue = try Arguments.catalogue(products) }
    if clock != nil || seed != nil { try TestFolder.claim(folder) }
    if let clock {
      options.now = { clock }
      options.usesSystemClock = false
    }
    // Another run on the same folder must not make the same ids again.
    if let seed {
      options.newID = SeededIDs(seed: seed &+ SeededIDs.salt(of: folder)).next
      options.newIDsAreUnique = false
    }
    return options
  }
}

/// A data folder made for tests: `--clock` and `--seed` refuse any other, for with them a user's own data would come to
/// have wrong times and repeated ids.
enum TestFolder {
  private static let marker = "made-for-tests"

  /// Takes a folder that is missing, empty, or was taken before.
  static func claim(_ folder: String) throws(UsageError) {
    switch Files.look(at: folder) {
    case .notEmpty where Files.exists(folder + "/" + marker): return
    case .missing, .empty:
      guard Files.make(folder: folder, marker: marker) else {
        throw UsageError(message: "--clock and --seed need a folder of their own, and \(folder) cannot be made")
      }
    case .notAFolder: return  // The store says what is wrong with it.
    case .notEmpty:
      throw UsageError(
        message: "--clock and --seed are for tests: they refuse \(folder), a folder that was not made with them")
    }
  }
}
