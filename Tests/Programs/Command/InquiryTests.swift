import JSON
import Testing

@testable import DaybookCommand

@Suite("Refusals for people")
struct InquiryTests {
  @Test(
    "A refusal is one sentence with a remedy",
    arguments: [
      (#"{"message":"The app is locked.","data":{"name":"locked","hint":"x"}}"#, "Locked; unlock in a frontend"),
      (
        #"{"message":"Another process is writing (pid 7).","data":{"name":"storeBusy","hint":"_meta.timeoutMs"}}"#,
        "Another process is writing (pid 7); try again when that is done"
      ),
      (
        #"{"message":"params/kind: expected one of meal, set","data":{"name":"invalidParams","allowed":"one of meal, set"}}"#,
        "kind: expected one of meal, set"
      ),
      (
        #"{"message":"the range is too long","data":{"name":"invalidParams","allowed":"62 days"}}"#,
        "the range is too long; allowed: 62 days"
      ),
      (
        #"{"message":"the line has 2 readings","data":{"name":"ambiguousEntry","hint":"begin with the kind","entries":[{"kind":"habit","text":"A"},{"kind":"meal","text":"B"}]}}"#,
        "the line has 2 readings; habit: A; meal: B; begin with the kind"
      ),
      (#"{"message":"failed."}"#, "failed"),
    ])
  func sentence(_ error: String, _ sentence: String) throws {
    #expect(Inquiry.sentence(try JSONValue(json: Array(error.utf8))) == sentence)
  }

  @Test(
    "An argument with a space is a quoted part of a line, unless it is the whole line",
    arguments: [
      (["porridge", "350"], "porridge 350"), (["lentil soup 420"], "lentil soup 420"),
      (["lentil soup", "420"], "\"lentil soup\" 420"), (["a \"b\" c", "5"], "«a \"b\" c» 5"), ([], ""),
    ])
  func line(_ words: [String], _ line: String) {
    #expect(LogCommand.line(of: words) == line)
  }
}
