import FileStoreTesting
import JSON
import Pacing
import ProcessTesting
import ServerTesting
import Testing

/// Lines with their readings, over foods, habits, a subscription, a weight and, at the end, a running workout.
@Suite("Readings of entries", .simulated)
struct EntryVectorTests {
  /// A line, its kind if it is asked for, and the readings: `kind params` each, with `?need` for one that lacks
  /// something; or the error.
  private typealias Vector = (line: String, kind: String?, expected: String)

  private static let meals: [Vector] = [
    ("porridge 350", nil, "meal name=porridge calories=350"),
    ("lentil soup 420 kcal", nil, "meal name=lentil soup calories=420"),
    ("stew 1760kJ", nil, "meal name=stew calories=421"),
    ("stew 350 12p 40c 9f", nil, "meal name=stew calories=350 protein=12 carbs=40 fat=9"),
    ("12 g protein stew 350", nil, "meal name=stew calories=350 protein=12"),
    ("lunch stew 350 8am", nil, "meal name=stew calories=350 mealType=lunch time=08:00"),
    ("stew Dinner 350", nil, "meal name=stew calories=350 mealType=dinner"),
    ("dinner roll", nil, "meal name=Dinner roll calories=120"),
    ("dinner roll 90", nil, "meal name=Dinner roll calories=90"),
    ("lunch dinner roll 90", nil, "meal name=Dinner roll calories=90 mealType=lunch"),
    ("breakfast 600", nil, "meal name=breakfast calories=600"),
    ("lunch dinner 600", nil, "entryUnreadable"), ("kcal 300", nil, "entryUnreadable"),
    ("\"kcal\" 300", nil, "meal name=kcal calories=300"),
    // Logged before: soup without an amount, milk by volume, eggs by count, bread by slices.
    ("SOUP", nil, "meal name=Soup calories=300 protein=10"),
    ("soup 1.5x", nil, "meal name=Soup calories=450 protein=15"),
    ("soup 2x 12p", nil, "meal name=Soup calories=600 protein=12"),
    ("3 soup", nil, "meal name=Soup calories=900 protein=30 amount=3"),
    ("soup 500g", nil, "meal name=Soup amount=500 unit=g ?calories"),
    ("milk 250ml", nil, "meal name=Milk calories=160 amount=250 unit=ml"),
    ("milk 0.25 l", nil, "meal name=Milk calories=160 amount=0.25 unit=l"),
    ("milk 2 cups", nil, "meal name=Milk calories=303 amount=2 unit=cup"),
    ("milk 100g", nil, "meal name=Milk amount=100 unit=g ?calories"),
    ("2 milk", nil, "meal name=Milk amount=2 ?calories"),
    ("milk", nil, "meal name=Milk calories=128 amount=200 unit=ml"),
    ("milk 0.5x", nil, "meal name=Milk calories=64 amount=100 unit=ml"),
    ("12 eggs", nil, "meal name=Eggs calories=960 amount=12"),
    ("2 eggs 180", nil, "meal name=Eggs calories=180 amount=2"),
    ("2 egg", nil, "meal name=egg amount=2 ?calories"),
    ("3 slices bread", nil, "meal name=Bread calories=270 amount=3 unit=slice"),
    ("3 pieces bread", nil, "meal name=Bread amount=3 unit=piece ?calories"),
    ("350 goulash", nil, "meal name=goulash amount=350 ?calories"),
    ("goulash", nil, "meal name=goulash ?calories"), ("goulash 2x", nil, "meal name=goulash ?calories"),
    ("lunch 350 goulash", nil, "meal name=goulash mealType=lunch amount=350 ?calories"),
    ("pizza 4 formaggi 900", nil, "meal name=Pizza 4 formaggi calories=900"),
    ("pizza 5 formaggi 900", nil, "entryUnreadable"), ("7up 140", nil, "meal name=7up calories=140"),
    ("porridge 350 400", nil, "entryUnreadable"), ("porridge 350 kcal 2", nil, "entryUnreadable"),
    ("porridge 350 2x", nil, "entryUnreadable"), ("porridge 350 8 reps", nil, "entryUnreadable"),
    ("porridge 350 30min", nil, "entryUnreadable"), ("porridge 350 with milk", nil, "entryUnreadable"),
    ("porridge 4", nil, "entryUnreadable"), ("porridge 4 kcal", nil, "meal name=porridge calories=4"),
    ("porridge 350.5", nil, "entryUnreadable"), ("porridge 1.234", nil, "ambiguousNumber"),
    ("porridge 1,234 kcal", nil, "ambiguousNumber"), ("350", nil, "entryUnreadable"), ("-5", nil, "entryUnreadable"),
    ("5e3", nil, "meal name=5e3 ?calories"), ("９９", nil, "meal name=９９ ?calories"),
    ("🍲 400", nil, "meal name=🍲 calories=400"), ("שווארמה 700", nil, "meal name=שווארמה calories=700"),
    ("sunday roast 850", nil, "meal name=sunday roast calories=850"),
    ("25:99 soup", nil, "entryUnreadable"), ("soup 2026-02-30", nil, "entryUnreadable"),
    ("porridge 6000", nil, "entryUnreadable"), ("meal porridge 6000", nil, "meal name=porridge calories=6000"),
    ("porridge 6000", "meal", "meal name=porridge calories=6000"),
    ("tomorrow porridge 350", nil, "entryUnreadable"),
    ("meal tomorrow porridge 350", nil, "meal name=porridge calories=350 day=2026-01-06"),
    ("soup yesterday", nil, "meal name=Soup calories=300 protein=10 day=2026-01-04"),
    ("water 300", "meal", "meal name=water calories=300"), ("porridge 350", "potion", "invalidParams"),
  ]

