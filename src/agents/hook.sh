#!/bin/sh
# Run by an agent's hook: sh hook.sh <agent> <event>, with the event's JSON on standard input.
#
# It exits at once if no message waits for exactly this session and no quality gate judges it or its folder. It then starts only `cat`, which empties
# standard input so that the agent never writes into a closed pipe, and `dd` if only the payload names the session. Only if a message waits does
# it start a JavaScript runtime with hook.js, which takes the message and answers.
#
# It can neither break nor block the agent: every failure ends with nothing printed and exit code 0, and hook.log next to this file says why.
# Exit code 2 is passed on only for FileChanged, where it wakes an idle agent; elsewhere it would refuse a call or stop a turn.
LC_ALL=C
umask 077
agent=${1-}
event=${2-}
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
case $here in /* | [A-Za-z]:*) ;; *) here=$PWD/$here ;; esac
# Errors below go to the log. Only the text that wakes an agent goes to standard error.
[ "$event" = FileChanged ] || exec 2>/dev/null

leave() {
  [ -t 0 ] || cat >/dev/null 2>&1
  exit 0
}

log() {
  if [ -f "$here/hook.log" ] && [ "$(wc -c <"$here/hook.log")" -gt 65536 ]; then mv -f "$here/hook.log" "$here/hook.log.1"; fi
  printf '%s %s %s: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$agent" "$event" "$1" >>"$here/hook.log"
} 2>/dev/null

# The part of the payload that was read; standard input holds the rest.
payload=

# Reads the beginning of the payload, which names the caller. dd consumes no more bytes than it prints, however long the payload is.
read_head() { [ -t 0 ] || payload=$(dd bs=4096 count=1 2>/dev/null); }

# Puts the string of a field into `text`; empty if the field does not come before the content of the call itself.
text_of() {
  text=
  case $head in *"\"$1\":\""*) ;; *) return ;; esac
  text=${head#*"\"$1\":\""}
  text=${text%%'"'*}
}

# Puts the name of a session's folder into `folder`; if only hook.js can determine it, a pattern that matches more.
name_folder() {
  folder=$1
  case $1 in
  '') folder='*' ;;
  *\\*) folder='s-*' ;;
  *[!A-Za-z0-9_-]*) digest "$1" ;;
  esac
  [ "${#folder}" -le 64 ] || digest "$1"
}

digest() {
  folder=s-$(printf '%s' "$1" | { sha256sum || shasum -a 256; } 2>/dev/null | cut -c 1-16)
  [ "${#folder}" = 18 ] || folder='s-*'
}

# True if one of the inboxes has such an entry.
has() {
  for path in "$here"/roots/*/.unstuck/inbox$1; do [ -e "$path" ] && return 0; done
  return 1
}

# The name of a message: a ULID.
c='[0-9A-HJKMNP-TV-Z]'
c=$c$c$c$c$c
id=[0-7]$c$c$c$c$c

# True if a message waits in this folder. A link cannot be taken, nor can a message that is also in `cur`: it was already delivered.
waits() {
  for message in "$here"/roots/*/.unstuck/inbox/$1/new/$id.json; do
    [ -f "$message" ] && [ -r "$message" ] && [ ! -h "$message" ] && [ ! -e "${message%/new/*}/cur/${message##*/}" ] && return 0
  done
  return 1
}

# Records that the agent has called.
prove() { [ -e "$here/proofs/$proof" ] || { printf '' >"$here/proofs/$proof"; } 2>/dev/null; }

