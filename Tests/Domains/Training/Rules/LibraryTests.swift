import DaybookProtocol
import Testing

@testable import Training

@Suite("The exercise library")
struct LibraryTests {
  let library = TrainingLibrary()

  @Test("All 55 exercises have distinct ids, by category")
  func identities() {
    let counts = [6, 8, 7, 5, 5, 12, 7, 5]
    #expect(BuiltInExercises.all.count == counts.reduce(0, +))
    #expect(Set(BuiltInExercises.all.map(\.id)).count == BuiltInExercises.all.count)
    for (category, count) in zip(TrainingCategory.known, counts) {
      #expect(BuiltInExercises.all.filter { $0.traits.category == category }.count == count)
    }
  }

  @Test(
    "Ids never change",
    arguments: [
      ("Bench Press", "0000000c-0001-0001-0001-000000000001"), ("Dips (Chest)", "0000000c-0001-0001-0001-000000000006"),
      ("Deadlift", "0000000c-0002-0001-0001-000000000001"), ("Shrugs", "0000000c-0003-0001-0001-000000000007"),
      ("Incline Dumbbell Curl", "0000000c-0004-0001-0001-000000000005"),
      ("Overhead Tricep Extension", "0000000c-0005-0001-0001-000000000005"),
      ("Hip Thrust", "0000000c-0006-0001-0001-000000000010"),
      ("Sumo Deadlift", "0000000c-0006-0001-0001-000000000012"), ("Dead Bug", "0000000c-0007-0001-0001-000000000007"),
      ("Stair Climber", "0000000c-0008-0001-0001-000000000005"),
    ])
  func identity(name: String, id: String) {
    #expect(EntityID(id).flatMap { library.exercise($0) }?.traits.name == name)
  }

  @Test(
    "Each exercise is complete, and is the first match for its name and each alias", arguments: BuiltInExercises.all)
  func whole(exercise: LibraryExercise) {
    #expect(exercise.traits.refusal == nil)
    #expect(exercise.traits.muscles?.isEmpty == false)
    #expect(Set(exercise.traits.muscles ?? []).isDisjoint(with: exercise.traits.secondaryMuscles ?? []))
    for name in [exercise.traits.name] + exercise.aliases {
      #expect(library.exercise(named: name.uppercased())?.id == exercise.id, "\(name)")
      let found = LibrarySearch(library).find(name) { _ in true }
      #expect(found.first?.id == exercise.id, "\(name)")
    }
  }

  @Test("Eleven exercises move the body weight")
  func bodyweight() {
    let names = BuiltInExercises.all.filter { $0.traits.bodyweight == true }.map(\.traits.name)
    #expect(
      names == [
        "Push-Up", "Dips (Chest)", "Pull-Up", "Chin-Up", "Tricep Dip", "Plank", "Crunch", "Hanging Leg Raise",
        "Russian Twist", "Ab Wheel Rollout", "Dead Bug",
      ])
  }

  @Test(
    "Words match in any order, by prefix, and with typing errors in longer ones",
    arguments: [
      ("press bench", "Bench Press"), ("benhc", "Bench Press"), ("bnech pres", "Bench Press"),
      ("rear delt", "Reverse Fly"), ("ohp", "Overhead Press"), ("óverhead prëss", "Overhead Press"),
      ("romainan", "Romanian Deadlift"), ("bulgarian", "Bulgarian Split Squat"),
      ("skul crusher", "Skull Crusher"), ("pull up", "Pull-Up"), ("pullup", "Pull-Up"), ("tredmill", "Treadmill Run"),
      ("overhed tricep extenson", "Overhead Tricep Extension"), ("goblt", "Goblet Squat"), ("dl", "Deadlift"),
    ])
  func found(query: String, name: String) {
    #expect(LibrarySearch(library).find(query) { _ in true }.first?.traits.name == name)
  }

  @Test("Words with too many errors do not match", arguments: ["bxxch", "rxw", "bench squat", "?!", "rommmniax"])
  func notFound(query: String) {
    #expect(LibrarySearch(library).find(query) { _ in true }.isEmpty)
  }

  @Test(
    "Whole words rank before prefixes, and prefixes before typing errors; favourites come first among equals"
  )
  func order() {
    func custom(_ number: Int, _ name: String) -> CustomExercise {
      CustomExercise(
        id: EntityID(high: 1, low: UInt64(number)), traits: TrainingTraits(name: name, kind: .strength),
        createdAt: .init(milliseconds: 0), updatedAt: .init(milliseconds: 0))
    }
    let customs = ["Zercher", "Zerchers", "Zercherr Hold", "Zerxher", "Zercher Two"].enumerated().map(custom)
    let mark = LibraryMark(
      id: customs[4].id, favourite: true, createdAt: .init(milliseconds: 0), updatedAt: .init(milliseconds: 0))
    let search = LibrarySearch(TrainingLibrary(customs: customs, marks: [mark]))
    let names = search.find("zercher") { _ in true }.map(\.traits.name)
    #expect(names == ["Zercher", "Zercher Two", "Zerchers", "Zercherr Hold", "Zerxher"])
    let marked = LibrarySearch(
      TrainingLibrary(
        customs: customs + [custom(9, "Zercher One")],
        marks: [mark]))
    #expect(
      marked.find("zercher") { _ in true }.map(\.traits.name).prefix(3) == ["Zercher", "Zercher Two", "Zercher One"])
  }

  @Test("A custom exercise wins over a built-in one with the same name or alias")
  func ownFirst() {
    let own = CustomExercise(
      id: EntityID(high: 1, low: 1), traits: TrainingTraits(name: "bench press", kind: .cardio), aliases: ["OHP"],
      createdAt: .init(milliseconds: 0), updatedAt: .init(milliseconds: 0))
    let library = TrainingLibrary(customs: [own])
    #expect(library.exercise(named: "Bench Press")?.id == own.id)
    #expect(library.exercise(named: "ohp")?.id == own.id)
    #expect(library.exercise(named: "Overhead Press")?.builtIn == true)
    #expect(library.exercises.count == 56)
  }

  @Test("A stored muscle set is accepted only if all muscles are known")
  func muscles() {
    let count = MuscleGroup.known.count
    #expect(MuscleSet(stored: 1 << count - 1) == MuscleSet(MuscleGroup.known))
    for number in [-1, 1 << count, 1 << 16] { #expect(MuscleSet(stored: number) == nil) }
  }
}
