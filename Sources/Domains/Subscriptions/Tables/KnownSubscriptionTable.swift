import DaybookProtocol
import Tables

/// A table of subscriptions in the format of some program.
package struct KnownSubscriptionTable: KnownTable {
  package let format: SubscriptionTableFormat
  package let shape: TableShape

  private init(
    _ format: SubscriptionTableFormat, _ signature: [String], telling: Set<String> = [], _ fields: [TableField]
  ) {
    self.format = format
    shape = TableShape(
      signature: signature, fields: fields, telling: telling, isAnybodys: format == .other,
      hasPoints: format == .daybook,
      days: ["nextCharge", "start", "anchor", "trialEnd", "end", "contractEnd", "cancelBy"], numbers: ["amount"])
  }

  /// A table of another program, by the headers of its fields.
  private init(
    _ format: SubscriptionTableFormat, _ signature: [String], _ headers: KeyValuePairs<String, [String]>
  ) {
    self.init(
      format, signature, headers.map { TableField($0, $1, isRequired: $0 == "name" || $0 == "amount") })
  }

  package var raggedHint: String? {
    // Rows that can be repaired have been.
    format == .subsum ? "a date such as “Feb 12, 2026” needs quotes around it" : nil
  }

  /// All known formats, the more specific first.
  static let all = [ours, actual, subTrackr, wallos, subsum, other]

  /// The columns of our own table, in order.
  static let columns: [(field: String, header: String)] = [
    ("name", "Name"), ("amount", "Amount"), ("currency", "Currency"), ("every", "Every"), ("unit", "Unit"),
    ("nextCharge", "Next Charge"), ("category", "Category"), ("status", "Status"), ("active", "Active"),
    ("monthly", "Monthly"), ("start", "Start"), ("anchor", "Anchor"), ("trialEnd", "Trial End"), ("end", "End"),
    ("contractEnd", "Contract End"), ("notice", "Notice"), ("renewal", "Renewal"), ("share", "Share"),
    ("paymentMethod", "Payment Method"), ("tags", "Tags"), ("note", "Notes"), ("url", "URL"), ("usage", "Usage"),
    ("reminderDays", "Reminder Days"), ("id", "Id"), ("prices", "Prices"),
    ("cycles", "Cycles"), ("pauses", "Pauses"), ("charges", "Charges"), ("shares", "Shares"),
    ("rule", "Rule"), ("ownCategory", "Own Category"), ("paidBy", "Paid By"), ("household", "Household"),
    ("cancelBy", "Cancel By"), ("replacedById", "Replaced By"),
  ]

  /// Columns for people; the import ignores them.
  private static let derived: Set = ["active", "monthly"]

  static let ours = KnownSubscriptionTable(
    .daybook, ["name", "amount", "currency", "every", "unit"], telling: ["anchor", "reminder days"],
    columns.filter { !derived.contains($0.field) }.map { field, header in
      TableField(field, [header], isRequired: ["name", "amount", "currency", "every", "unit"].contains(field))
    })

  static let subsum = KnownSubscriptionTable(
    .subsum, ["name", "amount", "currency", "frequency", "next charge", "category"],
    [
      "name": ["Name"], "amount": ["Amount"], "currency": ["Currency"], "cycle": ["Frequency"],
      "nextCharge": ["Next Charge"], "category": ["Category"],
    ])

  /// Wallos' “Cancellation Date” is a reminder to cancel, not an end.
  static let wallos = KnownSubscriptionTable(
    .wallos, ["name", "next payment", "price", "state"],
    [
      "name": ["Name"], "amount": ["Price"], "currency": ["Currency"], "cycle": ["Payment Cycle"],
      "nextCharge": ["Next Payment"], "category": ["Category"], "paymentMethod": ["Payment Method"],
      "note": ["Notes"], "url": ["URL"], "status": ["State"], "start": ["Start Date"], "paidBy": ["Paid By"],
      "cancelBy": ["Cancellation Date"], "currencyId": ["Currency Id"],
    ])

  /// The table that `ActualSchedule` makes.
  static let actual = KnownSubscriptionTable(
    .actual, ["schedule", "amount", "cycle", "rule", "state"],
    [
      "name": ["Schedule"], "amount": ["Amount"], "least": ["Least"], "most": ["Most"], "cycle": ["Cycle"],
      "rule": ["Rule"], "start": ["Start"], "anchor": ["Anchor"], "nextCharge": ["Next Charge"], "end": ["End"],
      "status": ["State"],
    ])

  /// SubTrackr's “Schedule” is the whole cycle.
  static let subTrackr = KnownSubscriptionTable(
    .subTrackr, ["name", "cost", "schedule", "renewal date"],
    [
      "name": ["Name"], "amount": ["Cost"], "currency": ["Currency"], "cycle": ["Schedule"],
      "nextCharge": ["Renewal Date"], "category": ["Category"], "status": ["Status"],
      "paymentMethod": ["Payment Method"], "start": ["Start Date"], "end": ["Cancellation Date"], "url": ["URL"],
      "note": ["Notes"], "usage": ["Usage"], "tags": ["Tags"],
    ])

  static let other = KnownSubscriptionTable(
    .other, [],
    [
      "name": [
        "Name", "Subscription", "Subscription Name", "Service", "Service Name", "Title", "Merchant", "Item",
        "Titel", "Bezeichnung", "Anbieter", "Dienst", "Nom", "Nombre",
      ],
      "amount": [
        "Amount", "Price", "Cost", "Charge", "Fee", "Billing Amount", "Value", "Preis", "Betrag", "Kosten", "Prix",
        "Montant", "Precio", "Importe",
      ],
      "currency": ["Currency", "Currency Code", "Währung", "Devise", "Moneda"],
      "cycle": [
        "Frequency", "Cycle", "Billing Cycle", "Payment Cycle", "Billing Frequency", "Billing Period", "Billing",
        "Schedule", "Recurrence", "Repeat", "Period", "Renewal Period", "Renews", "Unit", "Interval", "Zyklus",
        "Intervall", "Abrechnung", "Turnus", "Rhythmus", "Fréquence", "Frecuencia",
      ],
      "every": ["Every", "Repeat Every", "Interval", "Interval Count", "Frequency Count"],
      "nextCharge": [
        "Next Charge", "Next Charge Date", "Next Payment", "Next Payment Date", "Next Billing Date", "Next Billing",
        "Next Bill", "Next Renewal", "Next Renewal Date", "Next Due Date", "Renewal Date", "Renews On", "Due Date",
        "Due", "Billing Date", "Payment Date", "Renewal", "Date", "Nächste Zahlung", "Nächste Abbuchung", "Fällig",
        "Fälligkeit", "Prochain paiement", "Próximo pago",
      ],
      "category": ["Category", "Type", "Group", "Kategorie", "Catégorie", "Categoría"],
      "status": ["Status", "State", "Active", "Is Active", "Enabled"],
      "start": [
        "Start Date", "Start", "Started", "Started On", "Since", "First Payment", "First Charge", "First Bill",
        "Subscribed On", "Subscription Date", "Beginn", "Startdatum",
      ],
      "trialEnd": ["Trial End", "Trial End Date", "Trial Ends", "Free Until"],
      "end": ["End", "End Date", "Cancelled On", "Canceled On", "Cancellation Date", "Ends On", "Expires"],
      "paymentMethod": [
        "Payment Method", "Paid With", "Payment", "Card", "Account", "Zahlungsart", "Zahlungsmethode",
      ],
      "tags": ["Tags", "Labels"],
      "note": ["Notes", "Note", "Comment", "Comments", "Memo", "Description", "Notiz", "Notizen", "Bemerkung"],
      "currencyId": ["Currency Id", "CurrencyId"], "url": ["URL", "Website", "Link", "Homepage"],
      "usage": ["Usage", "Usage Rating"],
    ])
}
