/// Tables as other programs export them; the headers are theirs, the values invented.
enum Samples {
  /// Cronometer's foods, with some of its many nutrients.
  static let servings = #"""
    Day,Time,Group,Food Name,Amount,Energy (kcal),Alcohol (g),Caffeine (mg),Water (g),Net Carbs (g),Carbs (g),Fiber (g),Sugars (g),Fat (g),Saturated (g),Protein (g),Vitamin D (IU),Category
    2026-01-04,8:30 AM,Breakfast,"Oats, rolled",58.00 g,219.82,0.00,0.00,6.21,33.31,38.48,5.17,0.57,4.06,0.70,7.66,0.00,Cereal Grains and Pasta
    2026-01-04,8:30 AM,Breakfast,"Oats, rolled",58.00 g,219.82,0.00,0.00,6.21,33.31,38.48,5.17,0.57,4.06,0.70,7.66,0.00,Cereal Grains and Pasta
    2026-01-04,,Uncategorized,Vitamin D3,1.00 capsule,,,,,,,,,,,,1000.00,Supplements
    2026-01-04,1:05 PM,Lunch,"Soup ""Grandma's""",1.00 full recipe,1050.50,0.00,0.00,,20.00,24.00,4.00,3.00,12.50,2.00,30.25,,Soups
    2026-01-05,07:15 PM,Snacks,Dark chocolate 85%,20.00 g,120.00,0.00,16.00,0.20,3.80,7.00,2.20,2.80,9.20,5.40,1.90,0.00,Sweets

    """#

  /// Cronometer's days.
  static let dailySummary = #"""
    Date,Energy (kcal),Alcohol (g),Net Carbs (g),Carbs (g),Fat (g),Protein (g),Completed
    2026-01-03,0.0,0.0,0.0,0.0,0.0,0.0,false
    2026-01-04,2893.56,0.0,200.50,237.70,106.13,166.75,true
    2026-01-05,1988.00,0.0,150.00,180.00,70.00,120.00,false

    """#

  /// Cronometer's days by meal, with a total.
  static let dailyByMeals = #"""
    Date,Group,Energy (kcal),Carbs (g),Fat (g),Protein (g),Completed
    2026-01-04,Breakfast,500.4,60,12,20,true
    2026-01-04,Dinner,700.5,80,25,40,true
    2026-01-04,Total,1200.9,140,37,60,true
    2026-01-05,Total,900,100,30,50,false

    """#

  /// Cronometer's measurements.
  static let biometrics = #"""
    Day,Time,Group,Metric,Unit,Amount
    2026-01-04,7:00 AM,Uncategorized,Weight,lbs,181.4
    2026-01-04,7:05 AM,Uncategorized,Body Fat,%,18.2
    2026-01-04,,Uncategorized,Blood Pressure,mmHg,120/80
    2026-01-05,06:00 ,Data,Weight (Apple Health),kg,82.2

    """#

  /// MyFitnessPal's meals.
  static let nutrition = #"""
    Date,Meal,Calories,Fat (g),Saturated Fat,Polyunsaturated Fat,Monounsaturated Fat,Trans Fat,Cholesterol,Sodium (mg),Potassium,Carbohydrates (g),Fiber,Sugar,Protein (g),Vitamin A,Vitamin C,Calcium,Iron,Note
    2026-01-04,Breakfast,420.0,12.0,3.0,2.0,4.0,0.0,180.0,560.0,300.0,55.0,6.0,12.0,22.0,10.0,8.0,15.0,20.0,
    2026-01-04,Dinner,"1,050.5",25.0,8.0,4.0,9.0,0.0,90.0,900.0,800.0,70.0,9.0,10.0,40.0,5.0,30.0,10.0,25.0,"chicken, rice"
    2026-01-05,Snacks,200.4,8.0,,,,,,,,20.0,2.0,,12.0,,,,,

    """#

  /// MyFitnessPal's measurements.
  static let measurements = "Date,Body Fat %,Weight\n2026-01-04,18.5,182.5\n2026-01-05,18.4,\n2026-01-06,,181.9\n"
}
