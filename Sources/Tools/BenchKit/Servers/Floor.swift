import Foundation
import Spawning

/// The reference server for the lowest possible cost: it answers fixed texts and parses only the frame, the id and a
/// letter of the method.
struct Floor {
  /// The program; nil when there is none.
  let path: String?
  /// The message when there is none.
  let complaint: String?

  /// Uses the given program, or compiles one.
  init(_ given: String?, _ scratch: URL) throws(BenchError) {
    if let given {
      guard FileManager.default.isExecutableFile(atPath: given) else { throw .usage("\(given) is not a program") }
      path = given
      complaint = nil
      return
    }
    let program = scratch.appendingPathComponent("floor").path
    let source = program + ".c"
    path = Floor.compile(source, to: program) ? program : nil
    complaint =
      path == nil
      ? "There is no C compiler for a floor server, and no --floor: these figures have no ratios." : nil
  }

  private static func compile(_ source: String, to program: String) -> Bool {
    guard (try? Data(text.utf8).write(to: URL(fileURLWithPath: source))) != nil else { return false }
    let compiler = ["cc", "-O2", "-o", program, source]
    return (try? SpawnedProcess.run(compiler, standardError: .discarded).status) == .exited(0)
      && FileManager.default.isExecutableFile(atPath: program)
  }

  /// The source; it has a small result and one as large as a thousand meals.
  private static let text = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    static const char small[] =
        "{\"day\":\"2026-11-20\",\"calories\":1830.5,\"protein\":96.25,\"carbs\":210.5,\"fat\":61.75,"
        "\"meals\":4,\"goal\":2100,\"updatedAt\":\"2026-11-20T19:05:11Z\"}";
    static const char meal[] =
        "{\"id\":\"11111111-1111-4111-8111-111111111111\",\"date\":\"2026-11-20T07:00:00Z\",\"name\":\"Oat bowl 0001\","
        "\"calories\":350.5,\"protein\":12.25,\"carbs\":40.25,\"fat\":7.5,\"updatedAt\":\"2026-11-20T07:00:00Z\"}";
    static char list[1 << 18], in[1 << 16], *out;
    static size_t list_len, out_len, out_cap;

    static void flush_out(void)
    {
        for (size_t at = 0; at < out_len;) {
            ssize_t r = write(1, out + at, out_len - at);
            if (r < 0) { if (errno == EINTR) continue; exit(1); }
            at += (size_t)r;
        }
        out_len = 0;
    }

    static void make_list(void)
    {
        char *d = list;
        *d++ = '[';
        for (int i = 0; i < 1000; i++) {
            if (i) *d++ = ',';
            memcpy(d, meal, sizeof meal - 1);
            d += sizeof meal - 1;
        }
        *d++ = ']';
        list_len = (size_t)(d - list);
    }

    static void answer(const char *id, size_t id_len, const char *result, size_t n)
    {
        static const char a[] = "{\"jsonrpc\":\"2.0\",\"id\":", b[] = ",\"result\":";
        size_t body = sizeof a - 1 + id_len + sizeof b - 1 + n + 1;
        if (out_cap - out_len < body + 64) {
            out_cap = out_cap * 2 + body + 64;
            if (!(out = realloc(out, out_cap))) exit(1);
        }
        char *d = out + out_len, digits[24];
        size_t k = 0, v = body;
        memcpy(d, "Content-Length: ", 16); d += 16;
        do digits[k++] = (char)('0' + v % 10); while (v /= 10);
        while (k) *d++ = digits[--k];
        memcpy(d, "\r\n\r\n", 4); d += 4;
        memcpy(d, a, sizeof a - 1); d += sizeof a - 1;
        memcpy(d, id, id_len); d += id_len;
        memcpy(d, b, sizeof b - 1); d += sizeof b - 1;
        memcpy(d, result, n); d += n;
        *d++ = '}';
        out_len = (size_t)(d - out);
    }

    static void handle(const char *p, size_t n)
    {
        const char *id = memmem(p, n < 64 ? n : 64, "\"id\":", 5), *m = memmem(p, n, "\"method\":\"", 10);
        if (!m) return;
        m += 10;
        if (!id) { if (*m == 'e' && m[1] == 'x') { flush_out(); exit(0); } return; }
        id += 5;
        size_t k = 0;
        while (id + k < p + n && id[k] != ',' && id[k] != '}') k++;
        if (*m == 'e' && m[5] == 'l') {
            if (!list_len) make_list();
            answer(id, k, list, list_len);
        } else if (*m == 'e') answer(id, k, small, sizeof small - 1);
        else answer(id, k, *m == 'i' ? "{\"capabilities\":{}}" : "null", *m == 'i' ? 19 : 4);
    }

    int main(void)
    {
        size_t have = 0;
        for (;;) {
            ssize_t r = read(0, in + have, sizeof in - have);
            if (r <= 0) return 0;
            have += (size_t)r;
            size_t at = 0;
            for (;;) {
                char *p = in + at;
                size_t rest = have - at;
                if (rest < 20) break;
                size_t len = (size_t)atol(p + 16);
                char *e = memmem(p, rest < 64 ? rest : 64, "\r\n\r\n", 4);
                if (!e) break;
                size_t head = (size_t)(e - p) + 4;
                if (rest < head + len) break;
                handle(p + head, len);
                at += head + len;
                if (out_len > 1 << 16) flush_out();
            }
            flush_out();
            memmove(in, in + at, have - at);
            have -= at;
        }
    }

    """#
}
