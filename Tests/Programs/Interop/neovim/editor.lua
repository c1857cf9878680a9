-- Neovim as an editor: vim.lsp.start_client does the handshake with its own long capabilities, dispatches events to
-- handlers, attaches to a buffer (didOpen, didChange, which the service must ignore) and stops on its own.
local patience = 60000 * tonumber(vim.env.TIME_SCALE or 1)
local day, name = '2026-01-05', 'Oat bowl 🥣 für zwei'

local function run()
  local version = vim.version()
  print(('version: %d.%d.%d\n'):format(version.major, version.minor, version.patch))

  local events, errors, hello, exit = {}, {}, nil, nil
  vim.lsp.handlers['mealsChanged'] = function(_, params, context)
    table.insert(events, { params = params, client = context.client_id })
  end
  vim.lsp.handlers['client/confirm'] = function(_, params) return { confirmed = params.message == '🥣?' } end
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.confirm = vim.empty_dict()
  local id = vim.lsp.start_client({
    name = 'daybook',
    cmd = { vim.env.DAYBOOK, '--data', vim.env.DAYBOOK_DATA },
    capabilities = capabilities,
    root_dir = vim.env.DAYBOOK_DATA,
    init_options = { timeZone = 'Pacific/Auckland' },
    settings = { daybook = vim.empty_dict() },
    trace = 'off',
    on_init = function(_, result) hello = result end,
    on_error = function(code, err) table.insert(errors, { code = code, err = err }) end,
    on_exit = function(code, signal) exit = { code = code, signal = signal } end,
  })
  assert(id, 'the service did not start')

  local function await(what, done)
    assert(vim.wait(patience, done, 5), 'timed out: ' .. what)
    assert(#errors == 0, 'client error: ' .. vim.inspect(errors))
  end
  await('initialize', function() return hello and vim.lsp.get_client_by_id(id) end)
  assert(hello.serverInfo.name == 'daybook' and hello.route == 'onboarding', vim.inspect(hello))
  assert(hello.timeZone == 'Pacific/Auckland', 'initializationOptions are read: ' .. vim.inspect(hello))

  local client = vim.lsp.get_client_by_id(id)
  local function call(method, params)
    local answer, reason = client.request_sync(method, params, patience, 0)
    assert(answer, method .. ': ' .. tostring(reason))
    return answer.result, answer.err
  end

  assert(vim.lsp.buf_attach_client(0, id))
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'A line the service never asked for' })
  client.notify('workspace/didChangeConfiguration', { settings = client.config.settings })

  local added, refused = call('meals/add', { name = name, calories = 350, day = day })
  assert(not refused, vim.inspect(refused))
  local meal = added.meal
  assert(meal.name == name and meal.zone == 'Pacific/Auckland', vim.inspect(meal))
  await('mealsChanged', function() return #events > 0 end)
  assert(#events == 1 and events[1].client == id, vim.inspect(events))
  local change = events[1].params.changes[1]
  assert(change.id == meal.id and change.day == day and change.kind == 'added', vim.inspect(events))

  local meals = call('meals/list', { day = day }).meals
  assert(#meals == 1 and meals[1].id == meal.id and meals[1].name == name, vim.inspect(meals))

  if call('server/info').build == 'debug' then
    local said = call('debug/ask', { message = '🥣?', default = false, timeoutMs = 60000 })
    assert(said.answered and said.confirmed, vim.inspect(said))
  end

  local value, err = call('meals/add', { name = name, calories = 99999 })
  assert(value == nil and err.code == -32602, vim.inspect(err))
  assert(err.data.name == 'invalidParams' and err.data.pointer == '/calories', vim.inspect(err))

  client.stop()
  await('exit', function() return exit end)
  assert(exit.code == 0 and exit.signal == 0, vim.inspect(exit))
end

local ok, message = xpcall(run, debug.traceback)
if not ok then
  io.stderr:write(tostring(message), '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
