import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("Bundles of plans")
struct PlanBundleTests {
  private static let now = Instant(milliseconds: 5000)

  private static func id(_ number: Int) -> EntityID {
    EntityID(high: 0x1111_1111_1111_4111, low: 0x8111_0000_0000_0000 + UInt64(number))
  }

  private static let benchPress = BuiltInExercises.all[0]

  /// A folder with a program, which has a workout and a module, each with a custom exercise.
  private struct Folder: BundleSource {
    typealias Failure = Never

    var program = Program(
      id: id(1), name: "Plan", weeks: 4,
      slots: [
        ProgramSlot(id: id(2), kind: .weekly, weekday: .monday, workoutId: id(10)),
        ProgramSlot(id: id(3), kind: .weekly, weekday: .friday, moduleId: id(20)),
        ProgramSlot(id: id(4), kind: .weekly, weekday: .sunday),
        ProgramSlot(id: id(5), kind: .weekly, weekday: .sunday, workoutId: id(99)),
      ],
      progression: ProgramProgression(
        policy: .adaptive,
        exercises: [ExerciseProgression(exerciseId: id(31)), ExerciseProgression(exerciseId: id(98))]),
      startDay: CivilDay(daysSinceEpoch: 1), active: true, createdAt: now, updatedAt: now)
    var workout = Workout(
      id: id(10), name: "Day",
      modules: [ModuleReference(id: id(11), moduleId: id(20)), ModuleReference(id: id(12), moduleId: id(97))],
      exercises: [exercise(30, of: id(50), equipment: id(60))], createdAt: now, updatedAt: now)
    var module = Module(
      id: id(20), name: "Block", kind: .strength,
      exercises: [
        exercise(31, of: id(51), superset: true), exercise(32, of: benchPress.id, superset: true),
        exercise(33, of: id(96)),
      ],
      createdAt: now, updatedAt: now)
    var exercises = [custom(50, "Carry"), custom(51, "Hop", equipment: id(61))]
    var equipment = [
      Equipment(id: id(60), name: "Sled", createdAt: now, updatedAt: now),
      Equipment(id: id(61), name: "Rope", createdAt: now, updatedAt: now),
      Equipment(id: id(62), name: "Unused", createdAt: now, updatedAt: now),
    ]

    func bundle(_ start: PlanBundle) -> PlanBundle {
      var bundle = start
      bundle.complete(from: self)
      return bundle
    }

    func module(_ id: EntityID) -> Module? { id == module.id ? module : nil }
    func workout(_ id: EntityID) -> Workout? { id == workout.id ? workout : nil }
    func customExercise(_ id: EntityID) -> CustomExercise? { exercises.first { $0.id == id } }
    func equipment(_ id: EntityID) -> Equipment? { equipment.first { $0.id == id } }
    func isBuiltIn(_ id: EntityID) -> Bool {
      BuiltInExercises.all.contains { $0.id == id } || EquipmentCatalogue.has(id)
    }
  }

  private static func exercise(_ number: Int, of library: EntityID, equipment: EntityID? = nil, superset: Bool = false)
    -> PlannedExercise
  {
    PlannedExercise(
      id: id(number), exerciseId: library,
      traits: TrainingTraits(name: "E\(number)", kind: .strength, equipmentIds: equipment.map { [$0] }),
      groups: [SetGroup(id: id(100 + number), sets: 3, target: SetValues(extra: ["\(id(60))|Grip": "close"]))],
      supersetId: superset ? id(70) : nil, updatedAt: now)
  }

  private static func custom(_ number: Int, _ name: String, equipment: EntityID? = nil) -> CustomExercise {
    CustomExercise(
      id: id(number), traits: TrainingTraits(name: name, kind: .strength, equipmentIds: equipment.map { [$0] }),
      groups: [SetGroup(id: id(200 + number), sets: 2)], createdAt: now, updatedAt: now)
  }

