-- Neovim's vim.lsp.rpc alone: numeric ids, `params: []` for an empty table, no params for nil, slashes escaped.
local patience = 60000 * tonumber(vim.env.TIME_SCALE or 1)
local day, name = '2026-01-05', 'Oat bowl 🥣 für zwei'

local function run()
  local version = vim.version()
  print(('version: %d.%d.%d\n'):format(version.major, version.minor, version.patch))

  local events, questions, errors, exit = {}, {}, {}, nil
  local dispatchers = {
    notification = function(method, params) table.insert(events, { method = method, params = params }) end,
    server_request = function(method, params)
      table.insert(questions, { method = method, params = params })
      return { confirmed = true }
    end,
    on_error = function(...) table.insert(errors, { ... }) end,
    on_exit = function(code, signal) exit = { code = code, signal = signal } end,
  }
  local arguments = { '--data', vim.env.DAYBOOK_DATA }
  local client
  if vim.fn.has('nvim-0.11') == 1 then
    client = vim.lsp.rpc.start(vim.list_extend({ vim.env.DAYBOOK }, arguments), dispatchers)
  else
    client = vim.lsp.rpc.start(vim.env.DAYBOOK, arguments, dispatchers)
  end
  assert(client, 'the service did not start')

  local function await(what, done)
    assert(vim.wait(patience, done, 5), 'timed out: ' .. what)
    assert(#errors == 0, 'client error: ' .. vim.inspect(errors))
  end
  local function call(method, params)
    local answer
    assert(client.request(method, params, function(err, result) answer = { err = err, result = result } end))
    await(method, function() return answer end)
    return answer.result, answer.err
  end
  local function result(method, params)
    local value, err = call(method, params)
    assert(not err, method .. ': ' .. vim.inspect(err))
    return value
  end

  local hello = result('initialize', { processId = vim.fn.getpid(), capabilities = { confirm = vim.empty_dict() } })
  assert(hello.serverInfo.name == 'daybook' and hello.protocolVersion == 1, vim.inspect(hello))
  client.notify('initialized', {})

  local meal = result('meals/add', { name = name, calories = 350, day = day }).meal
  assert(meal.name == name and meal.day == day, vim.inspect(meal))
  local event
  await('mealsChanged', function()
    for _, e in ipairs(events) do if e.method == 'mealsChanged' then event = e.params end end
    return event
  end)
  assert(#event.changes == 1 and event.origin == 'thisFrontend', vim.inspect(event))
  local change = event.changes[1]
  assert(change.id == meal.id and change.day == day and change.kind == 'added', vim.inspect(event))

  local meals = result('meals/list', { day = day }).meals
  assert(#meals == 1 and meals[1].id == meal.id and meals[1].name == name, vim.inspect(meals))
  assert(result('session/get', {}).route == 'onboarding', '`params: []` is no params')

  if result('server/info').build == 'debug' then
    local said = result('debug/ask', { message = '🥣?', default = false, timeoutMs = 60000 })
    assert(said.answered and said.confirmed, vim.inspect(said))
    assert(#questions == 1 and questions[1].method == 'client/confirm', vim.inspect(questions))
    assert(questions[1].params.message == '🥣?', vim.inspect(questions))
  end

  local value, err = call('meals/add', { name = name, calories = 99999 })
  assert(value == nil and err.code == -32602, vim.inspect(err))
  assert(err.data.name == 'invalidParams' and err.data.pointer == '/calories', vim.inspect(err))

  local _, refused = call('shutdown', nil)
  assert(not refused, vim.inspect(refused))
  client.notify('exit')
  await('exit', function() return exit end)
  assert(exit.code == 0 and exit.signal == 0, vim.inspect(exit))
end

local ok, message = xpcall(run, debug.traceback)
if not ok then
  io.stderr:write(tostring(message), '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
