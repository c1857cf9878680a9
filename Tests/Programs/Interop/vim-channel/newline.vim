vim9script
# A Vim script without the LSP channel: one JSON text per line, answers matched to requests by hand.

const day = '2026-01-05'
const name = 'Oat bowl 🥣 für zwei'
const patience = float2nr(60000 * str2float($TIME_SCALE ?? '1'))

var events: list<dict<any>> = []
var lastId = 0
var status = -1

def Say(line: string)
  writefile([line], '/dev/stdout', 'a')
enddef

def Check(condition: bool, what: string, value: any = '')
  if !condition
    throw $'{what}: {json_encode(value)}'
  endif
enddef

def Send(channel: channel, message: dict<any>)
  ch_sendraw(channel, json_encode(extend({jsonrpc: '2.0'}, message)) .. "\n")
enddef

# The next message; `ch_read` waits for a whole line.
def Receive(channel: channel): dict<any>
  const line: any = ch_read(channel, {timeout: patience})
  Check(type(line) == v:t_string && line != '', 'timed out', ch_status(channel))
  return json_decode(line)
enddef

def Call(channel: channel, method: string, params: any): dict<any>
  ++lastId
  Send(channel, {id: lastId, method: method, params: params})
  var message = Receive(channel)
  while has_key(message, 'method')
    add(events, message)
    message = Receive(channel)
  endwhile
  Check(message.id == lastId, 'an answer to another question', message)
  return message
enddef

def Session()
  # v:versionlong names the highest patch, which a distribution may have applied on its own.
  Say($'version: {v:version / 100}.{v:version % 100}, patches {matchstr(execute("version"), 'patches: \zs[^,[:cntrl:]]*')}')
  const job = job_start([$DAYBOOK, '--data', $DAYBOOK_DATA], {
    in_mode: 'raw', out_mode: 'nl', err_io: 'null', drop: 'never',
    exit_cb: (_, code) => {
      status = code
    }})
  Check(job_status(job) == 'run', 'the service did not start')
  const channel = job_getchannel(job)

  const hello = Call(channel, 'initialize', {processId: getpid(), capabilities: {}})
  Check(hello.result.serverInfo.name == 'daybook', 'initialize', hello)
  Send(channel, {method: 'initialized', params: {}})

  const meal = Call(channel, 'meals/add', {name: name, calories: 350, day: day}).result.meal
  Check(meal.name ==# name && meal.day == day, 'meals/add', meal)
  while indexof(events, (_, e) => e.method == 'mealsChanged') < 0
    add(events, Receive(channel))
  endwhile
  const event = events[indexof(events, (_, e) => e.method == 'mealsChanged')].params
  Check(event.origin == 'thisFrontend', 'origin', event)
  Check(event.changes == [{id: meal.id, kind: 'added', day: day}], 'mealsChanged', event)

  const meals = Call(channel, 'meals/list', {day: day}).result.meals
  Check(meals == [meal], 'meals/list', meals)

  const refusal = Call(channel, 'meals/add', {name: name, calories: 99999})
  Check(!has_key(refusal, 'result') && refusal.error.code == -32602, 'code', refusal)
  Check(refusal.error.data.name == 'invalidParams' && refusal.error.data.pointer == '/calories', 'data', refusal)

  const stopped = Call(channel, 'shutdown', {})
  Check(has_key(stopped, 'result') && stopped.result == null, 'shutdown', stopped)
  Send(channel, {method: 'exit'})
  const start = reltime()
  while status == -1
    Check(reltimefloat(reltime(start)) * 1000 < patience, 'timed out: exit')
    sleep 5m  # lets `exit_cb` run
  endwhile
  Check(status == 0, 'exit status', status)
enddef

try
  Session()
catch
  Say(v:exception .. ' at ' .. v:throwpoint)
  cquit 1
endtry
qall!