  private static func plan(
    _ bundle: PlanBundle, exercises: [CustomExercise] = [], equipment: [Equipment] = [],
    conflict: BundleConflict? = nil,
    stored: Set<EntityID> = [], mask: UInt64 = 0xFF00, _ change: (inout BundleDestination) -> Void = { _ in }
  ) throws -> BundlePlan {
    var destination = BundleDestination(
      exercises: TrainingLibrary(customs: exercises).exercises, customExercises: exercises,
      equipment: equipment + EquipmentCatalogue.all(.defaults(.metric), at: now))
    change(&destination)
    return try BundlePlan(
      bundle, into: destination, onConflict: conflict, at: now, isStored: { stored.contains($1) },
      derived: { EntityID(high: $0.high ^ mask, low: $0.low) })
  }

  /// All ids in a bundle, including references.
  private static func named(_ bundle: PlanBundle) -> Set<String> {
    let text = String(decoding: bundle.json.json, as: UTF8.self)
    return Set(text.split { !"0123456789abcdef-".contains($0) }.map(String.init).filter { $0.utf8.count == 36 })
  }

  @Test("A bundle has everything it references, including a workout's own exercises, and nothing missing")
  func whole() throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.program))
    #expect(
      bundle.workouts.map(\.id) == [PlanBundleTests.id(10)] && bundle.modules.map(\.id) == [PlanBundleTests.id(20)])
    #expect(bundle.customExercises.map(\.traits.name) == ["Carry", "Hop"])
    #expect(bundle.equipment.map(\.name) == ["Sled", "Rope"])
    #expect(bundle.program?.slots.compactMap(\.id) == [2, 3, 4].map(PlanBundleTests.id))
    #expect(bundle.program?.progression?.exercises?.map(\.exerciseId) == [PlanBundleTests.id(31)])
    #expect(bundle.program?.active == nil && bundle.program?.startDay == nil)
    #expect(bundle.workouts[0].modules.map(\.moduleId) == [PlanBundleTests.id(20)])
    #expect(
      bundle.modules[0].exercises.map(\.exerciseId) == [PlanBundleTests.id(51), PlanBundleTests.benchPress.id, nil])
    #expect(try PlanBundle(bundle.json) == bundle)
  }

  @Test("An import replaces all ids: of groups, supersets, slots, progressions and measures")
  func identities() throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.program))
    let plan = try PlanBundleTests.plan(bundle)
    let (old, new) = (PlanBundleTests.named(bundle), PlanBundleTests.named(plan.added))
    #expect(old.intersection(new) == ["\(PlanBundleTests.benchPress.id)"])
    #expect(old.count == new.count)
    #expect(plan.added.program?.slots[0].workoutId == plan.added.workouts.first?.id)
    #expect(plan.added.program?.progression?.exercises?[0].exerciseId == plan.added.modules.first?.exercises[0].id)
    #expect(Set(plan.items.map(\.outcome)) == [.new])
    #expect(
      plan.items.map(\.collection) == [
        "equipment", "equipment", "customExercises", "customExercises", "modules", "workouts", "programs",
      ])
  }

  @Test("Present items are used")
  func present() throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.program))
    let first = try PlanBundleTests.plan(bundle).added
    let plan = try PlanBundleTests.plan(
      bundle, exercises: first.customExercises, equipment: first.equipment,
      stored: Set(first.modules.map(\.id) + first.workouts.map(\.id) + [first.program].compactMap { $0?.id }))
    #expect(Set(plan.items.map(\.outcome)) == [.present])
    #expect(PlanBundleTests.named(plan.added).isEmpty)
    // Custom exercises with the same ids.
    let own = try PlanBundleTests.plan(bundle, exercises: folder.exercises, equipment: folder.equipment)
    #expect(own.added.customExercises.isEmpty && own.added.equipment.isEmpty)
    #expect(own.added.modules[0].exercises[0].exerciseId == PlanBundleTests.id(51))
  }

  @Test(
    "Items with the same content from another bundle or the user are used, and references lead to their parts")
  func twins() throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.program))
    // As another folder has it, with other ids.
    let first = try PlanBundleTests.plan(bundle).added
    let other = try PlanBundle(first.json)
    func plan(_ change: (inout BundleDestination) -> Void = { _ in }) throws -> BundlePlan {
      try PlanBundleTests.plan(
        other, exercises: bundle.customExercises, equipment: bundle.equipment, conflict: .copy, mask: 0xFF_0000
      ) { destination in
        (destination.modules, destination.workouts) = (bundle.modules, bundle.workouts)
        change(&destination)
      }
    }
    let known = try plan()
    #expect(known.items.map(\.outcome) == [.present, .present, .present, .present, .present, .present, .new])
    #expect(known.added.modules.isEmpty && known.added.workouts.isEmpty && known.added.equipment.isEmpty)
    let program = try #require(known.added.program)
    #expect(program.slots.map(\.workoutId) == bundle.program?.slots.map(\.workoutId))
    #expect(program.progression?.exercises?.map(\.exerciseId) == [PlanBundleTests.id(31)])
    let whole = try plan { $0.programs = [folder.bundle(PlanBundle(folder.program)).program].compactMap { $0 } }
    #expect(whole.items.last?.outcome == .present && whole.items.last?.newId == PlanBundleTests.id(1))
    // Of two equal modules only one takes the present one, preferably the one with its id.
    let plain = Folder().bundle(PlanBundle(folder.program)).modules[0]
    var (one, two) = (plain, plain)
    (one.id, two.id) = (PlanBundleTests.id(901), PlanBundleTests.id(902))
    one.exercises = []
    two.exercises = []
    var workout = folder.workout
    workout.exercises = []
    workout.modules = [one, two].map { ModuleReference(id: $0.id, moduleId: $0.id) }
    var pair = PlanBundle(workout)
    pair.modules = [one, two]
    let ones = try PlanBundleTests.plan(pair) { $0.modules = [one] }
    #expect(ones.items.map(\.outcome) == [.present, .new, .new] && ones.items[0].newId == one.id)
    let twos = try PlanBundleTests.plan(pair) { $0.modules = [one, two] }
    #expect(twos.items.map(\.outcome) == [.present, .present, .new])
    #expect(twos.items.prefix(2).map(\.newId) == [one.id, two.id])
    // Another number of sets is other content.
    let edited = try plan { $0.modules[0].exercises[2].groups[0].sets = 5 }
    #expect(edited.items.map(\.outcome).suffix(3) == [.new, .new, .new])
  }

  @Test(
    "An item whose name is taken is replaced by the present one, or copied",
    arguments: [nil, .useExisting, .copy] as [BundleConflict?])
  func names(conflict: BundleConflict?) throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.module))
    let plan = try PlanBundleTests.plan(
      bundle, exercises: [PlanBundleTests.custom(80, "HOP"), PlanBundleTests.custom(81, "hop (2)")],
      equipment: [
        Equipment(
          id: PlanBundleTests.id(82), name: "rope", createdAt: PlanBundleTests.now, updatedAt: PlanBundleTests.now)
      ],
      conflict: conflict)
    #expect(plan.items.map(\.outcome) == [.nameTaken, .nameTaken, .new])
    let used = plan.added.module?.exercises[0].exerciseId
    if conflict == .copy {
      #expect(plan.added.customExercises.map(\.traits.name) == ["Hop (3)"])
      #expect(used == plan.added.customExercises[0].id)
      #expect(plan.added.customExercises[0].traits.equipmentIds == [plan.added.equipment[0].id])
    } else {
      #expect(plan.added.customExercises.isEmpty && used == PlanBundleTests.id(80))
    }
  }

  @Test("Importing a bundle again adds nothing, even after the items used instead of its own have changed")
  func editedTwins() throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.program))
    var (module, exercises) = (bundle.modules[0], bundle.customExercises)
    module.id = PlanBundleTests.id(920)
    func plan(_ programs: [Program]) throws -> BundlePlan {
      try PlanBundleTests.plan(
        bundle, exercises: exercises, equipment: bundle.equipment, conflict: .copy, stored: Set(programs.map(\.id))
      ) { destination in (destination.modules, destination.workouts, destination.programs) = ([module], [], programs) }
    }
    let first = try plan([]).added
    let program = try #require(first.program)
    #expect(first.modules.isEmpty && first.workouts[0].modules.map(\.moduleId) == [module.id])
    // The workout is deleted, and the items it references are edited.
    module.exercises[0].groups[0].sets = 9
    exercises[1].id = PlanBundleTests.id(951)
    exercises[1].traits.name = "Skip"
    var slots = program
    slots.slots.removeAll { $0.workoutId != nil }
    let again = try plan([slots])
    #expect(PlanBundleTests.named(again.added).isEmpty && again.addedIDs.isEmpty)
    #expect(Set(again.items.map(\.outcome)) == [.present] && again.items.last?.newId == program.id)
    #expect(again.items.filter { $0.newId == nil }.map(\.name) == ["Hop", "Block", "Day"])
    // The program still references the workout: it is added again, with its references.
    let back = try plan([program])
    #expect(back.added.workouts.map(\.id) == first.workouts.map(\.id) && back.added.modules.count == 1)
    #expect(back.added.customExercises.map(\.traits.name) == ["Hop"])
  }

  @Test("Decimals with the same value are the same content, but free texts are not")
  func decimals() throws {
    let folder = Folder()
    var bundle = folder.bundle(PlanBundle(folder.module))
    bundle.module?.exercises[0].groups[0].target?.weight = Decimal("60.0")
    bundle.equipment[0].weight = Decimal("8.50")
    var (module, piece) = (try #require(bundle.module), bundle.equipment[0])
    module.exercises[0].groups[0].target?.weight = Decimal(60)
    (piece.id, piece.weight) = (PlanBundleTests.id(902), Decimal("8.5"))
    func outcomes(note: String?, sameNote: String?) throws -> [BundleOutcome] {
      bundle.module?.note = note
      module.note = sameNote
      return try PlanBundleTests.plan(bundle, exercises: bundle.customExercises, equipment: [piece]) {
        $0.modules = [module]
      }.items.map(\.outcome)
    }
    #expect(try outcomes(note: nil, sameNote: nil) == [.present, .present, .present])
    #expect(try outcomes(note: "60.0", sameNote: "60") == [.present, .present, .new])
  }

  @Test("Two pieces of equipment that become one are listed once")
  func sameNames() throws {
    let folder = Folder()
    var bundle = folder.bundle(PlanBundle(folder.module))
    bundle.equipment.append(
      Equipment(
        id: PlanBundleTests.id(63), name: "ROPE", createdAt: PlanBundleTests.now, updatedAt: PlanBundleTests.now))
    let both = bundle.equipment.map(\.id)
    bundle.module?.exercises[0].traits.equipmentIds = both
    bundle.module?.exercises[0].groups[0].target?.extra = ["\(both[0])|Grip": "close", "\(both[1])|Grip": "wide"]
    let exercise = try #require(try PlanBundleTests.plan(bundle).added.module?.exercises[0])
    #expect(exercise.traits.equipmentIds?.count == 1 && exercise.groups[0].target?.extra?.count == 1)
  }

  @Test("A copy whose numbered name is too long is refused with its pointer")
  func longNames() throws {
    let folder = Folder()
    var bundle = folder.bundle(PlanBundle(folder.module))
    let name = String(repeating: "n", count: 200)
    bundle.customExercises[0].traits.name = name
    let refusal = #expect(throws: Refusal.self) {
      try PlanBundleTests.plan(bundle, exercises: [PlanBundleTests.custom(80, name)], conflict: .copy)
    }
    #expect(refusal?.pointer == "/customExercises/0/traits/name")
  }

  @Test("A missing referenced item is refused with the pointer of the reference")
  func lacks() throws {
    let folder = Folder()
    let bundle = folder.bundle(PlanBundle(folder.program))
    for (change, pointer) in [
      ({ $0.workouts = [] }, "/program/slots/0/workoutId"), ({ $0.modules = [] }, "/workouts/0/modules/0/moduleId"),
      ({ $0.customExercises.removeFirst() }, "/workouts/0/exercises/0/exerciseId"),
      ({ $0.equipment.removeLast() }, "/customExercises/1/traits/equipmentIds/0"),
    ] as [((inout PlanBundle) -> Void, String)] {
      var lacking = bundle
      change(&lacking)
      let refusal = #expect(throws: Refusal.self) { try PlanBundleTests.plan(lacking) }
      #expect(refusal?.pointer == pointer)
    }
  }
}
