import DaybookProtocol

extension HabitSuggestions {
  static let health: [HabitSuggestion] = [
    row(
      "health.water", "💧", .blue, "Drink water", 2000, "ml", from: "water",
      doc: "Thirst comes late; a count helps earlier."),
    row(
      "health.weigh", "⚖️", .gray, "Step on the scales", from: "weighed",
      doc: "A trend needs many mornings, none of which matters alone."),
    row(
      "health.eating", "🎯", .green, "Eat within the target", from: "withinEatingTarget",
      doc: "A day within it is worth more than a perfect meal."),
    row(
      "health.protein", "🥚", .orange, "Eat enough protein", 100, "g", from: "protein",
      doc: "It preserves muscle and keeps you full."),
    row(
      "health.meals", "🍽️", .brown, "Log every meal", 3, "meal", from: "meals",
      doc: "Writing meals down makes eating deliberate."),
    row(
      "health.walk", "🚶", .mint, "Walk", 30, "minute",
      doc: "Half an hour on foot is exercise that needs no practice."),
    row(
      "health.run", "🏃", .red, "Run", 1, nil, .perWeek(3),
      doc: "Three runs a week are enough to get further each month."),
    row(
      "health.strength", "🏋️", .indigo, "Train strength", 1, nil, .perWeek(2),
      doc: "Twice a week preserves strength as you age."),
    row("health.stretch", "🤸", .teal, "Stretch", 10, "minute", doc: "Ten minutes loosen what a chair has tightened."),
    row(
      "health.vegetables", "🥦", .green, "Eat vegetables", 3, "portion",
      doc: "Three portions leave less room for other food."),
    row("health.fruit", "🍎", .pink, "Eat fruit", 2, "piece", doc: "Something sweet that needs no second thought."),
    row(
      "health.sweets", "🍬", .purple, "Leave sweets", 1, "piece", isBad: true, doc: "None at all is easier than a few."
    ),
    row(
      "health.smoking", "🚭", .gray, "Do not smoke", 1, "cigarette", isBad: true,
      doc: "Each day without one is a success of its own."),
    row(
      "health.alcohol", "🍷", .red, "Drink less alcohol", 2, "drink", isBad: true,
      doc: "One glass is a taste; the second is a habit."),
    row("health.teeth", "🦷", .cyan, "Floss", doc: "Two minutes now, or an hour in the chair later."),
    row("health.stairs", "🪜", .yellow, "Take the stairs", 5, "floor", doc: "Exercise along the way."),
  ]

  static let wellness: [HabitSuggestion] = [
    row(
      "wellness.meditate", "🧘", .purple, "Meditate", 10, "minute",
      doc: "Sitting still is a skill that grows with practice."),
    row("wellness.bedtime", "🛏️", .indigo, "Go to bed on time", doc: "A good day begins the evening before."),
    row("wellness.sleep", "😴", .blue, "Sleep", 7, "hour", doc: "Little else makes as much of a difference to a day."),
    row(
      "wellness.breathe", "🌬️", .cyan, "Breathe slowly", 5, "minute", doc: "Long breaths out calm before thoughts can."),
    row(
      "wellness.gratitude", "🙏", .yellow, "Write down good things", 3, "thing",
      doc: "You notice more of what you look for."),
    row(
      "wellness.outside", "🌳", .green, "Be outside in daylight", 20, "minute",
      doc: "Daylight helps you sleep at night."),
    row(
      "wellness.yoga", "🕉️", .teal, "Practise yoga", 1, nil, .perWeek(2), doc: "Strength, balance and rest in one hour."),
    row("wellness.screens", "📵", .gray, "No screen in bed", doc: "A dark room is for sleeping."),
    row(
      "wellness.caffeine", "☕", .brown, "Little coffee", 4, "cup", isBad: true,
      doc: "Coffee at noon can keep you awake at night."),
    row(
      "wellness.scrolling", "📱", .red, "Less scrolling", 30, "minute", isBad: true,
      doc: "The feed is endless; the evening is not."),
    row("wellness.mood", "🌤️", .orange, "Note the mood", doc: "A line a day shows what a week feels like."),
    row(
      "wellness.bath", "🛁", .pink, "Take a long bath", 1, nil, .perWeek(1), doc: "An hour with nothing to do."
    ),
    row("wellness.dayoff", "🏖️", .mint, "A day without work", 1, nil, .sundays, doc: "Planned rest actually happens."),
  ]

