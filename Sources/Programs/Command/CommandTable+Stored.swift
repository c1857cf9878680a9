/// The commands for the data folder as a whole.
extension CommandTable {
  static let stored = [
    CommandEntry(
      name: "doctor", sentence: "check the data folder", synopsis: ["doctor [--repair] [--json]"],
      text: [
        "Reads and verifies everything in the data folder and explains each problem: what is wrong, what it means for "
          + "your data, and what to do. Without --repair nothing is changed, and other programs may keep using the "
          + "folder."
      ],
      options: ["--repair", "--json"],
      statuses: [
        (0, "everything is in order"), (1, "there are problems, or something could not be checked"),
        (3, "standard output cannot be written"), (4, "the same, and the repair was carried out"),
      ],
      examples: ["daybook doctor || daybook doctor --repair"],
      run: { arguments throws(UsageError) in try DoctorCommand(arguments).run() }),
    CommandEntry(
      name: "backup", sentence: "create and manage backups",
      synopsis: ["backup [create] [--note TEXT]", "backup list", "backup verify ID", "backup delete ID"],
      text: [
        "A backup contains all stored data. It is made while other processes keep writing, and counts only after it "
          + "was verified. Besides manual backups, a serving process makes one at the first change of a day, and one "
          + "is made before every import and restore. Automatic backups are kept for 7 days, 4 weeks and 12 months, "
          + "manual ones until they are deleted.",
        "Backups are in the data folder, so also keep a copy of that folder, or an export, on another disk.",
      ],
      operands: [.oneOf(["create", "list", "verify", "delete"]), .backups], options: ["--note"],
      statuses: [
        (0, "done; “verify”: the backup is in order"), (1, "refused or failed; “verify”: the backup is damaged"),
        (3, "standard output cannot be written"), unanswered,
      ],
      examples: ["daybook backup --note \"before the move\"", "daybook backup list"],
      run: { arguments throws(UsageError) in try BackupCommand(arguments).run() }),
    CommandEntry(
      name: "restore", sentence: "replace the stored data by a backup", synopsis: ["restore ID"],
      text: [
        "The backup is first verified and copied. If no other process uses the data folder, it is restored at once, "
          + "else by the first process that starts after all others have ended. The previous contents become a backup "
          + "too, so that a restore can be undone by another one. At any time the folder has either the previous or "
          + "the restored contents."
      ],
      operands: [.backups],
      statuses: [
        (0, "restored, or prepared for the next start"), (1, "refused or failed; stored data is unchanged"), unanswered,
      ],
      examples: ["daybook backup list", "daybook restore 20261121T203000Z-0b1c2d3e"],
      run: { arguments throws(UsageError) in try RestoreCommand(arguments).run() }),
    CommandEntry(
      name: "export", sentence: "write all stored data as one text", synopsis: ["export FILE|- [--overwrite]"],
      text: [
        "One line of JSON per record, after a first line that identifies the format, and before a last line with the "
          + "number of records and a hash. “-” writes to standard output. A file is written completely or not at all; "
          + "--overwrite replaces an existing one."
      ],
      operands: [.file], options: ["--overwrite"],
      statuses: [
        (0, "everything was written"),
        (1, "refused or failed, or part of the data folder cannot be read and is missing"),
        (3, "standard output was closed"), (4, "the file was written, but standard output could not be written"),
      ],
      examples: ["daybook export ~/daybook.jsonl", "daybook export - | gzip > daybook.jsonl.gz"],
      run: { arguments throws(UsageError) in try ExportCommand(arguments).run() }),
    CommandEntry(
      name: "import", sentence: "import the output of “daybook export” from a file or (“-”) standard input",
      synopsis: ["import FILE|- [--merge|--replace|--preview]"],
      text: [
        "An import applies completely or not at all; every line is checked first. A backup is made before it, unless "
          + "the store is empty. Importing the same file again changes nothing."
      ],
      operands: [.file], options: ["--merge", "--replace", "--preview"],
      statuses: [
        (0, "done, or there was nothing to import; “--preview”: every line is valid"),
        (1, "refused or failed; nothing was changed"),
        (3, "standard input cannot be read, or standard output cannot be written; nothing was changed"), unanswered,
      ],
      examples: ["daybook import --preview daybook.jsonl", "daybook import daybook.jsonl"],
      run: { arguments throws(UsageError) in try ImportCommand(arguments).run() }),
  ]

  private static let unanswered: (status: Int32, meaning: String) = (
    4, "done, but standard output could not be written; standard error says what was done"
  )
}
