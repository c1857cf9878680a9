import DaybookProtocol

/// The built-in exercises. Their ids are stored, so an id must never be reused.
enum BuiltInExercises {
  /// By category. The id is made from the category and the line number within it.
  static let all: [LibraryExercise] = {
    var exercises: [LibraryExercise] = []
    for (number, lines) in categories.enumerated() {
      // In the order of the protocol's categories.
      for (place, line) in lines.split(separator: "\n").enumerated() {
        // Binary-coded decimal, so that the id shows the number.
        let digits = UInt64((place + 1) / 10 * 16 + (place + 1) % 10)
        let id = EntityID(high: 0x0000_000C_0001_0001 + UInt64(number) << 16, low: 0x0001_0000_0000_0000 + digits)
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        exercises.append(exercise(id, TrainingCategory.known[number], cells))
      }
    }
    return exercises
  }()

  private static func exercise(_ id: EntityID, _ category: TrainingCategory, _ cells: [Substring]) -> LibraryExercise {
    func words(_ place: Int) -> [Substring] { cells[place].split(separator: " ") }
    func muscles(_ place: Int) -> [MuscleGroup]? {
      let found = words(place).flatMap { word in MuscleGroup.known.filter { $0.rawValue == word } }
      return found.isEmpty ? nil : found
    }
    let marks = words(4)
    let kind = TrainingKind.known.first { marks.contains(Substring($0.rawValue)) } ?? .strength
    let measures = SetMeasure.known.filter { marks.contains(Substring($0.rawValue)) }
    let equipment = marks.compactMap { Int($0) }.map { EquipmentCatalogue.id($0) }
    let traits = TrainingTraits(
      name: String(cells[0]), kind: kind, category: category, measures: measures.isEmpty ? nil : measures,
      distanceUnit: marks.contains("km") ? .km : nil, bodyweight: marks.contains("body") ? true : nil,
      unilateral: marks.contains("sides") ? true : nil, muscles: muscles(1), secondaryMuscles: muscles(2),
      equipmentIds: equipment.isEmpty ? nil : equipment)
    let aliases = cells[3].split(separator: ";").map(String.init)
    return LibraryExercise(
      id: id, traits: traits, builtIn: true, favourite: false, archived: false, aliases: aliases, groups: [])
  }

