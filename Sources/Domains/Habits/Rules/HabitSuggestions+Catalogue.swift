import DaybookProtocol

extension HabitSuggestions {
  static let health: [Row] = [
    Row(
      "health.water", "💧", .blue, "Drink water", 2000, "ml", from: .water, doc: "Thirst comes late; a count does not."),
    Row(
      "health.weigh", "⚖️", .gray, "Step on the scales", from: .weighed,
      doc: "A trend needs many mornings, none of which matters alone."),
    Row(
      "health.eating", "🎯", .green, "Eat within the target", from: .withinEatingTarget,
      doc: "A day within it is worth more than a perfect meal."),
    Row(
      "health.protein", "🥚", .orange, "Eat enough protein", 100, "g", from: .protein,
      doc: "It keeps muscles and the feeling of having eaten."),
    Row(
      "health.meals", "🍽️", .brown, "Log every meal", 3, "meal", from: .meals,
      doc: "What is written down is eaten with open eyes."),
    Row(
      "health.walk", "🚶", .mint, "Walk", 30, "minute",
      doc: "Half an hour on foot is the exercise that nobody has to learn."),
    Row(
      "health.run", "🏃", .red, "Run", 1, nil, .perWeek(3),
      doc: "Three runs a week are enough to get further each month."),
    Row(
      "health.strength", "🏋️", .indigo, "Train strength", 1, nil, .perWeek(2),
      doc: "Twice a week keeps what age would take."),
    Row("health.stretch", "🤸", .teal, "Stretch", 10, "minute", doc: "Ten minutes loosen what a chair has tightened."),
    Row(
      "health.vegetables", "🥦", .green, "Eat vegetables", 3, "portion",
      doc: "Three portions crowd out what would be eaten instead."),
    Row("health.fruit", "🍎", .pink, "Eat fruit", 2, "piece", doc: "Something sweet that needs no second thought."),
    Row(
      "health.sweets", "🍬", .purple, "Leave sweets", 1, "piece", isBad: true, doc: "None is easier to keep to than few."
    ),
    Row(
      "health.smoking", "🚭", .gray, "Do not smoke", 1, "cigarette", isBad: true,
      doc: "Every day without one counts again from its morning."),
    Row(
      "health.alcohol", "🍷", .red, "Drink less alcohol", 2, "drink", isBad: true,
      doc: "One glass is a taste; the second is a habit."),
    Row("health.teeth", "🦷", .cyan, "Floss", doc: "Two minutes now, or an hour in the chair later."),
    Row("health.stairs", "🪜", .yellow, "Take the stairs", 5, "floor", doc: "Exercise that lies on the way."),
  ]

  static let wellness: [Row] = [
    Row(
      "wellness.meditate", "🧘", .purple, "Meditate", 10, "minute",
      doc: "To sit still and notice is a skill, and grows like one."),
    Row("wellness.bedtime", "🛏️", .indigo, "Go to bed on time", doc: "The next day begins the evening before."),
    Row("wellness.sleep", "😴", .blue, "Sleep", 7, "hour", doc: "Little else makes as much of a difference to a day."),
    Row(
      "wellness.breathe", "🌬️", .cyan, "Breathe slowly", 5, "minute", doc: "Long breaths out calm before thoughts can."),
    Row(
      "wellness.gratitude", "🙏", .yellow, "Write down good things", 3, "thing",
      doc: "What is looked for is found more often."),
    Row(
      "wellness.outside", "🌳", .green, "Be outside in daylight", 20, "minute",
      doc: "Light by day brings sleep by night."),
    Row(
      "wellness.yoga", "🕉️", .teal, "Practise yoga", 1, nil, .perWeek(2), doc: "Strength, balance and rest in one hour."),
    Row("wellness.screens", "📵", .gray, "No screen in bed", doc: "A dark room is for sleeping."),
    Row(
      "wellness.caffeine", "☕", .brown, "Little coffee", 4, "cup", isBad: true,
      doc: "What wakes at noon keeps awake at night."),
    Row(
      "wellness.scrolling", "📱", .red, "Less scrolling", 30, "minute", isBad: true,
      doc: "The feed has no end; the evening has."),
    Row("wellness.mood", "🌤️", .orange, "Note the mood", doc: "A line a day shows what a week feels like."),
    Row(
      "wellness.bath", "🛁", .pink, "Take a long bath", 1, nil, .perWeek(1), doc: "An hour in which nothing can be done."
    ),
    Row("wellness.dayoff", "🏖️", .mint, "A day without work", 1, nil, .sundays, doc: "Rest that is planned is taken."),
  ]

