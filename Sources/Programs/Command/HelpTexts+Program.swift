/// What the help and the manual page say about the program as a whole.
extension HelpTexts {
  static let about = "a local-first engine for what you track by the day"

  static let environment = [
    ("DAYBOOK_HOME", "the data folder, unless --data names one"),
    ("XDG_DATA_HOME, HOME", "where the data folder is, if neither does"),
    ("TZ, TZDIR", "the time zone of days, unless a client sets one; the zone database"),
    (
      "DAYBOOK_ESTIMATOR_KEY, OPENAI_API_KEY",
      "the key of the meal estimator, unless a secret or the client provides one"
    ),
  ]

  static let files = [
    ("store.json", "the identity of the store, and the format of its files"),
    ("lock", "held by a process while it writes; its text names the last holder"),
    ("journal/N.jsonl", "the latest changes, one line each with a checksum; never rewritten"),
    ("ahead.jsonl", "copies of the latest lines, durable before the journal is"),
    ("segments/NAME/MONTH.N.jsonl", "the records of a month; a checkpoint writes a new file with another N"),
    (
      "segments/digest-NAME/all.N.jsonl",
      "precomputed monthly totals; can be deleted without changing any answer"
    ),
    ("manifest.json", "the list of the files that make up the store"),
    ("flags.json", "state of this device: the introduction, time zones, failed attempts to unlock"),
    ("premium.json", "the last answer of the store of record"),
    ("reminders.json", "which reminders were delivered, snoozed or handled"),
    ("estimator.json", "the configuration of the meal estimator, without the key"),
    ("secrets.json", "secrets; never in backups, exports or the log"),
    ("logs/daybook.log", "warnings and errors, without tracked data; older logs are next to it"),
    ("quarantine/", "damaged data that was set aside"),
    ("backups/ID/", "a backup: a complete store, with a list of its files in backup.json"),
  ]

  static let examples = [
    "daybook log porridge 350",
    "daybook today",
    "daybook call habits/add name=Read unit=page target=20",
    "daybook call onboarding/complete choices:='{\"age\":40}'",
  ]

  static let closing =
    "“daybook methods” lists the methods of the protocol, and “daybook call rpc.discover” prints it as OpenRPC."
}
