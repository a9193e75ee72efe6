;;; selector-lens.el --- Kubernetes labels and selectors with Eglot -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "29.1"))
;; URL: https://github.com/selector-lens/selector-lens

;;; Commentary:

;; Starts the language server of Selector Lens for YAML.  Eglot runs one server in each buffer; to run it next to
;; yaml-language-server, use lsp-mode with `:add-on? t', as at the end of this file.

;;; Code:

(defvar eglot-server-programs)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((yaml-mode yaml-ts-mode) . ("selector-lens" "lsp" "--stdio"))))

(declare-function lsp-register-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")

(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("selector-lens" "lsp" "--stdio"))
                    :major-modes '(yaml-mode yaml-ts-mode json-mode json-ts-mode)
                    :server-id 'selector-lens
                    :add-on? t)))

(provide 'selector-lens)
;;; selector-lens.el ends here
