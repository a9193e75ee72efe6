;;; try.el --- Tries the entry in Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;; Prints the diagnostics of FILE, with Eglot or lsp-mode, and ends:
;; emacs --batch -L . -l try.el -f selector-lens-try-eglot FILE
;; emacs --batch -L . -l try.el -f selector-lens-try-lsp FILE
;; In Debian, both and yaml-mode are packages: elpa-eglot, elpa-lsp-mode, elpa-yaml-mode.

;;; Code:

(require 'flymake)
(package-initialize)
(require 'yaml-mode)
(require 'selector-lens)

(defvar lsp-enabled-clients)
(defvar lsp-auto-guess-root)
(defvar lsp-diagnostics-provider)
(declare-function eglot-ensure "eglot")
(declare-function eglot--guess-contact "eglot")
(declare-function lsp "lsp-mode")

(defun selector-lens-try (start)
  "Open the file of the command line, call START, wait for diagnostics and print them."
  (find-file (pop command-line-args-left))
  (yaml-mode)
  (funcall start)
  (flymake-mode 1)
  (let ((end (+ (float-time) 60)))
    (while (and (null (flymake-diagnostics)) (< (float-time) end))
      (accept-process-output nil 0.1)
      (flymake-start)))
  (dolist (each (flymake-diagnostics))
    (princ (format "%d: %s\n" (line-number-at-pos (flymake-diagnostic-beg each)) (flymake-diagnostic-text each))))
  (kill-emacs (if (flymake-diagnostics) 0 1)))

(defun selector-lens-try-eglot ()
  "Print the diagnostics that Eglot receives."
  (require 'eglot)
  (selector-lens-try (lambda () (apply #'eglot (eglot--guess-contact)))))

(defun selector-lens-try-lsp ()
  "Print the diagnostics that lsp-mode receives."
  (require 'lsp-mode)
  (require 'lsp-diagnostics)
  (setq lsp-enabled-clients '(selector-lens) lsp-diagnostics-provider :flymake lsp-auto-guess-root t)
  (selector-lens-try #'lsp))

(provide 'try)
;;; try.el ends here
