extension HelpTexts {
  static let backup = """
    daybook backup: create and manage backups

    USAGE
      daybook backup [create] [--note TEXT] [--data DIR]
      daybook backup list [--data DIR]
      daybook backup verify ID [--data DIR]
      daybook backup delete ID [--data DIR]

    A backup contains all stored data. It is made while other processes keep writing, and counts only after it was verified.
    Besides manual backups, a serving process makes one at the first change of a day, and one is made before every import and
    restore. Automatic backups are kept for 7 days, 4 weeks and 12 months, manual ones until they are deleted.

    Backups are in the data folder, so also keep a copy of that folder, or an export, on another disk.

    EXIT STATUS
      0   done; “verify”: the backup is in order
      1   refused or failed; “verify”: the backup is damaged
      2   wrong usage
      3   standard output cannot be written
      4   done, but standard output could not be written; standard error says what was done

    EXAMPLE
      daybook backup --note "before the move"
      daybook backup list
    """

  static let restore = """
    daybook restore: replace the stored data by a backup

    USAGE
      daybook restore ID [--data DIR]

    The backup is first verified and copied. If no other process uses the data folder, it is restored at once, else by the first
    process that starts after all others have ended. The previous contents become a backup too, so that a restore can be undone
    by another one. At any time the folder has either the previous or the restored contents.

    EXIT STATUS
      0   restored, or prepared for the next start
      1   refused or failed; stored data is unchanged
      2   wrong usage
      4   done, but standard output could not be written; standard error says what was done

    EXAMPLE
      daybook backup list
      daybook restore 20261121T203000Z-0b1c2d3e
    """

  static let export = """
    daybook export: write all stored data as one text

    USAGE
      daybook export FILE|- [--overwrite] [--data DIR]

    One line of JSON per record, after a first line that identifies the format, and before a last line with the number of records
    and a hash. “-” writes to standard output. A file is written completely or not at all; --overwrite replaces an existing one.

    EXIT STATUS
      0   everything was written
      1   refused or failed, or part of the data folder cannot be read and is missing
      2   wrong usage
      3   standard output was closed
      4   the file was written, but standard output could not be written

    EXAMPLE
      daybook export ~/daybook.jsonl
      daybook export - | gzip > daybook.jsonl.gz
    """

  static let importing = """
    daybook import: import the output of “daybook export” from a file or (“-”) standard input

    USAGE
      daybook import FILE|- [--merge|--replace|--preview] [--data DIR]

    OPTIONS
      --merge                add missing records, update those changed later in the file, keep the rest (default)
      --replace              replace all records by those in the file
      --preview              only report what --merge would do

    An import applies completely or not at all; every line is checked first. A backup is made before it, unless the store is
    empty. Importing the same file again changes nothing.

    EXIT STATUS
      0   done, or there was nothing to import; “--preview”: every line is valid
      1   refused or failed; nothing was changed
      2   wrong usage
      3   standard input cannot be read, or standard output cannot be written; nothing was changed
      4   done, but standard output could not be written; standard error says what was done

    EXAMPLE
      daybook import --preview daybook.jsonl
      daybook import daybook.jsonl
    """
}
