extension Options {
  static let help = """
    Usage: daybook-bench [options]
           daybook-bench --store [options]
           daybook-bench generate --out PATH [options]

    Measures the service beside a floor server, which answers fixed texts, and beside Foundation and bare system calls,
    all on one CPU, in interleaved rounds, and prints the medians, their ratios and whether the goals are met.

      --rounds N      how often each measure is taken (7; the long ones of the store, at most 3 times)
      --ms N          for how many milliseconds each time (300)
      --only TEXT     only the measures whose group or name contains TEXT
      --json FILE     write the figures as JSON too
      --daybook PATH  the service (the “daybook” beside this program); build it with “swift build -c release”
      --before PATH   an earlier “daybook”, measured in the same rounds; a column shows its figures
      --floor PATH    the floor server, also from DAYBOOK_BENCH_FLOOR (else one is compiled with “cc”)
      --smoke         tiny rounds, of the store too: checks that everything runs and answers rightly, without regard to time
      --help          this text

    --store measures the store instead: durable writes, import, opening, old months, complete passes, memory, a second
    process on the folder, and recovery, with ten years of a made-up person (160,000 records). Beside it, in the same
    run: bare appends, and SQLite by way of python3 (WAL, synchronous=FULL, an index on the day). Files are in the page
    cache, processes and connections are fresh where “first” is said. A measure that cannot be taken says why.

      --full          with 1,000,000 and 2,000,000 records as well; takes some minutes and 4 GB of disk
      --keep DIR      leave the generated stores in DIR, and use those that are there

    “generate” makes the years alone. The same arguments make the same records, byte for byte.

      --years N       whole years, 1…100, up to the end of 2025 (10)
      --seed N        which person (1)
      --density D     how much of everything, 1 being about 44 records a day (1)
      --records N     exactly so many records, at any density
      --out PATH      a file *.jsonl (as “data/export” writes it), a file *.sqlite, else a new data folder
      --as FORM       export, store or sqlite, for any name of PATH

    Exit status: 0 it was measured, 1 something answered wrongly or died, 2 usage.

    """
}