# VS Code's chat agent runs the hooks of Copilot CLI, too. Its input names the event and the session differently, and its sub-agents call with the
# session of their parent, so hook.js checks whose call it is.
be_vscode_chat() {
  agent=vscode-chat
  event=$text
  text_of session_id
  name_folder "$text"
  case $folder in *'*') leave ;; esac
  proof=$agent.$folder
  prove
  case $event/$folder in
  PreToolUse/* | Stop/*) if waits "$folder"; then deliver; fi ;;
  PostToolUse/*) record ;;
  esac
  leave
}

# Prints the outcome of a call, from the payload: its folder on the first line, the record on the second. A shell would be slow with a long text.
# All of standard input is read.
outcome_of() {
  { printf '%s' "$payload" && cat; } | awk '
    function last(mark,   at, from, n) {
      while (n++ < 100 && (at = index(substr(whole, from + 1), mark))) from += at
      return from
    }
    function text(from, mark,   value) {
      value = substr(whole, from + length(mark))
      return substr(value, 1, index(value, "\"") - 1)
    }
    length(whole) < 200000 { whole = whole $0 }
    END {
      if (length(whole) > 200000) exit
      use = last(",\"tool_use_id\":\"")
      response = last(",\"tool_response\":\"")
      folder = last(",\"cwd\":\"")
      name = index(whole, ",\"tool_name\":\"")
      time = index(whole, "\"timestamp\":\"")
      if (!time || !name || response < name || use < response || folder < use) exit
      call = text(use, ",\"tool_use_id\":\"")
      cwd = text(folder, ",\"cwd\":\"")
      tool = text(name, ",\"tool_name\":\"")
      at = text(time, "\"timestamp\":\"")
      if (call !~ /^[A-Za-z0-9_-]+$/ || tool !~ /^[A-Za-z0-9_.-]+$/ || at !~ /^[0-9TZ:.-]+$/ || cwd == "" || index(cwd, "\\")) exit
      from = response + length(",\"tool_response\":")
      printf "%s\n", cwd
      printf "{\"v\":1,\"t\":\"%s\",\"hook\":\"PostToolUse\",\"call\":\"%s\",\"tool\":\"%s\",\"output\":%s}\n", at, call, tool, substr(whole, from, use - from)
    }'
}

# Records the outcome of a call next to the messages (docs/inbox.md): VS Code itself saves it up to a minute later.
record() {
  outcome=$(outcome_of)
  cwd=${outcome%%"$newline"*}
  [ -n "$cwd" ] && cd -P "$cwd" || return
  project=$PWD
  root=
  for path in "$here"/roots/*; do
    cd -P "$path" || continue
    case $project/ in "$PWD"/*) [ "${#PWD}" -le "${#root}" ] || root=$PWD ;; esac
  done
  inbox=$root/.unstuck/inbox
  if [ -z "$root" ] || [ ! -f "$root/.unstuck/.gitignore" ] || [ -h "$root/.unstuck" ] || [ -h "$inbox" ] || [ -h "$inbox/$folder" ]; then return; fi
  file=$inbox/$folder/calls.jsonl
  if [ -h "$file" ] || { [ -e "$file" ] && [ ! -f "$file" ]; }; then return; fi
  [ -d "$inbox/$folder" ] || mkdir -p "$inbox/$folder" || return
  if [ -f "$file" ] && [ "$(wc -c <"$file")" -gt 2000000 ]; then : >"$file"; fi
  printf '%s\n' "${outcome#*"$newline"}" >>"$file"
}
newline='
'

# Runs hook.js with all of standard input, including the part that was already read.
run() {
  if [ -n "$payload" ]; then { printf '%s' "$payload" && cat; } | "$@"; else "$@"; fi
}

# Starts the first runtime that can be run. It reads standard input and answers.
deliver() {
  while IFS= read -r runtime <&3; do
    [ -f "$runtime" ] && [ -x "$runtime" ] || continue
    run env UNSTUCK_CALLER=$PPID NODE_OPTIONS='' NODE_NO_WARNINGS=1 ELECTRON_RUN_AS_NODE=1 "$runtime" "$here/hook.js" "$agent" "$event" 3<&-
    status=$?
    [ "$status" = 0 ] && exit 0
    [ "$status" = 2 ] && [ "$event" = FileChanged ] && exit 2
    log "$runtime ended with $status"
    leave
  done 3<"$here/runtime"
  log 'no JavaScript runtime could be run'
  leave
}

# Other programs run the hooks of Claude Code's settings, too, and expect an answer in their own form. An unknown program gets none.
if [ "$agent" = claude-code ]; then
  if [ -n "${GROK_HOOK_EVENT-}" ]; then
    agent=grok-build
  elif [ -n "${CURSOR_VERSION-}" ]; then
    agent=cursor
  elif [ -z "${CLAUDE_CODE_ENTRYPOINT-}" ]; then
    proof=unknown-caller
    [ -e "$here/proofs/$proof" ] || log 'called by an unknown program, which gets no message'
    prove
    leave
  fi
fi

# Outside a terminal the text of FileChanged is lost.
if [ "$agent/$event" = claude-code/FileChanged ] && [ "${CLAUDE_CODE_ENTRYPOINT-}" != cli ]; then leave; fi

# Determines whose call it is. Messages in other folders cost this agent nothing: a repository may contain messages for no existing session.
case $agent in
claude-code) name_folder "${CLAUDE_CODE_SESSION_ID-}" ;;
gemini-cli) name_folder "${GEMINI_SESSION_ID-}" ;;
grok-build) name_folder "${GROK_SESSION_ID-}" ;;
crush) name_folder "${CRUSH_SESSION_ID-}" ;;
*) folder='*' ;;
esac
# The call itself proves the connection: an empty file records it, once for each session whose name is available at no cost.
proof=$agent
[ "$folder" = '*' ] || proof=$proof.$folder
# VS Code may be running its file.
[ "$agent" = copilot-cli ] || prove
case $agent/$event/$folder in
# It names a sub-agent after the call, which may be long, and only here gives its parent as the session.
copilot-cli/permissionRequest/*) if has '' && [ ! -t 0 ]; then payload=$(cat 2>/dev/null); fi ;;
# It may be VS Code, whose calls are recorded even if no message waits.
copilot-cli/preToolUse/* | copilot-cli/postToolUse/* | copilot-cli/agentStop/* | copilot-cli/userPromptSubmitted/*) read_head ;;
*/\*) if has ''; then read_head; fi ;;
# Calls of a sub-agent come with the session of its parent.
claude-code/*) if waits "$folder" || has '/agent-*'; then read_head; fi ;;
esac
if [ -n "$payload" ]; then
  head=${payload%%'"tool'*}
  text_of hook_event_name
  if [ "$agent" = copilot-cli ] && [ -n "$text" ]; then be_vscode_chat; fi
  case $agent in
  cursor) text_of conversation_id ;;
  *) text_of session_id ;;
  esac
  [ -n "$text" ] || text_of sessionId
  [ -n "$text" ] || text_of rootSessionId
  [ "$folder" != '*' ] || name_folder "$text"
  text_of agent_id
  case $agent/$event in
  claude-code/*) text=${text:+agent-$text} ;;
  cline/*) text= ;;
  copilot-cli/permissionRequest) text=$(printf '%s' "$payload" | sed -n 's/.*"agentId":"\([^"]*\)".*/\1/p') ;;
  esac
  [ -z "$text" ] || name_folder "$text"