  static let productivity: [HabitSuggestion] = [
    row(
      "productivity.plan", "🗒️", .blue, "Plan the day",
      doc: "Pick three things that matter before anything else comes up."),
    row(
      "productivity.first", "🐸", .green, "Hardest task first", 1, nil, .workdays,
      doc: "What is done by ten cannot hang over the afternoon."),
    row(
      "productivity.focus", "⏳", .indigo, "Work without interruption", 90, "minute", .workdays,
      doc: "Deep work takes time to start."),
    row("productivity.inbox", "📥", .cyan, "Empty the inbox", 1, nil, .workdays, doc: "Decide on each message once."),
    row("productivity.tidy", "🧹", .yellow, "Tidy up", 10, "minute", doc: "Ten minutes a day save the Saturday."),
    row("productivity.bed", "🛌", .teal, "Make the bed", doc: "The first thing done, before the first coffee."),
    row("productivity.early", "⏰", .orange, "Get up with the alarm", doc: "Snoozing gives poor sleep."),
    row(
      "productivity.review", "🔎", .purple, "Look back on the week", 1, nil, .perWeek(1),
      doc: "What worked, what did not, what is next."),
    row(
      "productivity.budget", "💶", .mint, "Go through the expenses", 1, nil, .perMonth(1),
      doc: "Expenses that you review are easier to control."),
    row(
      "productivity.charges", "💳", .red, "Day without a charge", 1, "charge", isBad: true, from: "charges",
      doc: "Subscriptions are cheap one at a time."),
    row(
      "productivity.backup", "💾", .gray, "Make a backup", 1, nil, .every(14),
      doc: "You cannot choose the day you need it."),
    row(
      "productivity.prepare", "🎒", .brown, "Prepare tomorrow",
      doc: "Clothes and bag in the evening, peace in the morning."),
    row(
      "productivity.multitasking", "🔕", .pink, "Few interruptions", 10, "interruption", .workdays, isBad: true,
      doc: "Each costs more time than it takes."),
  ]

  static let social: [HabitSuggestion] = [
    row("social.call", "📞", .green, "Call a friend", 1, nil, .perWeek(1), doc: "A voice says what messages leave out."),
    row(
      "social.family", "👪", .orange, "Time with the family", 30, "minute",
      doc: "Undivided attention, not just the same room."),
    row("social.meal", "🍲", .red, "Eat together", 1, nil, .perWeek(3), doc: "Shared meals bring people together."),
    row("social.message", "💬", .blue, "Write to somebody", 1, "message", doc: "Being thought of is a gift."),
    row(
      "social.compliment", "🌷", .pink, "Say something kind", 1, "compliment", doc: "It costs a breath and lasts a day."),
    row(
      "social.listen", "👂", .teal, "Listen without advice", doc: "Most people want to be heard before they want help."),
    row("social.meet", "☀️", .yellow, "Meet people", 1, nil, .perWeek(2), doc: "Friendships need time together."),
    row(
      "social.volunteer", "🤝", .mint, "Volunteer", 1, nil, .perMonth(2),
      doc: "Helping others gets you out of your own head."),
    row(
      "social.date", "💞", .purple, "Evening for two", 1, nil, .every(14),
      doc: "What is in the calendar happens."),
    row(
      "social.group", "🎲", .indigo, "Go to the club", 1, nil, .perWeek(1),
      doc: "Common ground needs a place and a time."),
  ]