  /// A block per category and a line per exercise: name, muscles, secondary muscles, aliases, and marks: equipment
  /// numbers, the kind and measures if not the default, whether it moves the body weight or has sides.
  private static let categories = [
    """
    Bench Press|chest|triceps shoulders|Bench;Flat Bench;Barbell Bench Press;BP|1
    Incline Bench Press|chest|shoulders triceps|Incline Bench;Incline Press|1
    Dumbbell Fly|chest|shoulders|Chest Fly;Flyes;DB Fly|2
    Push-Up|chest|triceps shoulders core|Pushup;Press-Up|8 body
    Cable Crossover|chest|shoulders|Cable Fly|3
    Dips (Chest)|chest|triceps shoulders|Chest Dip;Dips|8 body
    """,
    """
    Deadlift|back|glutes hamstrings forearms|DL;Conventional Deadlift|1
    Barbell Row|back|biceps|Bent Over Row;Pendlay Row;BB Row|1
    Pull-Up|back|biceps forearms|Pullup|8 body
    Chin-Up|back|biceps|Chinup|8 body
    Lat Pulldown|back|biceps|Pulldown|3
    Seated Cable Row|back|biceps|Cable Row;Low Row|3
    Face Pull|back|shoulders||3
    Dumbbell Row|back|biceps|One Arm Row;DB Row|2 sides
    """,
    """
    Overhead Press|shoulders|triceps core|OHP;Military Press;Shoulder Press;Strict Press|1
    Dumbbell Shoulder Press|shoulders|triceps|DB Shoulder Press;Seated Dumbbell Press|2
    Lateral Raise|shoulders||Side Raise;Lat Raise|2
    Front Raise|shoulders|chest||2
    Reverse Fly|shoulders|back|Rear Delt Fly;Rear Delt Raise|2
    Upright Row|shoulders|biceps||1
    Shrugs|back|shoulders forearms|Shrug|2
    """,
    """
    Barbell Curl|biceps|forearms|BB Curl;Bicep Curl|1
    Dumbbell Curl|biceps|forearms|DB Curl|2
    Hammer Curl|biceps|forearms||2
    Preacher Curl|biceps|forearms|Scott Curl|1
    Incline Dumbbell Curl|biceps|forearms|Incline Curl|2
    """,
    """
    Tricep Pushdown|triceps||Triceps Pushdown;Cable Pushdown|3
    Skull Crusher|triceps||Lying Triceps Extension;French Press|1
    Tricep Dip|triceps|chest shoulders|Triceps Dip;Bench Dip|8 body
    Close Grip Bench Press|triceps|chest shoulders|CGBP|1
    Overhead Tricep Extension|triceps||Overhead Triceps Extension|2
    """,
    """
    Back Squat|quads|glutes hamstrings core|Squat;Barbell Squat|1
    Front Squat|quads|glutes core||1
    Romanian Deadlift|hamstrings|glutes back|RDL;Stiff Leg Deadlift|1
    Leg Press|quads|glutes hamstrings||4
    Lunge|quads|glutes hamstrings|Lunges;Walking Lunge|2
    Bulgarian Split Squat|quads|glutes hamstrings|BSS;Split Squat|2 sides
    Leg Curl|hamstrings||Hamstring Curl|4
    Leg Extension|quads||Quad Extension|4
    Calf Raise|calves||Standing Calf Raise|4
    Hip Thrust|glutes|hamstrings|Glute Bridge|1
    Goblet Squat|quads|glutes core||5
    Sumo Deadlift|glutes|back hamstrings quads||1
    """,
    """
    Plank|core|shoulders|Front Plank|8 body isometric
    Crunch|core||Crunches;Sit-Up|8 body
    Hanging Leg Raise|core|forearms|Leg Raise;HLR|8 body
    Russian Twist|core||Twist|8 body
    Cable Woodchop|core|shoulders|Woodchopper|3 sides
    Ab Wheel Rollout|core|shoulders back|Ab Roller;Ab Wheel|8 body
    Dead Bug|core|||8 body
    """,
    """
    Treadmill Run|quads hamstrings|calves glutes|Running;Run;Treadmill|4 cardio km
    Cycling|quads|hamstrings calves|Bike;Biking;Stationary Bike|4 cardio km
    Rowing|back|quads hamstrings biceps|Rower;Erg;Rowing Machine|4 cardio
    Jump Rope|calves|shoulders|Skipping;Skipping Rope|cardio reps seconds
    Stair Climber|quads|glutes calves|Stairmaster;Stairs|4 cardio seconds
    """,
  ]
}

/// The built-in equipment. Its ids are stored, so an id must never be reused.
package enum EquipmentCatalogue {
  private static let names = ["Barbell", "Dumbbell", "Cable", "Machine", "Kettlebell", "Box", "Band", "Bodyweight"]
  /// The smallest increments of their weights, in kilograms and in pounds.
  private static let increments: [(kg: String, lb: String)?] = [
    ("2.5", "5"), ("2", "5"), ("2.5", "5"), ("5", "10"), ("4", "10"), nil, nil, ("1.25", "2.5"),
  ]

  /// The id of a piece by its number, from 1.
  static func id(_ number: Int) -> EntityID {
    EntityID(high: 0x0000_000E_0001_0001, low: 0x0001_0000_0000_0000 + UInt64(number))
  }

  /// The unmodified pieces, in the user's unit and with the user's bar.
  package static func all(_ settings: TrainingSettings, at instant: Instant) -> [Equipment] {
    let isPounds = settings.weightUnit == .lb
    return names.indices.map { index in
      let increment = increments[index].flatMap { Decimal(isPounds ? $0.lb : $0.kg) }
      let measurable: Measurable? =
        switch names[index] {
        case "Box": Measurable(name: "Height", unit: isPounds ? "in" : "cm")
        case "Band": Measurable(name: "Color", text: true)
        default: nil
        }
      return Equipment(
        id: id(index + 1), name: names[index], unit: increment != nil && isPounds ? .lb : nil, increment: increment,
        weight: index == 0 ? settings.bar : nil, measurables: measurable.map { [$0] }, createdAt: instant,
        updatedAt: instant)
    }
  }

  /// Whether a piece is built in.
  package static func has(_ id: EntityID) -> Bool { names.indices.contains { self.id($0 + 1) == id } }
}