  private static let body: [Vector] = [
    ("82.4kg", nil, "weight value=82.4 unit=kg"), ("181.5 lb", nil, "weight value=181.5 unit=lb"),
    ("12st 13.5lb", nil, "weight value=12 unit=st pounds=13.5"), ("weight 82,4", nil, "weight value=82.4 unit=kg"),
    ("82.4 weight", nil, "weight value=82.4 unit=kg"), ("82.415kg", nil, "weight value=82.415 unit=kg"),
    ("1.234kg", nil, "ambiguousNumber"), ("8kg", nil, "entryUnreadable"), ("weight", nil, "weight ?value"),
    ("99kg", nil, "entryUnreadable"), ("weight 99", nil, "weight value=99 unit=kg"),
    ("82.4kg yesterday 7am", nil, "weight value=82.4 unit=kg at=07:00 day=2026-01-04"),
    ("500ml", nil, "water value=500 unit=ml"), ("0.5 l", nil, "water value=0.5 unit=l"),
    ("2 dl", nil, "water value=200 unit=ml"), ("300 ml water", nil, "water value=300 unit=ml"),
    ("water 2 cups", nil, "water value=2 unit=cup"), ("water 250", nil, "water value=250 unit=ml"),
    ("water 5", nil, "water ?value"), ("8 oz", nil, "entryUnreadable"), ("water 8 oz", nil, "water value=8 unit=floz"),
    ("juice 300 ml", nil, "meal name=juice amount=300 unit=ml ?calories"),
    ("run 300 exercise", nil, "exercise name=run calories=300"),
    ("exercise run 300 30min", nil, "exercise name=run calories=300 minutes=30"),
    ("run 30min exercise", nil, "exercise name=run minutes=30 ?calories"), ("run 30min", nil, "entryUnreadable"),
    ("exercise 300", nil, "entryUnreadable"), ("run 6000 exercise", nil, "entryUnreadable"),
  ]

  private static let others: [Vector] = [
    ("read", nil, "habit habitLogs/complete Read"), ("READ 20", nil, "habit habitLogs/increment Read by=20"),
    ("read 20 pages", nil, "habit habitLogs/increment Read by=20"),
    ("read 20 page", nil, "habit habitLogs/increment Read by=20"),
    ("read 20 miles", nil, "entryUnreadable"), ("read skip", nil, "habit habitLogs/skip Read"),
    ("rea", nil, "habit habitLogs/complete Read"), ("re", nil, "meal name=re ?calories"),
    ("med", nil, "meal name=med ?calories"), ("medit", nil, "habit habitLogs/complete Meditate"),
    ("read @07:15", nil, "habit habitLogs/complete Read at=07:15"),
    ("media", nil, "habit habitLogs/increment Media by=1"), ("meditate 300", nil, "entryUnreadable"),
    ("meal meditate 300", nil, "meal name=meditate calories=300"), ("read 1.234", nil, "ambiguousNumber"),
    ("water", nil, "water ?value"), ("habit water 300", nil, "habit habitLogs/increment Water by=300"),
    ("water 300", "habit", "habit habitLogs/increment Water by=300"), ("habit nothing", nil, "entryUnreadable"),
    ("4 square", nil, "habit habitLogs/complete 4 square"),
    ("read yesterday", nil, "habit habitLogs/complete Read day=2026-01-04"),
    ("paid films", nil, "charge charges/pay occurrence=2025-12-03"),
    ("skip Films", nil, "charge charges/skip occurrence=2025-12-03"),
    ("charge films", nil, "charge charges/pay occurrence=2025-12-03"),
    ("paid films 2025-12-01", nil, "entryUnreadable"), ("paid nothing", nil, "entryUnreadable"),
    ("paid porridge 300", nil, "entryUnreadable"), ("films 300", nil, "entryUnreadable"),
    ("meal films 300", nil, "meal name=films calories=300"),
    ("60x8", nil, "set values={\"weight\":\"60\",\"weightUnit\":\"kg\",\"reps\":8} ?workout"),
    ("60x8 soup", nil, "entryUnreadable"),
    ("60 x8", nil, "meal name=x8 amount=60 ?calories"),
  ]

