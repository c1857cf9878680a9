extension HelpTexts {
  static let backup = """
    daybook backup: make backups and look after them

    USAGE
      daybook backup [create] [--note TEXT] [--data DIR]
      daybook backup list [--data DIR]
      daybook backup verify ID [--data DIR]
      daybook backup delete ID [--data DIR]

    A backup holds everything that is stored. It is made while other processes go on writing, read through, and only then
    counted. Besides those made by hand, one is made on the first change of a day by a serving process, and one before every import
    and restore. Automatic ones are kept for 7 days, 4 weeks and 12 months; those made by hand until they are deleted.

    They are in the data folder, so keep a copy of that folder, or an export, on another disk too.

    EXIT STATUS
      0   done; “verify”: the backup is in order
      1   refused, or failed; “verify”: it is not in order, and why
      2   wrong usage

    EXAMPLE
      daybook backup --note "before the move"
      daybook backup list
    """

  static let restore = """
    daybook restore: put a backup in the place of what is stored

    USAGE
      daybook restore ID [--data DIR]

    The backup is verified and copied first. If nobody else uses the data folder it is restored at once; else by the first process
    that starts after all others have ended. What is there then becomes a backup of its own, so that a restore can be taken back
    by another one. In any case there is either what was there before or what was restored.

    EXIT STATUS
      0   restored, or prepared for the next start
      1   refused, or failed; what is stored is unchanged
      2   wrong usage

    EXAMPLE
      daybook backup list
      daybook restore 20261121T203000Z-0b1c2d3e
    """

  static let export = """
    daybook export: write everything as one text

    USAGE
      daybook export FILE|- [--overwrite] [--data DIR]

    One line of JSON a record, between a first line that says what it is and a last one with their number and a hash; “-” writes
    to standard output. A file is there wholly or not at all, and is not replaced without --overwrite.

    EXIT STATUS
      0   everything was written
      1   refused, or failed, or a part of the data folder cannot be read and is missing
      2   wrong usage
      3   standard output was closed

    EXAMPLE
      daybook export ~/daybook.jsonl
      daybook export - | gzip > daybook.jsonl.gz
    """

  static let importing = """
    daybook import: take in what “daybook export” wrote, from a file or (“-”) standard input

    USAGE
      daybook import FILE|- [--merge|--replace|--preview] [--data DIR]

    OPTIONS
      --merge                add what is missing, update what was changed later in the file, leave the rest (as without an option)
      --replace              afterwards there is exactly what the file has
      --preview              only say what --merge would do

    All of it is taken in or nothing; every line is checked first. A backup comes before it, unless nothing is stored. The same
    file again changes nothing.

    EXIT STATUS
      0   done, or there was nothing to do; “--preview”: every line can be used
      1   refused, or failed; nothing was changed
      2   wrong usage

    EXAMPLE
      daybook import --preview daybook.jsonl
      daybook import daybook.jsonl
    """
}