  static let productivity: [Row] = [
    Row("productivity.plan", "🗒️", .blue, "Plan the day", doc: "Three things that matter, before the others arrive."),
    Row(
      "productivity.first", "🐸", .green, "Hardest task first", 1, nil, .workdays,
      doc: "What is done by ten cannot hang over the afternoon."),
    Row(
      "productivity.focus", "⏳", .indigo, "Work without interruption", 90, "minute", .workdays,
      doc: "Depth needs a run-up."),
    Row("productivity.inbox", "📥", .cyan, "Empty the inbox", 1, nil, .workdays, doc: "Decide on each message once."),
    Row("productivity.tidy", "🧹", .yellow, "Tidy up", 10, "minute", doc: "Ten minutes a day save the Saturday."),
    Row("productivity.bed", "🛌", .teal, "Make the bed", doc: "The first thing done, before the first coffee."),
    Row("productivity.early", "⏰", .orange, "Get up with the alarm", doc: "The snooze button sells bad sleep."),
    Row(
      "productivity.review", "🔎", .purple, "Look back on the week", 1, nil, .perWeek(1),
      doc: "What worked, what did not, what is next."),
    Row(
      "productivity.budget", "💶", .mint, "Go through the expenses", 1, nil, .perMonth(1),
      doc: "Money that is looked at behaves better."),
    Row(
      "productivity.charges", "💳", .red, "Day without a charge", 1, "charge", isBad: true, from: .charges,
      doc: "Subscriptions are cheap one at a time."),
    Row(
      "productivity.backup", "💾", .gray, "Make a backup", 1, nil, .every(14),
      doc: "It is needed on a day that nobody chooses."),
    Row(
      "productivity.prepare", "🎒", .brown, "Prepare tomorrow",
      doc: "Clothes and bag in the evening, peace in the morning."),
    Row(
      "productivity.multitasking", "🔕", .pink, "Few interruptions", 10, "interruption", .workdays, isBad: true,
      doc: "Each costs more than it lasts."),
  ]

  static let social: [Row] = [
    Row("social.call", "📞", .green, "Call a friend", 1, nil, .perWeek(1), doc: "A voice says what messages leave out."),
    Row(
      "social.family", "👪", .orange, "Time with the family", 30, "minute",
      doc: "Undivided, or it is only the same room."),
    Row("social.meal", "🍲", .red, "Eat together", 1, nil, .perWeek(3), doc: "Tables keep people together."),
    Row("social.message", "💬", .blue, "Write to somebody", 1, "message", doc: "To be thought of is a present."),
    Row(
      "social.compliment", "🌷", .pink, "Say something kind", 1, "compliment", doc: "It costs a breath and lasts a day."),
    Row(
      "social.listen", "👂", .teal, "Listen without advice", doc: "Most want to be heard before they want to be helped."),
    Row("social.meet", "☀️", .yellow, "Meet people", 1, nil, .perWeek(2), doc: "Friends are those whom one sees."),
    Row(
      "social.volunteer", "🤝", .mint, "Volunteer", 1, nil, .perMonth(2),
      doc: "Helping is the shortest way out of one's own head."),
    Row(
      "social.date", "💞", .purple, "Evening for two", 1, nil, .every(14),
      doc: "What is put in the calendar takes place."),
    Row(
      "social.group", "🎲", .indigo, "Go to the club", 1, nil, .perWeek(1),
      doc: "Common ground needs a place and a time."),
  ]

