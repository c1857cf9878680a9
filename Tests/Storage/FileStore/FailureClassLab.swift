import CrashLabKit
import FileStoreTesting
import Testing

/// What the failure class tests need from the crash lab.
struct FailureClassLab {
  let driver = FileStoreDriver()

  /// The data folder.
  var folder: String { driver.folder }

  /// A put of one record.
  func put(_ record: Int, _ padding: Int = 0, day: Int32? = 20_000) -> LabAction {
    .commit([LabChange(key: LabKey(collection: 0, record: record), day: day, padding: padding)])
  }

  func history(_ actions: [LabAction], journal limit: Int = 16 << 20) -> LabHistory {
    LabHistory(settings: LabSettings(journalSizeLimit: limit), steps: actions.map { LabStep(0, $0) })
  }

  func faults(_ text: String, _ change: (inout LabFaults) -> Void) -> LabAction {
    var faults = LabFaults(text)
    change(&faults)
    return .faults(faults)
  }

  /// Plays a history and cuts the power before each of its changes.
  func sweep(
    _ history: LabHistory, _ driver: any StoreDriver = FileStoreDriver(), draws: Int = 2, _ comment: Comment? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    for profile in CrashProfile.allCases {
      var trial = LabCase(.faults, profile, seed: 1)
      trial.draws = draws
      let outcome = trial.run(driver, history)
      #expect(outcome.violation == nil, comment, sourceLocation: location)
      #expect(outcome.points > 0, comment, sourceLocation: location)
    }
  }

  /// Plays a history; returns its disk, and the store's content.
  func play(_ history: LabHistory) throws -> (SimulatedDisk, LabModel) {
    let world = LabWorld(driver, history, profile: .ordered)
    try world.play()
    return (world.disk, world.model)
  }

  /// A disk with a closed store of some transactions.
  func prepare(_ count: Int, journal limit: Int = 16 << 20) throws -> (SimulatedDisk, LabModel) {
    try play(history((0..<count).map { put($0) } + [.close], journal: limit))
  }

  /// The same with two older manifests, segments of three generations and a journal after them.
  func prepareSegments() throws -> (SimulatedDisk, LabModel) {
    let checkpoint = LabAction.perform(.checkpoint)
    return try play(
      history([
        put(0), put(1, day: nil), checkpoint, put(2), put(3, day: 20_040), checkpoint, put(0, 5), checkpoint, put(4),
        .close,
      ]))
  }

  /// One complete recovery with nothing lost; then work continues.
  func recover(
    _ disk: SimulatedDisk, _ model: LabModel, profile: CrashProfile? = nil, folds: Bool = true,
    _ comment: Comment? = nil, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: Never.self, comment, sourceLocation: location) {
      var model = model
      var check = RecoveryCheck(driver, profile: profile)
      model.settle(try check(disk, model))
      var script = history([.open, put(50)] + (folds ? [.perform(.checkpoint)] : []) + [.close])
      script.settings.seed = 99
      let world = LabWorld(driver, script, profile: profile ?? .ordered, disk: disk)
      try world.play(startingWith: model)
      _ = try check(world.disk, world.model)
    }
  }

  func open(_ disk: SimulatedDisk, as process: Int32 = 9) -> LabOpening {
    driver.open(disk.process(process), LabSettings(seed: UInt64(UInt32(bitPattern: process)) &* 77))
  }

  func opened(_ disk: SimulatedDisk, as process: Int32 = 9) throws -> any LabStore {
    guard case .opened(let store) = open(disk, as: process) else { throw Violation("I4", "opening fails") }
    return store
  }

  /// A new transaction.
  func begin(_ model: inout LabModel, _ record: Int) -> LabTransaction {
    model.begin([LabChange(key: LabKey(collection: 0, record: record), day: 20_000, padding: 1)])
  }
}
