---@brief
---
--- https://github.com/selector-lens/selector-lens
---
--- Labels and selectors in Kubernetes manifests: what a selector matches, and what is invalid.
---
--- `selector-lens` can be installed with `npm`:
---
--- ```sh
--- npm install --global selector-lens
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'selector-lens', 'lsp', '--stdio' },
  filetypes = { 'yaml', 'yaml.helm-values', 'helm', 'json' },
  root_markers = { '.selector-lens.yaml', '.git' },
}