  static let learning: [Row] = [
    Row("learning.read", "📖", .pink, "Read", 20, "page", doc: "Twenty pages a day are twenty books a year."),
    Row("learning.words", "🔤", .indigo, "Learn words", 10, "word", doc: "A language is made of small portions."),
    Row(
      "learning.language", "🗣️", .orange, "Speak the language", 15, "minute", .perWeek(3),
      doc: "It is learnt by the mouth, not by the eye."),
    Row(
      "learning.course", "🎓", .blue, "Go on with the course", 1, "lesson", .perWeek(3),
      doc: "Courses are finished by those who come back."),
    Row(
      "learning.podcast", "🎧", .purple, "Hear something instructive", 1, "episode", .perWeek(2),
      doc: "A way to work becomes a way to know."),
    Row("learning.code", "💻", .green, "Write code", 30, "minute", .workdays, doc: "Reading about it is not doing it."),
    Row(
      "learning.flashcards", "🗂️", .yellow, "Go through the flashcards",
      doc: "Just before it is forgotten is the best time."),
    Row(
      "learning.article", "📰", .gray, "Read a long article", 1, "article", .perWeek(4),
      doc: "Depth instead of headlines."),
    Row(
      "learning.notes", "📝", .teal, "Sum up what was learnt", 1, nil, .perWeek(2),
      doc: "Own words show what was understood."),
    Row("learning.chess", "♟️", .brown, "Solve a puzzle", 3, "puzzle", doc: "Patterns settle one by one."),
    Row("learning.map", "🗺️", .cyan, "Look something up", 1, "question", doc: "Questions that are followed multiply."),
    Row(
      "learning.lecture", "🏛️", .mint, "Visit a talk or museum", 1, nil, .perMonth(1),
      doc: "Places remember better than pages."),
  ]

  static let creativity: [Row] = [
    Row(
      "creativity.journal", "📔", .cyan, "Write a journal", 1, "entry", doc: "A page empties the head and keeps the day."
    ),
    Row("creativity.draw", "✏️", .orange, "Draw", 15, "minute", doc: "To draw is to look for longer."),
    Row(
      "creativity.write", "🖋️", .indigo, "Write", 300, "word", doc: "A draft a year comes from less than a page a day."),
    Row(
      "creativity.instrument", "🎹", .purple, "Practise the instrument", 20, "minute",
      doc: "Short and daily beats long and rare."),
    Row("creativity.photo", "📷", .gray, "Take a photo", 1, "photo", doc: "One on purpose, not a hundred by the way."),
    Row("creativity.cook", "🍳", .red, "Cook something new", 1, nil, .perWeek(1), doc: "A recipe is a small journey."),
    Row("creativity.ideas", "💡", .yellow, "Write down ideas", 5, "idea", doc: "Good ones are found among many."),
    Row(
      "creativity.craft", "🧶", .pink, "Work with the hands", 1, nil, .perWeek(2),
      doc: "Something stays that can be touched."),
    Row("creativity.sing", "🎤", .green, "Sing", 10, "minute", doc: "Nobody has to listen."),
    Row("creativity.paint", "🖼️", .blue, "Paint", 1, nil, .perWeek(1), doc: "Colour needs no plan."),
    Row(
      "creativity.garden", "🌱", .mint, "Look after the plants", 1, nil, .every(3), doc: "They show what care comes to."),
  ]

  /// Examples for a first look at the app.
  static let examples: [Row] = [
    Row("example.hydration", "💧", .blue, "Hydration", 3, "bottle", doc: "Drink three bottles of water."),
    Row("example.smoking", "🚬", .orange, "Smoking", 3, "cigarette", isBad: true, doc: "Stay below three cigarettes."),
    Row("example.meditation", "🧘", .green, "Meditation", 3, "session", doc: "Sit down three times."),
    Row("example.reading", "📖", .pink, "Reading", 4, "page", doc: "Read four pages."),
    Row("example.stretching", "🤸", .teal, "Stretching", 10, "session", doc: "Get up and stretch ten times."),
    Row("example.chores", "🧺", .red, "Chores", 6, "task", doc: "Get six small things done."),
    Row("example.vocabulary", "🔤", .indigo, "Vocabulary", 5, "word", doc: "Learn five words."),
    Row("example.stretchingMinutes", "🙆", .brown, "Stretching", 10, "minute", doc: "Stretch for ten minutes."),
    Row("example.journaling", "📔", .cyan, "Journaling", 1, "entry", doc: "Write one entry."),
  ]
}
