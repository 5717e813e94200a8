-- Asks a real Neovim what its user would ask, and prints the answers as one line of JSON.
-- The raw transcript is $RAW, its readable form $READABLE.

local PATIENCE = 20000

local function until_true(what, holds)
  if not vim.wait(PATIENCE, holds, 20) then
    error(what .. " never came true")
  end
end

local function open(name)
  vim.cmd.edit(vim.fn.fnameescape(name))
  until_true("a server for " .. name, function()
    return #vim.lsp.get_clients({ bufnr = 0, name = "forkpoint" }) > 0
  end)
end

-- What a command of Neovim's would put into its list.
local function listed(ask)
  local found
  ask({
    on_list = function(list)
      found = list.items
    end,
  })
  until_true("a list", function()
    return found ~= nil
  end)
  return vim.tbl_map(function(item)
    return { item.lnum, item.text:gsub("^%[%w+%] ", ""):sub(1, 40) }
  end, found)
end

local function at(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column or 0 })
end

local function hovered()
  vim.lsp.buf.hover()
  local window
  until_true("a hover", function()
    for _, each in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(each).relative ~= "" then
        window = each
        return true
      end
    end
    return false
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  vim.api.nvim_win_close(window, true)
  return lines
end

local function problems()
  until_true("a problem", function()
    return #vim.diagnostic.get(0) > 0
  end)
  return vim.tbl_map(function(each)
    return { each.lnum + 1, each.code, each.severity }
  end, vim.diagnostic.get(0))
end

-- The fold that begins on each line, as Neovim lays it out.
local function folds()
  vim.wo.foldmethod = "expr"
  vim.wo.foldexpr = "v:lua.vim.lsp.foldexpr()"
  vim.wo.foldminlines = 0
  until_true("a fold", function()
    vim.cmd("silent! normal! zx")
    return vim.fn.foldlevel(1) > 0 or vim.fn.foldlevel(7) > 0
  end)
  vim.cmd("normal! zM")
  local found = {}
  local line = 1
  while line <= vim.fn.line("$") do
    local last = vim.fn.foldclosedend(line)
    if last > 0 then
      table.insert(found, { line, last })
      line = last
    end
    line = line + 1
  end
  vim.cmd("normal! zR")
  return found
end

local function lenses()
  vim.lsp.codelens.refresh({ bufnr = 0 })
  until_true("a lens", function()
    return #vim.lsp.codelens.get(0) > 0
  end)
  return vim.tbl_map(function(lens)
    return { lens.range.start.line + 1, lens.command.title, lens.command.command }
  end, vim.lsp.codelens.get(0))
end

local function prompts(query)
  return listed(function(options)
    vim.lsp.buf.workspace_symbol(query, options)
  end)
end

local function run()
  local answers = {}
  open(vim.env.RAW)
  answers.filetype = vim.bo.filetype
  answers.outline = listed(vim.lsp.buf.document_symbol)
  at(5)
  answers.hover = hovered()
  at(7)
  answers.parent = listed(vim.lsp.buf.definition)
  at(4)
  answers.children = listed(function(options)
    vim.lsp.buf.references({ includeDeclaration = false }, options)
  end)
  answers.problems = problems()
  answers.folds = folds()
  answers.lenses = lenses()
  answers.prompts = prompts("round")

  open(vim.env.READABLE)
  local first = vim.fn.search("^## ", "cw")
  answers.readable = vim.fn.getline(first)
  answers.readableOutline = listed(vim.lsp.buf.document_symbol)
  answers.readableFolds = folds()
  at(first)
  answers.readableHover = hovered()[1]
  return answers
end

local done, found = xpcall(run, debug.traceback)
io.stdout:write(vim.json.encode(done and found or { failed = found }) .. "\n")
vim.cmd("qall!")
