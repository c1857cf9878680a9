/// Tables in the formats of other programs; the headers are real, the values invented.
enum Samples {
  /// Subsum: quotes in names are not doubled, dates with a comma are not quoted.
  static let subsum = """
    Name,Amount,Currency,Frequency,Next Charge,Category
    "Netflix",15.49,USD,Monthly,Feb 12, 2026,Streaming
    "Tom "T" & Co",20,EUR,Yearly,Mar 1, 2027,Productivity
    "Films, series",9.99,USD,Weekly,Mar 16, 2026,Streaming
    "Plain",3,GBP,Monthly,12 Mar 2026,Other
    "Odd",3,GBP,Monthly,12, Mar, 2026,Other

    """

  /// Wallos' list exported as a table.
  static let wallos = """
    Name,Payment Cycle,Next Payment,Renewal,Category,Payment Method,Paid By,Price,Notes,URL,State,Notifications,Cancellation Date,Active
    Netflix,Monthly,2026-03-20,Automatic,Entertainment,Credit Card,Me,€12.99,,https://netflix.com,Enabled,Enabled,2026-06-01,Yes
    Domain,2 Years,2027-01-05,Manual,No category,PayPal,Me,$25,"renews, by hand",,Enabled,Disabled,,Yes
    Gym,Monthly,2025-11-01,Automatic,Health,Cash,Me,€29.90,,,Disabled,Disabled,,No

    """

  /// SubTrackr's.
  static let subTrackr = """
    ID,Name,Category,Cost,Currency,Schedule,Schedule Interval,Status,Payment Method,Autopay,Account,Start Date,Renewal Date,Cancellation Date,URL,Notes,Usage,Created At
    1,Spotify,Music,9.99,USD,Monthly,1,Active,Visa,true,me@example.com,2024-01-31,2026-03-31,,spotify.com,,High,2024-01-31 10:00:00
    2,Backup,Storage,60.00,EUR,Every 6 Months,6,Active,Visa,unknown,,2025-10-01,2026-04-01,,,"two
    lines",None,2025-10-01 10:00:00
    3,Paper,News,5.00,USD,Weekly,1,Cancelled,Visa,false,,2025-01-01,2026-03-12,2026-02-01,,,Low,2025-01-01 10:00:00
    4,Tool,Software,12.00,USD,Annual,1,Trial,Visa,true,,2026-03-01,2026-04-01,,,,,2026-03-01 10:00:00

    """

  /// A German user's own spreadsheet.
  static let german = """
    Service;Price;Billing;Due Date;Type;Notes
    Zeitung;1.234,50 €;jährlich;01.04.2026;News;"a;b"
    Strom;89,90 €;monatlich;15.03.2026;Utilities;
    Spende;5 €;einmalig;20.03.2026;;

    """

  /// An answer of Wallos' API.
  static let wallosAnswer = """
    {"success": true, "title": "subscriptions", "subscriptions": [
      {"id": 1, "name": "Example, one", "price": 10.5, "currency_id": 1, "start_date": "2025-09-01", "next_payment": "2026-04-01",
       "cycle": 3, "frequency": 1, "auto_renew": 1, "notes": "a \\"note\\"", "inactive": 0, "cancellation_date": "2026-05-01",
       "category_name": "Music", "payer_user_name": "Jo", "payment_method_name": "PayPal", "url": "https://example.com"},
      {"id": 2, "name": "Other", "price": 15, "start_date": null, "next_payment": "2025-11-02", "cycle": 4,
       "frequency": 2, "inactive": 1, "category_name": "No category", "payer_user_name": "Jo"}], "notes": []}
    """

  /// Wallos' list exported as JSON.
  static let wallosList = """
    [{"Name": "Netflix", "Payment Cycle": "Monthly", "Next Payment": "2026-03-20", "Renewal": "Automatic",
      "Category": "Entertainment", "Payment Method": "Credit Card", "Paid By": "Me", "Price": "€12.99", "Notes": "",
      "URL": "https://netflix.com", "State": "Enabled", "Notifications": "Enabled", "Cancellation Date": "", "Active": "Yes"}]
    """

  /// A list of Actual's schedules.
  static let actual = """
    [{"id": "a", "name": "Rent", "next_date": "2026-04-01", "completed": false, "amount": -90000, "amountOp": "is",
      "date": {"start": "2026-01-01", "frequency": "monthly", "interval": 1, "patterns": [{"type": "day", "value": 1}],
        "skipWeekend": true, "weekendSolveMode": "after", "endMode": "never"}},
     {"id": "b", "name": "Power", "amount": {"num1": -4000, "num2": -9001}, "amountOp": "isbetween",
      "date": {"start": "2026-01-10", "frequency": "monthly", "patterns": [{"type": "FR", "value": -1}],
        "endMode": "on_date", "endDate": "2026-12-31"}},
     {"id": "c", "name": "Salary", "amount": 250000, "amountOp": "isapprox", "date": "2026-03-31"},
     {"id": "d", "name": "Sofa", "_amount": -5000, "_amountOp": "isapprox", "_date": {"start": "2026-02-28",
        "frequency": "monthly", "patterns": [{"type": "day", "value": 30}], "endMode": "after_n_occurrences", "endOccurrences": 12}},
     {"id": "e", "name": "Gift", "amount": -2000, "amountOp": "is", "date": "2026-05-05"},
     {"id": "f", "name": "Odd", "amount": -100, "amountOp": "is", "date": {"start": "2026-02-28", "frequency": "monthly",
        "patterns": [{"type": "MO", "value": 1}, {"type": "day", "value": 3}], "endMode": "never"}},
     {"id": "h", "name": "Huge", "amount": -9223372036854775808, "amountOp": "is", "date": "2026-05-05"},
     {"id": "g", "name": "Done", "amount": -300, "amountOp": "is", "completed": true, "next_date": "2026-02-01",
      "date": {"start": "2025-11-01", "frequency": "yearly", "interval": 2, "endMode": "never"}}]
    """
}
