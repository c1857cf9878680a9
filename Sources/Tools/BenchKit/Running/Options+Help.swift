extension Options {
  static let help = """
    Usage: daybook-bench [options]
           daybook-bench --store [options]
           daybook-bench generate --out PATH [options]

    Measures the service next to a floor server, which answers fixed texts, and next to Foundation and bare system calls,
    all on one CPU, in interleaved rounds, and prints the medians, their ratios and whether the goals are met.

      --rounds N      the number of rounds (7; at most 3 for the long measures of the store)
      --ms N          the duration of a measure in a round, in milliseconds (300)
      --only TEXT     only measures whose group or name contains TEXT
      --json FILE     also write the figures as JSON
      --daybook PATH  the service (the “daybook” next to this program); build it with “swift build -c release”
      --before PATH   an earlier “daybook”, measured in the same rounds; a column shows its figures
      --floor PATH    the floor server, also from DAYBOOK_BENCH_FLOOR (else compiled with “cc”)
      --smoke         tiny rounds of everything: checks that all measures run and all answers are right, ignoring time
      --help          this text

    --store measures the store instead: durable writes, import, opening, old months, complete passes, memory, a second
    process on the folder, and recovery, with ten years of generated data (160,000 records). References in the same run are
    bare appends and SQLite via python3 (WAL, synchronous=FULL, an index on the day). Files are in the page cache; “first”
    means a fresh process or connection. A measure that cannot be taken gives the reason.

      --full          also with 1,000,000 and 2,000,000 records; takes minutes and 4 GB of disk space
      --keep DIR      keep the generated stores in DIR, and reuse them

    “generate” only generates the data. The same arguments give the same records, byte for byte.

      --years N       whole years, 1…100, up to the end of 2025 (10)
      --seed N        the random seed (1)
      --density D     the density of records, 1 being about 44 a day (1)
      --records N     exactly N records, at any density
      --out PATH      a file *.jsonl (as “data/export” writes it), a file *.sqlite, else a new data folder
      --as FORM       export, store or sqlite, regardless of PATH

    Exit status: 0 success; 1 a wrong answer, or a process died; 2 wrong usage.

    """
}