  static let learning: [HabitSuggestion] = [
    row("learning.read", "📖", .pink, "Read", 20, "page", doc: "Twenty pages a day are twenty books a year."),
    row("learning.words", "🔤", .indigo, "Learn words", 10, "word", doc: "Languages are learned in small portions."),
    row(
      "learning.language", "🗣️", .orange, "Speak the language", 15, "minute", .perWeek(3),
      doc: "Speaking is learned by speaking."),
    row(
      "learning.course", "🎓", .blue, "Go on with the course", 1, "lesson", .perWeek(3),
      doc: "Courses are finished by coming back."),
    row(
      "learning.podcast", "🎧", .purple, "Hear something instructive", 1, "episode", .perWeek(2),
      doc: "A commute can teach you something."),
    row("learning.code", "💻", .green, "Write code", 30, "minute", .workdays, doc: "Reading about it is not doing it."),
    row(
      "learning.flashcards", "🗂️", .yellow, "Go through the flashcards",
      doc: "The best time to review is just before forgetting."),
    row(
      "learning.article", "📰", .gray, "Read a long article", 1, "article", .perWeek(4),
      doc: "Depth instead of headlines."),
    row(
      "learning.notes", "📝", .teal, "Sum up what was learnt", 1, nil, .perWeek(2),
      doc: "Your own words show what you understood."),
    row("learning.chess", "♟️", .brown, "Solve a puzzle", 3, "puzzle", doc: "Patterns settle one by one."),
    row("learning.map", "🗺️", .cyan, "Look something up", 1, "question", doc: "Answers lead to new questions."),
    row(
      "learning.lecture", "🏛️", .mint, "Visit a talk or museum", 1, nil, .perMonth(1),
      doc: "Places are more memorable than pages."),
  ]

  static let creativity: [HabitSuggestion] = [
    row(
      "creativity.journal", "📔", .cyan, "Write a journal", 1, "entry", doc: "A page empties the head and keeps the day."
    ),
    row("creativity.draw", "✏️", .orange, "Draw", 15, "minute", doc: "Drawing is looking closely."),
    row(
      "creativity.write", "🖋️", .indigo, "Write", 300, "word", doc: "A draft a year comes from less than a page a day."),
    row(
      "creativity.instrument", "🎹", .purple, "Practise the instrument", 20, "minute",
      doc: "Short and daily beats long and rare."),
    row("creativity.photo", "📷", .gray, "Take a photo", 1, "photo", doc: "One on purpose, not a hundred in passing."),
    row("creativity.cook", "🍳", .red, "Cook something new", 1, nil, .perWeek(1), doc: "A recipe is a small journey."),
    row("creativity.ideas", "💡", .yellow, "Write down ideas", 5, "idea", doc: "Good ones are found among many."),
    row(
      "creativity.craft", "🧶", .pink, "Work with the hands", 1, nil, .perWeek(2),
      doc: "It leaves something that you can touch."),
    row("creativity.sing", "🎤", .green, "Sing", 10, "minute", doc: "Nobody has to listen."),
    row("creativity.paint", "🖼️", .blue, "Paint", 1, nil, .perWeek(1), doc: "Colour needs no plan."),
    row(
      "creativity.garden", "🌱", .mint, "Look after the plants", 1, nil, .every(3), doc: "They show what care achieves."),
  ]

  /// Examples for a first look at the app.
  static let examples: [HabitSuggestion] = [
    row("example.hydration", "💧", .blue, "Hydration", 3, "bottle", doc: "Drink three bottles of water."),
    row("example.smoking", "🚬", .orange, "Smoking", 3, "cigarette", isBad: true, doc: "Stay below three cigarettes."),
    row("example.meditation", "🧘", .green, "Meditation", 3, "session", doc: "Sit down three times."),
    row("example.reading", "📖", .pink, "Reading", 4, "page", doc: "Read four pages."),
    row("example.stretching", "🤸", .teal, "Stretching", 10, "session", doc: "Get up and stretch ten times."),
    row("example.chores", "🧺", .red, "Chores", 6, "task", doc: "Get six small things done."),
    row("example.vocabulary", "🔤", .indigo, "Vocabulary", 5, "word", doc: "Learn five words."),
    row("example.stretchingMinutes", "🙆", .brown, "Stretching", 10, "minute", doc: "Stretch for ten minutes."),
    row("example.journaling", "📔", .cyan, "Journaling", 1, "entry", doc: "Write one entry."),
  ]
}
