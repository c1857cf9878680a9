import DaybookProtocol
import Testing

@testable import Training

@Suite("Editing plans")
struct PlanEditTests {
  private let now = Instant(milliseconds: 1000)
  private func id(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }

  private func exercise(_ number: Int, superset: Int? = nil) -> PlannedExercise {
    PlannedExercise(
      id: id(number), traits: TrainingTraits(name: "Exercise \(number)", kind: .strength), groups: [],
      supersetId: superset.map(id), updatedAt: Instant(milliseconds: 10))
  }

  private func edited(_ drafts: [Int], of old: [PlannedExercise]) throws -> [PlannedExercise] {
    let edit = PlanEdit(now: now, newID: { EntityID(high: 2, low: 1) }, library: { _ in nil })
    return try edit.exercises(drafts.map { ExerciseDraft(id: id($0)) }, keeping: old)
  }

  @Test("A superset of one exercise is dissolved")
  func orphans() {
    #expect(Supersets.cleaned([id(1), id(2), id(1), nil]) == [id(1), nil, id(1), nil])
    #expect(Supersets.cleaned([id(1), id(2)]) == [nil, nil])
  }

  @Test("A superset takes members of another, which is dissolved when one is left")
  func moved() {
    let exercises = [exercise(1, superset: 8), exercise(2, superset: 8), exercise(3)]
    let joined = exercises.with(exercises.supersets(joining: [id(2), id(3)], as: id(9)))
    #expect(joined.map(\.supersetId) == [nil, id(9), id(9)])
    let again = joined.with(joined.supersets(joining: [id(3), id(2)], as: id(9)))
    #expect(again == joined)
    #expect(joined.superset(of: [id(2), id(3)]) == id(9))
    #expect(joined.superset(of: [id(1), id(2)]) == nil)
    #expect(joined.supersets(parting: [id(2)]) == [nil, nil, nil])
  }

  @Test("Members need not be adjacent: they are done at the place of the first")
  func rounds() {
    let exercises = [exercise(1, superset: 9), exercise(2), exercise(3, superset: 9)]
    #expect(exercises.rounds.map { $0.exercises.map(\.id) } == [[id(1), id(3)], [id(2)]])
  }

  @Test("Removing one of two removes the other from its superset")
  func removed() throws {
    let exercises = try edited([1], of: [exercise(1, superset: 9), exercise(2, superset: 9)])
    #expect(exercises.map(\.id) == [id(1)])
    #expect(exercises.first?.supersetId == nil)
  }

  @Test("Repeated parts without ids keep the old ids: first of equal parts, then by index")
  func identities() throws {
    let old = [
      ModuleReference(id: id(1), moduleId: id(11)), ModuleReference(id: id(2), moduleId: id(12)),
      ModuleReference(id: id(3), moduleId: id(13)),
    ]
    var made = 100
    let modules = [13, 14, 11, 12, 15].map { ModuleReference(moduleId: id($0)) }
    let identified = try modules.identified(keeping: old) {
      made += 1
      return id(made)
    }
    #expect(identified.map(\.id) == [id(3), id(101), id(1), id(2), id(102)])
    #expect(throws: Refusal.self) {
      try [ModuleReference(id: id(1), moduleId: id(11)), ModuleReference(id: id(1), moduleId: id(12))]
        .identified(keeping: []) { id(1) }
    }
  }

  @Test("Equal content has equal text despite other ids, instants and zeros; other content has another text")
  func content() throws {
    func module(_ shift: Int, weight: String = "60") throws -> Module {
      let target = try SetValues(weight: Decimal(weight), reps: 5).normalized()
      let group = SetGroup(id: id(shift + 50), sets: 3, target: target)
      var exercises = (1...4).map { exercise($0 + shift, superset: $0 > 2 ? shift + 60 : shift + 70) }
      exercises[0].groups = [group]
      return Module(
        id: id(shift), name: "M", kind: .strength,
        exercises: exercises.map {
          var plain = $0
          plain.traits.name = "Same"
          return plain
        }, createdAt: Instant(milliseconds: Int64(shift)), updatedAt: now)
    }
    let text = PlanContent.text(of: try module(100))
    #expect(text == PlanContent.text(of: try module(200, weight: "60.00")))
    #expect(text != PlanContent.text(of: try module(200, weight: "60.01")))
    var parted = try module(100)
    parted.exercises[3].supersetId = nil
    #expect(text != PlanContent.text(of: parted))
    let copy = try module(100).copy(named: nil, at: now) { EntityID(high: 3, low: $0.low) }
    #expect(text == PlanContent.text(of: copy))
    #expect(Set(copy.exercises.map(\.id)).isDisjoint(with: try module(100).exercises.map(\.id)))
  }

  @Test("A stored plan that violates the rules is reported")
  func stored() throws {
    func module(_ exercises: [PlannedExercise]) -> Module {
      Module(id: id(1), name: "M", kind: .strength, exercises: exercises, createdAt: now, updatedAt: now)
    }
    var heavy = exercise(1)
    heavy.groups = [SetGroup(id: id(5), sets: 1, target: SetValues(weight: Decimal(10), kg: Decimal(11)))]
    var nameless = exercise(1)
    nameless.groups = [SetGroup(sets: 1)]
    #expect(module([exercise(1)]).refusal == nil)
    #expect(module([exercise(1), exercise(1)]).refusal?.pointer == "/exercises/1/id")
    #expect(module([exercise(1), exercise(2, superset: 9)]).refusal?.pointer == "/exercises/1/supersetId")
    #expect(module([heavy]).refusal?.pointer == "/exercises/0/groups/0/target/kg")
    #expect(module([nameless]).refusal?.pointer == "/exercises/0/groups/0/id")
  }
}
