-- Tries the entry in any Neovim since 0.7, with this command; prints the diagnostics, and ends:
-- nvim --headless --clean FILE -c 'luafile try.lua' -c 'cquit 2'
local folder = debug.getinfo(1, 'S').source:sub(2):match('(.*)/')
local entry = dofile(folder .. '/selector_lens.lua')
local client = vim.lsp.start_client({
  name = 'selector_lens',
  cmd = entry.cmd,
  root_dir = vim.fn.getcwd(),
  workspace_folders = { { uri = vim.uri_from_fname(vim.fn.getcwd()), name = 'work' } },
})
vim.lsp.buf_attach_client(0, client)
local found = vim.wait(60000, function()
  return #vim.diagnostic.get(0) > 0
end, 50)
for _, each in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(string.format('%d:%d: %s [%s]\n', each.lnum + 1, each.col + 1, each.message, each.code or ''))
end
vim.cmd(found and 'qall!' or 'cquit 1')