fi
[ "$agent" != copilot-cli ] || prove

if waits "$folder"; then deliver; fi

# In print mode the end of the turn is the end of the agent. If a window has announced a verdict on this session, or on any session in its folder,
# hook.js waits for it.
case $agent/$event in
claude-code/Stop) [ "${CLAUDE_CODE_ENTRYPOINT-}" = cli ] || ends=yes ;;
codex/Stop | gemini-cli/AfterAgent | copilot-cli/agentStop) ends=yes ;;
*) ends= ;;
esac
if [ -n "${ends-}" ]; then
  for gate in "$here"/roots/*/.unstuck/inbox/$folder/gate.json "$here"/roots/*/.unstuck/gate-*.json; do
    if [ -f "$gate" ]; then deliver; fi
  done
fi

# The files to watch: the wake file of this session in each recorded folder that contains the project and has an inbox.
if [ "$agent/$event/${CLAUDE_CODE_ENTRYPOINT-}" = claude-code/SessionStart/cli ] && cd -P "${CLAUDE_PROJECT_DIR:-.}"; then
  project=$PWD
  watch=
  for root in "$here"/roots/*; do
    cd -P "$root" || continue
    case $project/ in
    "$PWD"/*) ;;
    # The agent works above a recorded folder: hook.js finds out whether both belong to one work tree.
    *) case $PWD/ in "$project"/*) deliver ;; *) continue ;; esac ;;
    esac
    inbox=$PWD/.unstuck/inbox/$folder
    # Names that need escaping in JSON, and unknown ones, are left to hook.js.
    case $inbox in *[[:cntrl:]\"\\*]*) deliver ;; esac
    [ -d "$PWD/.unstuck" ] || continue
    # Anything missing or unusual is left to hook.js, too.
    [ -f "$PWD/.unstuck/.gitignore" ] || deliver
    if [ -h "$PWD/.unstuck" ] || [ -h "$PWD/.unstuck/inbox" ] || [ -h "$inbox" ]; then deliver; fi
    [ -d "$inbox" ] || mkdir -p "$inbox" || continue
    watch="$watch${watch:+,}\"$inbox/wake\""
  done
  if [ -n "$watch" ]; then
    printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","watchPaths":[%s]}}' "$watch"
  else
    # The project may be a work tree of a repository whose folder is recorded: hook.js finds out.
    while [ -n "$project" ]; do
      if [ -f "$project/.git" ]; then deliver; fi
      project=${project%/*}
    done
  fi
fi
leave
