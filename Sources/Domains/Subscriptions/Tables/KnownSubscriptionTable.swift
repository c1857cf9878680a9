import DaybookProtocol
import Tables

/// A table of subscriptions that some program exports.
package struct KnownSubscriptionTable: KnownTable {
  package let format: SubscriptionTableFormat
  package let shape: TableShape

  private init(
    _ format: SubscriptionTableFormat, _ signature: [String], telling: Set<String> = [], _ fields: [TableField]
  ) {
    self.format = format
    shape = TableShape(
      signature: signature, fields: fields, telling: telling, isAnybodys: format == .other, isOurs: format == .daybook,
      days: ["nextCharge", "start", "anchor", "trialEnd", "end", "contractEnd", "cancelBy"], numbers: ["amount"])
  }

  package var raggedHint: String? {
    // What could be put together again was, before.
    format == .subsum ? "a date such as “Feb 12, 2026” needs quotes around it" : nil
  }

  /// All there are, what is told apart by more before what is told apart by less.
  static let all = [ours, actual, subTrackr, wallos, subsum, other]

  /// The columns of our own, in order.
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

  /// What follows from the rest is written for people, and not read.
  private static let derived: Set = ["active", "monthly"]

  static let ours = KnownSubscriptionTable(
    .daybook, ["name", "amount", "currency", "every", "unit"], telling: ["anchor", "reminder days"],
    columns.filter { !derived.contains($0.field) }.map { field, header in
      TableField(field, [header], isRequired: ["name", "amount", "currency", "every", "unit"].contains(field))
    })

  static let subsum = KnownSubscriptionTable(
    .subsum, ["name", "amount", "currency", "frequency", "next charge", "category"],
    [
      TableField("name", ["Name"], isRequired: true), TableField("amount", ["Amount"], isRequired: true),
      TableField("currency", ["Currency"]), TableField("cycle", ["Frequency"]),
      TableField("nextCharge", ["Next Charge"]), TableField("category", ["Category"]),
    ])

  /// Its “Cancellation Date” is the day to be reminded of cancelling, which is no end.
  static let wallos = KnownSubscriptionTable(
    .wallos, ["name", "next payment", "price", "state"],
    [
      TableField("name", ["Name"], isRequired: true), TableField("amount", ["Price"], isRequired: true),
      TableField("currency", ["Currency"]), TableField("cycle", ["Payment Cycle"]),
      TableField("nextCharge", ["Next Payment"]), TableField("category", ["Category"]),
      TableField("paymentMethod", ["Payment Method"]), TableField("note", ["Notes"]), TableField("url", ["URL"]),
      TableField("status", ["State"]), TableField("start", ["Start Date"]), TableField("paidBy", ["Paid By"]),
      TableField("cancelBy", ["Cancellation Date"]),
    ])

  /// What a list of Actual's schedules is put into.
  static let actual = KnownSubscriptionTable(
    .actual, ["schedule", "amount", "cycle", "rule", "state"],
    [
      TableField("name", ["Schedule"], isRequired: true), TableField("amount", ["Amount"], isRequired: true),
      TableField("least", ["Least"]), TableField("most", ["Most"]), TableField("cycle", ["Cycle"]),
      TableField("rule", ["Rule"]), TableField("start", ["Start"]), TableField("anchor", ["Anchor"]),
      TableField("nextCharge", ["Next Charge"]), TableField("end", ["End"]), TableField("status", ["State"]),
    ])

  /// Its schedules have their interval in them.
  static let subTrackr = KnownSubscriptionTable(
    .subTrackr, ["name", "cost", "schedule", "renewal date"],
    [
      TableField("name", ["Name"], isRequired: true), TableField("amount", ["Cost"], isRequired: true),
      TableField("currency", ["Currency"]), TableField("cycle", ["Schedule"]),
      TableField("nextCharge", ["Renewal Date"]), TableField("category", ["Category"]),
      TableField("status", ["Status"]), TableField("paymentMethod", ["Payment Method"]),
      TableField("start", ["Start Date"]), TableField("end", ["Cancellation Date"]), TableField("url", ["URL"]),
      TableField("note", ["Notes"]), TableField("usage", ["Usage"]), TableField("tags", ["Tags"]),
    ])

  static let other = KnownSubscriptionTable(
    .other, [],
    [
      TableField(
        "name",
        [
          "Name", "Subscription", "Subscription Name", "Service", "Service Name", "Title", "Merchant", "Item",
          "Titel", "Bezeichnung", "Anbieter", "Dienst", "Nom", "Nombre",
        ], isRequired: true),
      TableField(
        "amount",
        [
          "Amount", "Price", "Cost", "Charge", "Fee", "Billing Amount", "Value", "Preis", "Betrag", "Kosten", "Prix",
          "Montant", "Precio", "Importe",
        ], isRequired: true),
      TableField("currency", ["Currency", "Currency Code", "Währung", "Devise", "Moneda"]),
      TableField(
        "cycle",
        [
          "Frequency", "Cycle", "Billing Cycle", "Payment Cycle", "Billing Frequency", "Billing Period", "Billing",
          "Schedule", "Recurrence", "Repeat", "Period", "Renewal Period", "Renews", "Unit", "Interval",
          "Zyklus", "Intervall", "Abrechnung", "Turnus", "Rhythmus", "Fréquence", "Frecuencia",
        ]),
      TableField("every", ["Every", "Repeat Every", "Interval", "Interval Count", "Frequency Count"]),
      TableField(
        "nextCharge",
        [
          "Next Charge", "Next Charge Date", "Next Payment", "Next Payment Date", "Next Billing Date", "Next Billing",
          "Next Bill", "Next Renewal", "Next Renewal Date", "Next Due Date", "Renewal Date", "Renews On", "Due Date",
          "Due", "Billing Date", "Payment Date", "Renewal", "Date",
          "Nächste Zahlung", "Nächste Abbuchung", "Fällig", "Fälligkeit", "Prochain paiement", "Próximo pago",
        ]),
      TableField("category", ["Category", "Type", "Group", "Kategorie", "Catégorie", "Categoría"]),
      TableField("status", ["Status", "State", "Active", "Is Active", "Enabled"]),
      TableField(
        "start",
        [
          "Start Date", "Start", "Started", "Started On", "Since", "First Payment", "First Charge", "First Bill",
          "Subscribed On", "Subscription Date", "Beginn", "Startdatum",
        ]),
      TableField("trialEnd", ["Trial End", "Trial End Date", "Trial Ends", "Free Until"]),
      TableField(
        "end", ["End", "End Date", "Cancelled On", "Canceled On", "Cancellation Date", "Ends On", "Expires"]),
      TableField(
        "paymentMethod",
        ["Payment Method", "Paid With", "Payment", "Card", "Account", "Zahlungsart", "Zahlungsmethode"]),
      TableField("tags", ["Tags", "Labels"]),
      TableField(
        "note",
        ["Notes", "Note", "Comment", "Comments", "Memo", "Description", "Notiz", "Notizen", "Bemerkung"]),
      TableField("url", ["URL", "Website", "Link", "Homepage"]), TableField("usage", ["Usage", "Usage Rating"]),
    ])
}
