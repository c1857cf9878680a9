/// The Python script for SQLite: reads commands and prints results, each a JSON object on a line.
enum SQLiteScript {
  static let text = #"""
    import gc, itertools, json, os, random, sqlite3, sys, time

    now = time.perf_counter_ns
    writer = None
    rows = []


    def connect(path):
        # Every statement is a transaction of its own unless BEGIN says otherwise.
        connection = sqlite3.connect(path, isolation_level=None, cached_statements=64)
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        connection.execute("PRAGMA synchronous=FULL")
        return connection


    def create(path):
        for name in (path, path + "-wal", path + "-shm"):
            if os.path.exists(name):
                os.remove(name)
        connection = connect(path)
        connection.execute("CREATE TABLE records(id TEXT PRIMARY KEY, collection TEXT NOT NULL, day TEXT, body TEXT NOT NULL)")
        connection.execute("CREATE INDEX records_day ON records(collection, day)")
        return connection


    INSERT = "INSERT INTO records VALUES(?,?,?,?)"


    def exported(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith('{"collection"'):
                    at = line.index(',"body":')
                    head = json.loads(line[:at] + "}")
                    yield head["id"], head["collection"], head.get("day"), line[at + 8:].rstrip("\n")[:-1]


    def hello(_):
        return {"sqlite": sqlite3.sqlite_version, "python": sys.version.split()[0]}


    def commits(command):
        global writer
        if writer is None:
            writer = create(command["database"])
        body = "x" * command["bytes"]
        times = []
        begin = now()
        end = begin + command["milliseconds"] * 1000000
        while now() < end:
            row = ("%032x" % random.getrandbits(128), "meals", "2026-11-20", body)
            start = now()
            writer.execute(INSERT, row)
            times.append(now() - start)
        return {"latencies": times, "time": now() - begin}


    def load(command):
        global rows
        rows = list(exported(command["export"]))
        return {"count": len(rows)}


    def insert(command):
        connection = create(command["database"])
        start = now()
        connection.execute("BEGIN")
        connection.executemany(INSERT, rows)
        connection.execute("COMMIT")
        time = now() - start
        connection.close()
        return {"time": time, "bytes": os.path.getsize(command["database"])}


    def build(command):
        connection = create(command["database"])
        connection.execute("BEGIN")
        connection.executemany(INSERT, exported(command["export"]))
        connection.execute("COMMIT")
        count = connection.execute("SELECT count(*) FROM records").fetchone()[0]
        connection.close()
        return {"count": count}


    MONTH = "SELECT body FROM records WHERE collection='meals' AND day BETWEEN ? AND ? ORDER BY day DESC"


    def month(command):
        connection = sqlite3.connect(command["database"], isolation_level=None)
        days = (command["from"], command["to"])
        times = []
        for _ in range(command["warm"] + 1):
            start = now()
            found = connection.execute(MONTH, days).fetchall()
            times.append(now() - start)
        connection.close()
        return {"count": len(found), "cold": times[0], "warm": times[1:]}


    def read_all(command):
        start = now()
        connection = sqlite3.connect(command["database"], isolation_level=None)
        count = size = 0
        for (body,) in connection.execute("SELECT body FROM records"):
            count += 1
            size += len(body)
        middle = now()
        connection.close()
        connection = sqlite3.connect(command["database"], isolation_level=None)
        begin = now()
        total = connection.execute("SELECT sum(length(CAST(body AS BLOB))) FROM records").fetchone()[0]
        inside = now() - begin
        connection.close()
        return {"time": middle - start, "inside": inside, "count": count, "bytes": total}


    gc.disable()
    operations = {f.__name__: f for f in (hello, commits, load, insert, build, month, read_all)}
    for line in sys.stdin:
        try:
            command = json.loads(line)
            answer = operations[command["do"]](command)
        except Exception as error:
            answer = {"error": "%s: %s" % (type(error).__name__, error)}
        print(json.dumps(answer), flush=True)
    """#
}
