/// A food, with the nutrients of a usual portion.
struct Food {
  let name: String
  /// Energy in kcal.
  let calories: Int
  /// Macronutrients in tenths of a gram.
  let protein: Int
  let carbs: Int
  let fat: Int

  init(_ name: String, _ calories: Int, _ protein: Int, _ carbs: Int, _ fat: Int) {
    self.name = name
    self.calories = calories
    self.protein = protein
    self.carbs = carbs
    self.fat = fat
  }
}

/// Sample foods by occasion.
enum Foods {
  static let breakfast = [
    Food("Porridge with berries", 310, 98, 540, 62), Food("Oat bowl", 350, 125, 520, 90),
    Food("Müsli with milk", 380, 130, 580, 98), Food("Scrambled eggs", 220, 142, 18, 168),
    Food("Boiled egg", 78, 63, 6, 53), Food("Wholegrain toast with butter", 165, 48, 210, 68),
    Food("Bread roll with jam", 210, 52, 430, 18), Food("Croissant", 270, 55, 310, 140),
    Food("Greek yoghurt, honey", 190, 130, 220, 52), Food("Skyr", 98, 165, 60, 3), Food("Banana", 105, 13, 270, 4),
    Food("Pancakes with maple syrup", 430, 98, 680, 130), Food("Avocado toast", 290, 78, 280, 165),
    Food("Käsebrot", 240, 112, 240, 108), Food("Orange juice", 112, 17, 258, 5), Food("Cappuccino", 92, 58, 84, 38),
    Food("Latte macchiato", 140, 86, 124, 62), Food("Black coffee", 4, 3, 0, 0), Food("Tea with milk", 22, 12, 18, 11),
    Food("Smoothie, spinach and mango", 185, 42, 390, 12), Food("Bircher müesli", 365, 118, 560, 96),
    Food("Bagel with cream cheese", 360, 118, 520, 112), Food("Shakshuka", 310, 178, 190, 190),
  ]

  static let meals = [
    Food("Lentil soup", 290, 168, 420, 52), Food("Chicken breast, grilled", 248, 462, 0, 54),
    Food("Rice, cooked", 240, 45, 530, 4), Food("Spaghetti bolognese", 620, 318, 780, 202),
    Food("Margherita pizza", 820, 342, 1020, 290), Food("Caesar salad", 410, 190, 180, 290),
    Food("Green salad with vinaigrette", 145, 24, 72, 118), Food("Salmon fillet", 367, 398, 0, 220),
    Food("Potatoes, boiled", 150, 36, 340, 2), Food("French fries", 365, 40, 480, 172),
    Food("Steamed broccoli", 55, 38, 112, 6), Food("Vegetable curry", 380, 98, 440, 182),
    Food("Tofu stir-fry", 410, 238, 330, 210), Food("Beef burger", 640, 340, 460, 350),
    Food("Falafel wrap", 560, 182, 640, 252), Food("Döner kebab", 690, 380, 620, 320),
    Food("Ramen, tonkotsu", 710, 312, 820, 280), Food("Sushi, 12 pieces", 520, 228, 860, 92),
    Food("Chili con carne", 450, 312, 360, 182), Food("Käsespätzle", 720, 292, 740, 340),
    Food("Risotto with mushrooms", 540, 138, 780, 168), Food("Quinoa bowl", 460, 168, 620, 152),
    Food("Tomato soup", 140, 34, 220, 42), Food("Burrito", 680, 298, 820, 250), Food("Pad thaï", 640, 242, 860, 198),
    Food("Fish and chips", 840, 322, 880, 412), Food("Ratatouille", 180, 42, 220, 88),
    Food("Omelette with cheese", 330, 218, 22, 258), Food("Schnitzel", 520, 368, 320, 262),
    Food("Gazpacho", 110, 24, 140, 52), Food("Couscous with vegetables", 360, 108, 640, 54),
    Food("Glass of red wine", 125, 1, 38, 0), Food("Beer, 0.5 l", 215, 24, 172, 0), Food("Mineral water", 0, 0, 0, 0),
    Food("Baguette, a piece", 135, 44, 272, 6), Food("Lasagne", 610, 322, 520, 296),
  ]

  static let snacks = [
    Food("Apple", 95, 5, 250, 3), Food("Almonds, a handful", 170, 62, 58, 148),
    Food("Dark chocolate, 4 squares", 230, 28, 190, 164),
    Food("Protein bar", 210, 200, 220, 72), Food("Protein shake", 160, 302, 72, 22), Food("Crisps", 265, 32, 258, 168),
    Food("Crème brûlée", 360, 52, 320, 248), Food("Ice cream, 2 scoops", 280, 48, 340, 142),
    Food("Carrots with hummus", 150, 48, 170, 78), Food("Cheese cubes", 160, 98, 8, 132),
    Food("Grapes", 104, 11, 272, 2),
    Food("Rice cakes", 70, 14, 148, 5), Food("Slice of cake", 390, 48, 520, 188), Food("Pretzel", 215, 62, 440, 20),
    Food("Popcorn", 155, 32, 186, 78), Food("Dates, 3", 199, 12, 540, 1), Food("Espresso", 3, 1, 4, 0),
    Food("Hot chocolate", 192, 88, 268, 58), Food("Cola, 0.33 l", 139, 0, 350, 0),
    Food("Peanut butter sandwich", 340, 132, 320, 178),
  ]

  static let notes = [
    "at the canteen", "leftovers from yesterday", "homemade", "with Anna", "restaurant, estimated", "ate too fast",
    "half of it", "with extra olive oil – très bon", "at the station", "“light” version", "recipe: grandma's",
    "before training", "after training", "train to Zürich", "new place round the corner, worth going again",
  ]
}
