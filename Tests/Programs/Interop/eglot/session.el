;;; session.el --- eglot manages a buffer with the service  -*- lexical-binding: t -*-

;; The whole editor: a 2 kB `initialize' with a numeric processId, didOpen, didChange and didChangeConfiguration, which
;; the service must ignore, and SIGKILL right after `exit', so that everything acknowledged must already be on disk.

(require 'cl-lib)

(unless (require 'eglot nil t)
  (add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
  (package-initialize)
  (require 'eglot))

(setq debug-on-error nil)

(defvar patience (* 60 (string-to-number (or (getenv "TIME_SCALE") "1"))))
(defvar day "2026-01-05")
(defvar meal-name "Oat bowl 🥣 für zwei")
(setq eglot-autoreconnect nil
      eglot-autoshutdown nil)

(defvar events nil "Params of `mealsChanged', latest first.")

(defclass daybook-server (eglot-lsp-server) ()
  :documentation "A server that may ask the user.")

(cl-defmethod eglot-client-capabilities ((_server daybook-server))
  "What every server is told, and that it may ask."
  (append (cl-call-next-method) (list :confirm eglot--{})))

(cl-defmethod eglot-handle-request ((_server daybook-server) (_method (eql client/confirm)) &key message &allow-other-keys)
  "Say yes to MESSAGE if it is the one expected."
  (list :confirmed (if (equal message "🥣?") t :json-false)))

(cl-defmethod eglot-handle-notification (_server (_method (eql mealsChanged)) &rest params)
  "Remember PARAMS."
  (push params events))

(defun check (condition what &optional value)
  "Fail with WHAT and VALUE unless CONDITION holds."
  (unless condition (error "%s: %S" what value)))

(defun await (what done)
  "Read output until DONE returns non-nil; fail with WHAT after `patience' seconds."
  (with-timeout (patience (error "Timed out: %s" what))
    (let (value)
      (while (not (setq value (funcall done)))
        (accept-process-output nil 0.01))
      value)))

(define-derived-mode daybook-mode fundamental-mode "Daybook" "A mode for eglot to manage.")

(defun connect (file)
  "Visit FILE and return the server that manages it."
  (find-file file)
  (daybook-mode)
  (let ((eglot-sync-connect t)
        (eglot-connect-timeout patience)
        (eglot-server-programs
         `((daybook-mode . (daybook-server ,(getenv "DAYBOOK") "--data" ,(getenv "DAYBOOK_DATA"))))))
    (apply #'eglot (eglot--guess-contact)))
  (let ((server (eglot-current-server)))
    (check (and server (eglot-managed-p)) "eglot does not manage the buffer" (current-buffer))
    server))

(defun gone (process)
  "Wait until PROCESS is reaped, and return how it ended."
  (let ((pid (process-id process)))
    (await "exit" (lambda () (and (not (process-live-p process)) (/= 0 (signal-process pid 0)))))
    (list (process-status process) (process-exit-status process))))

(defun call (server method params)
  "Ask SERVER for METHOD with PARAMS."
  (jsonrpc-request server method params :timeout patience))

(defun call-async (server method params)
  "Ask SERVER for METHOD with PARAMS, and take what comes while waiting.
In a synchronous request the answer is a `throw' out of jsonrpc.el's process
filter, and a message that arrived together with it lies in the buffer until
there is more output: in Emacs 28 an event right behind an answer is late."
  (let (answer)
    (jsonrpc-async-request server method params :timeout patience
                           :success-fn (lambda (result) (setq answer (list result)))
                           :error-fn (lambda (refusal) (setq answer (list refusal)))
                           :timeout-fn #'ignore)
    (car (await method (lambda () answer)))))

(defun session ()
  (message "version: eglot %s on Emacs %s"
           (if (boundp 'eglot--version) eglot--version
             (let ((found (cadr (assq 'eglot package-alist)))
                   (built-in (assq 'eglot package--builtins)))
               (cond (found (package-version-join (package-desc-version found)))
                     (built-in (package-version-join (aref (cdr built-in) 0)))
                     (t "of unknown version"))))
           emacs-version)
  (let* ((folder (file-name-as-directory (make-temp-file "daybook-eglot" t)))
         (file (expand-file-name "scratch.daybook" folder)))
    (unwind-protect
        (let* ((server (connect file))
               (process (jsonrpc--process server))
               meal)
          (check (equal (plist-get (eglot--server-info server) :name) "daybook") "serverInfo" (eglot--server-info server))
          (insert "A line the service never asked for 🥣\n")
          (eglot--signal-textDocument/didChange)
          (basic-save-buffer)

          (setq meal (plist-get (call-async server :meals/add `(:name ,meal-name :calories 350 :day ,day)) :meal))
          (check (equal (plist-get meal :name) meal-name) "The name comes back" meal)
          (let* ((event (await "mealsChanged" (lambda () (car events))))
                 (changes (plist-get event :changes))
                 (change (aref changes 0)))
            (check (and (= (length changes) 1)
                        (equal (plist-get change :id) (plist-get meal :id))
                        (equal (plist-get change :day) day)
                        (equal (plist-get change :kind) "added"))
                   "mealsChanged" event))
          (let ((meals (plist-get (call server :meals/list `(:day ,day)) :meals)))
            (check (and (= (length meals) 1) (equal (aref meals 0) meal)) "meals/list" meals))

          (when (equal (plist-get (call server :server/info nil) :build) "debug")
            (let ((said (call server :debug/ask '(:message "🥣?" :default :json-false :timeoutMs 60000))))
              (check (and (eq (plist-get said :answered) t) (eq (plist-get said :confirmed) t)) "The question" said)))

          (let* ((refusal (condition-case refusal
                              (progn (call server :meals/add `(:name ,meal-name :calories 99999)) nil)
                            (jsonrpc-error (cdr refusal))))
                 (data (alist-get 'jsonrpc-error-data refusal)))
            (check (and (equal (alist-get 'jsonrpc-error-code refusal) -32602)
                        (equal (plist-get data :name) "invalidParams")
                        (equal (plist-get data :pointer) "/calories"))
                   "The refusal" refusal))

          (eglot-shutdown server nil patience)
          ;; `exit' and SIGKILL race; either may win.
          (let ((ending (gone process)))
            (check (member ending '((exit 0) (signal 9))) "exit" ending)
            (message "ended by %S" ending))

          ;; SIGKILL loses nothing that was acknowledged, and the folder is unlocked.
          (setq server (connect file))
          (let ((meals (plist-get (call server :meals/list `(:day ,day)) :meals)))
            (check (and (= (length meals) 1) (equal (aref meals 0) meal)) "meals/list after SIGKILL" meals))
          (setq process (jsonrpc--process server))
          (eglot-shutdown server nil patience)
          (gone process))
      (delete-directory folder t))))

(condition-case failure
    (session)
  (error (message "%s" (error-message-string failure))
         (dolist (buffer (buffer-list))
           (when (string-match-p "EGLOT.*events" (buffer-name buffer))
             (message "%s" (with-current-buffer buffer (buffer-string)))))
         (kill-emacs 1)))
