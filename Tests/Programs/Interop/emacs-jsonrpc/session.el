;;; session.el --- jsonrpc.el as a client  -*- lexical-binding: t -*-

;; Sends `params: null' for nil, reads objects as property lists, and keeps its last words for the events buffer.

(require 'cl-lib)
(require 'jsonrpc)

(setq debug-on-error nil)

(defvar patience (* 60 (string-to-number (or (getenv "TIME_SCALE") "1"))))
(defvar day "2026-01-05")
(defvar meal-name "Oat bowl 🥣 für zwei")
(defvar events nil "Notifications received, latest first, each (METHOD PARAMS).")

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

(defun call-async (connection method params)
  "Ask for METHOD with PARAMS over CONNECTION, and take what comes while waiting.
In a synchronous request the answer is a `throw' out of jsonrpc.el's process
filter, and a message that arrived together with it lies in the buffer until
there is more output: in Emacs 28 an event right behind an answer is late."
  (let (answer)
    (jsonrpc-async-request connection method params :timeout patience
                           :success-fn (lambda (result) (setq answer (list result)))
                           :error-fn (lambda (refusal) (setq answer (list refusal)))
                           :timeout-fn #'ignore)
    (car (await method (lambda () answer)))))

(defun session ()
  (message "version: Emacs %s" emacs-version)
  (let* ((connection
          (jsonrpc-process-connection
           :name "daybook"
           :notification-dispatcher (lambda (_ method params) (push (list method params) events))
           :request-dispatcher (lambda (&rest _) nil)
           :process (lambda ()
                      (make-process :name "daybook"
                                    :command (list (getenv "DAYBOOK") "--data" (getenv "DAYBOOK_DATA"))
                                    :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                    :stderr (get-buffer-create "*daybook stderr*")))))
         (process (jsonrpc--process connection))
         (call (lambda (method params) (jsonrpc-request connection method params :timeout patience)))
         (hello (funcall call 'initialize '(:processId nil :capabilities nil :trace nil))))
    (check (equal (plist-get (plist-get hello :serverInfo) :name) "daybook") "initialize" hello)
    (jsonrpc-notify connection 'initialized nil)

    (let* ((meal (plist-get (call-async connection 'meals/add `(:name ,meal-name :calories 350 :day ,day)) :meal))
           (event (cadr (await "mealsChanged" (lambda () (assq 'mealsChanged events)))))
           (changes (plist-get event :changes))
           (change (aref changes 0)))
      (check (equal (plist-get meal :name) meal-name) "The name comes back" meal)
      (check (and (= (length changes) 1)
                  (equal (plist-get change :id) (plist-get meal :id))
                  (equal (plist-get change :day) day)
                  (equal (plist-get change :kind) "added")
                  (equal (plist-get event :origin) "thisFrontend"))
             "mealsChanged" event)
      (let ((meals (plist-get (funcall call 'meals/list `(:day ,day)) :meals)))
        (check (and (= (length meals) 1) (equal (aref meals 0) meal)) "meals/list" meals)))

    (check (equal (plist-get (funcall call 'session/get nil) :route) "onboarding") "`params: null' is no params")

    (let* ((refusal (condition-case refusal
                        (progn (funcall call 'meals/add `(:name ,meal-name :calories 99999)) nil)
                      (jsonrpc-error (cdr refusal))))
           (data (alist-get 'jsonrpc-error-data refusal)))
      (check (and (equal (alist-get 'jsonrpc-error-code refusal) -32602)
                  (equal (plist-get data :name) "invalidParams")
                  (equal (plist-get data :pointer) "/calories"))
             "The refusal" refusal))

    (check (null (funcall call 'shutdown nil)) "shutdown answers null")
    (jsonrpc-notify connection 'exit nil)
    (await "exit" (lambda () (not (process-live-p process))))
    (check (and (eq (process-status process) 'exit) (= (process-exit-status process) 0))
           "exit" (list (process-status process) (process-exit-status process)))))

(condition-case failure
    (session)
  (error (message "%s" (error-message-string failure))
         (let ((events (get-buffer "*daybook events*")))
           (when events (message "%s" (with-current-buffer events (buffer-string)))))
         (kill-emacs 1)))
