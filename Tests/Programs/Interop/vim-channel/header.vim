vim9script
# Vim's own LSP channel: a Content-Type header with a charset, ids compared strictly, exit status by callback.

const day = '2026-01-05'
const name = 'Oat bowl 🥣 für zwei'
const patience = float2nr(60000 * str2float($TIME_SCALE ?? '1'))

var events: list<dict<any>> = []
var status = -1

def Say(line: string)
  writefile([line], '/dev/stdout', 'a')
enddef

def Check(condition: bool, what: string, value: any = '')
  if !condition
    throw $'{what}: {json_encode(value)}'
  endif
enddef

# Waits until `Done` holds.
def Await(what: string, Done: func(): bool)
  const start = reltime()
  while !Done()
    Check(reltimefloat(reltime(start)) * 1000 < patience, 'timed out: ' .. what, events)
    sleep 5m  # lets callbacks run
  endwhile
enddef

def Session()
  # v:versionlong names the highest patch, which a distribution may have applied on its own.
  Say($'version: {v:version / 100}.{v:version % 100}, patches {matchstr(execute("version"), 'patches: \zs[^,[:cntrl:]]*')}')
  const job = job_start([$DAYBOOK, '--data', $DAYBOOK_DATA], {
    in_mode: 'lsp', out_mode: 'lsp', err_io: 'null',
    callback: (channel, message) => {
      if has_key(message, 'id') && has_key(message, 'method')
        ch_sendexpr(channel, {id: message.id, result: {confirmed: message.params.message == '🥣?'}})
      else
        add(events, message)
      endif
    },
    exit_cb: (_, code) => {
      status = code
    }})
  Check(job_status(job) == 'run', 'the service did not start')
  const channel = job_getchannel(job)

  const Call = (method: string, params: any): dict<any> => {
    const answer: any = ch_evalexpr(channel, {method: method, params: params}, {timeout: patience})
    Check(type(answer) == v:t_dict && !empty(answer), 'timed out: ' .. method)
    return answer
  }

  const hello = Call('initialize', {processId: getpid(), capabilities: {confirm: {}}})
  Check(hello.result.serverInfo.name == 'daybook', 'initialize', hello)
  ch_sendexpr(channel, {method: 'initialized', params: {}})

  const meal = Call('meals/add', {name: name, calories: 350, day: day}).result.meal
  Check(meal.name ==# name && meal.day == day, 'meals/add', meal)
  Await('mealsChanged', () => indexof(events, (_, e) => e.method == 'mealsChanged') >= 0)
  const event = events[indexof(events, (_, e) => e.method == 'mealsChanged')].params
  Check(event.origin == 'thisFrontend', 'origin', event)
  Check(event.changes == [{id: meal.id, kind: 'added', day: day}], 'mealsChanged', event)

  const meals = Call('meals/list', {day: day}).result.meals
  Check(meals == [meal], 'meals/list', meals)

  # Vim before 9.0.1927 mistakes a request for the answer to its own pending one with that id (vim/vim#13158), so the
  # service's ids must differ from those of clients. Ten requests and ten questions at once would reveal an overlap.
  if Call('server/info', {}).result.build == 'debug'
    var said: list<dict<any>> = []
    const ask = {method: 'debug/ask', params: {message: '🥣?', default: false, timeoutMs: 60000}}
    for _ in range(10)
      ch_sendexpr(channel, ask, {callback: (_, answer) => add(said, answer)})
    endfor
    Await('debug/ask', () => len(said) == 10)
    for answer in said
      Check(has_key(answer, 'result') && answer.result.answered && answer.result.confirmed, 'the question', answer)
    endfor
  endif

  const refusal = Call('meals/add', {name: name, calories: 99999})
  Check(!has_key(refusal, 'result') && refusal.error.code == -32602, 'code', refusal)
  Check(refusal.error.data.name == 'invalidParams' && refusal.error.data.pointer == '/calories', 'data', refusal)

  const stopped = Call('shutdown', null)
  Check(has_key(stopped, 'result') && stopped.result == null, 'shutdown', stopped)
  ch_sendexpr(channel, {method: 'exit'})
  Await('exit', () => status != -1)
  Check(status == 0, 'exit status', status)
enddef

try
  Session()
catch
  Say(v:exception .. ' at ' .. v:throwpoint)
  cquit 1
endtry
qall!