  @Test("Each line has the readings of its vector")
  func vectors() async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard let service = InProcessService(folder: data) else { return ["no pipes"] }
      EntryVectorTests.prepare(service)
      var mismatches: [String] = []
      for vector in Self.meals + Self.body + Self.others { Self.check(vector, service, [:], &mismatches) }
      let numbers = Self.startWorkout(service)
      for vector in Self.sets { Self.check(vector, service, numbers, &mismatches) }
      service.close()
      return mismatches
    }
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }

  private static let sets: [Vector] = [
    ("60x8", nil, "set setId=1 values={\"weight\":\"60\",\"weightUnit\":\"kg\",\"reps\":8}"),
    ("130lb x 8", nil, "set setId=1 values={\"weight\":\"130\",\"weightUnit\":\"lb\",\"reps\":8}"),
    ("8 reps", nil, "set setId=1 values={\"reps\":8}"),
    ("pre 60x8", nil, "set setId=1 values={\"weight\":\"60\",\"weightUnit\":\"kg\",\"reps\":8}"),
    ("squ 60x8", nil, "set setId=2 values={\"weight\":\"60\",\"weightUnit\":\"kg\",\"reps\":8}"),
    ("b 60x8", nil, "set values={\"weight\":\"60\",\"weightUnit\":\"kg\",\"reps\":8} ?exercise"),
    ("60x8 yesterday", nil, "entryUnreadable"), ("60.125x8", nil, "ambiguousNumber"),
  ]

  private static func check(
    _ vector: Vector, _ service: InProcessService, _ numbers: [String: String], _ mismatches: inout [String]
  ) {
    let line = vector.line.replacing("\"", with: "\\\"")
    let kind = vector.kind.map { ",\"kind\":\"\($0)\"" } ?? ""
    let answer = service.call("entries/parse", "{\"text\":\"\(line)\"\(kind)}")
    let readings = (answer["result"]?["readings"]?.array ?? []).map { describe($0, numbers) }
    let found = answer["error"]?["data"]?["name"]?.string ?? readings.joined(separator: " / ")
    if found != vector.expected { mismatches.append("“\(vector.line)”: \(found), not \(vector.expected)") }
  }

  /// A reading as in a vector: without the day if that is today, with names instead of ids.
  private static func describe(_ reading: JSONValue, _ numbers: [String: String]) -> String {
    let kind = reading["kind"]?.string ?? ""
    var words = [kind]
    if kind == "habit" || kind == "charge" { words.append(reading["method"]?.string ?? "") }
    guard case .object(let params)? = reading["params"] else { return "no params" }
    for (name, value) in params.members where !(name == "day" && value.string == today) && name != "subscriptionId" {
      let text = value.string ?? String(decoding: value.json, as: UTF8.self)
      switch name {
      case "habitId": words.append(habits.first { $0.id == text }?.name ?? text)
      case "setId": words.append("setId=\(numbers[text] ?? text)")
      default: words.append("\(name)=\(text)")
      }
    }
    if let needs = reading["needs"]?.string { words.append("?\(needs)") }
    return words.joined(separator: " ")
  }

  // MARK: what is logged before

  private static let today = "2026-01-05"
  private static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }
  private static let habits: [(id: String, name: String)] = [
    (id(1), name: "Read"), (id(2), "Meditate"), (id(3), "Media"), (id(4), "Water"), (id(5), "4 square"),
  ]

  private static func prepare(_ service: InProcessService) {
    let extras = [
      #""measure":"numeric","unit":"page","target":"20""#, #""kind":"good""#, #""kind":"bad","target":"1""#,
      #""measure":"numeric","unit":"ml","target":"2000""#, #""kind":"good""#,
    ]
    for (habit, extra) in zip(habits, extras) {
      _ = service.call(
        "habits/add", #"{"id":"\#(habit.id)","name":"\#(habit.name)","startDay":"2026-01-01",\#(extra)}"#)
    }
    for meal in [
      #""name":"Soup","calories":300,"protein":"10""#, #""name":"Milk","calories":128,"amount":"200","unit":"ml""#,
      #""name":"Eggs","calories":160,"amount":"2""#, #""name":"Bread","calories":180,"amount":"2","unit":"slices""#,
      #""name":"Dinner roll","calories":120"#, #""name":"Pizza 4 formaggi","calories":800"#,
    ] {
      _ = service.call("meals/add", #"{"day":"2026-01-02",\#(meal)}"#)
    }
    _ = service.call("weights/add", #"{"day":"2026-01-02","value":"82"}"#)
    _ = service.call(
      "subscriptions/add",
      #"{"name":"Films","amount":"9.99","currency":"EUR","anchor":"2025-12-03","start":"2025-12-03","cycle":{"kind":"recurring","every":1,"unit":"month"}}"#
    )
  }

  /// Starts a workout of a bench press and a squat; returns numbers for the ids of their first sets.
  private static func startWorkout(_ service: InProcessService) -> [String: String] {
    _ = service.call("workoutSession/start", "{}")
    var numbers: [String: String] = [:]
    for (number, name) in ["Bench Press", "Back Squat"].enumerated() {
      let added = service.call(
        "workoutSession/addExercise", #"{"traits":{"name":"\#(name)","kind":"strength"},"groups":[{"sets":2}]}"#)
      let sets = added["result"]?["exercise"]?["groups"]?.array.first?["sets"]?.array ?? []
      if let id = sets.first?["id"]?.string { numbers[id] = "\(number + 1)" }
    }
    return numbers
  }
}
