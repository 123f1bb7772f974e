#!/bin/sh
# What an agent's hook runs: sh hook.sh <agent> <event>, with the event's JSON on standard input.
#
# It leaves at once when no message waits for the agent and no quality gate judges it: nothing is started but `cat`, which empties standard input so that the agent never
# writes into a closed pipe. Only when a message waits does it start a JavaScript runtime with hook.js, which takes the message and answers.
#
# It can neither break nor block the agent: every failure ends with nothing printed and exit code 0, and hook.log beside this file says why.
# Exit code 2 is passed on for FileChanged alone, where it wakes an idle agent; elsewhere it would refuse a call or stop a turn.
LC_ALL=C
umask 077
agent=${1-}
event=${2-}
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
case $here in /* | [A-Za-z]:*) ;; *) here=$PWD/$here ;; esac
# What goes wrong below is for the log. Only the text that wakes an agent goes to standard error.
[ "$event" = FileChanged ] || exec 2>/dev/null

leave() {
  [ -t 0 ] || cat >/dev/null 2>&1
  exit 0
}

log() {
  if [ -f "$here/hook.log" ] && [ "$(wc -c <"$here/hook.log")" -gt 65536 ]; then mv -f "$here/hook.log" "$here/hook.log.1"; fi
  printf '%s %s %s: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$agent" "$event" "$1" >>"$here/hook.log"
} 2>/dev/null

# Is what lies in the folder of a session for this call? Where the environment does not name the session, the payload has to: to start a
# runtime at each call because of a message for somebody else would slow every agent down. A folder that is named by a digest is for hook.js.
payload=
payload_read=
is_for_us() {
  name=${1%/*}
  name=${name%/new}
  name=${name##*/}
  case $session/$name in
  '*'/s-*) return 0 ;;
  '*'/* | */agent-*) ;;
  *) return 0 ;;
  esac
  if [ -z "$payload_read" ]; then
    payload_read=yes
    [ -t 0 ] || payload=$(cat 2>/dev/null)
  fi
  case $payload in *"${name#agent-}"*) return 0 ;; esac
  return 1
}

# Runs hook.js with standard input, or with what was read of it.
run() {
  if [ -n "$payload_read" ]; then printf '%s' "$payload" | "$@"; else "$@"; fi
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

# The name of the session's folder. Where only hook.js can tell it, a pattern that finds more; hook.js then looks closer.
sub=
case $agent in
claude-code)
  session=${CLAUDE_CODE_SESSION_ID-}
  # Calls of a sub-agent come with the session of its parent; its own session is called like this.
  sub='agent-*'
  # Outside of a terminal the text of FileChanged is lost.
  if [ "$event" = FileChanged ] && [ "${CLAUDE_CODE_ENTRYPOINT-}" != cli ]; then leave; fi
  ;;
gemini-cli) session=${GEMINI_SESSION_ID-} ;;
# Codex and Copilot CLI name the session in the payload alone.
*) session= ;;
esac
case $session in
'') session='*' ;;
*[!A-Za-z0-9_-]*) session='s-*' ;;
esac
[ "${#session}" -le 64 ] || session='s-*'

id='??????????????????????????'
for message in "$here"/roots/*/.unstuck/inbox/$session/new/$id.json \
  ${sub:+"$here"/roots/*/.unstuck/inbox/$sub/new/$id.json}; do
  if [ -f "$message" ] && is_for_us "$message"; then deliver; fi
done

# In print mode the end of the turn is the end of the agent. Where a window says that it gives a verdict on this session, hook.js waits for it.
case $agent/$event in
claude-code/Stop) [ "${CLAUDE_CODE_ENTRYPOINT-}" = cli ] || ends=yes ;;
codex/Stop | gemini-cli/AfterAgent | copilot-cli/agentStop) ends=yes ;;
*) ends= ;;
esac
if [ -n "${ends-}" ]; then
  for gate in "$here"/roots/*/.unstuck/inbox/$session/gate.json; do
    if [ -f "$gate" ] && is_for_us "$gate"; then deliver; fi
  done
fi

# Which file to watch: the wake file of this session in each recorded folder that contains the project and has an inbox.
if [ "$agent/$event/${CLAUDE_CODE_ENTRYPOINT-}" = claude-code/SessionStart/cli ] && cd -P "${CLAUDE_PROJECT_DIR:-.}"; then
  project=$PWD
  watch=
  for root in "$here"/roots/*; do
    cd -P "$root" || continue
    case $project/ in "$PWD"/*) ;; *) continue ;; esac
    folder=$PWD/.unstuck/inbox/$session
    # Names that need care in JSON or are digests are for hook.js.
    case $folder in *[[:cntrl:]\"\\*]*) deliver ;; esac
    [ -d "$PWD/.unstuck" ] || continue
    # What is missing or looks odd is for hook.js, too.
    [ -f "$PWD/.unstuck/.gitignore" ] || deliver
    if [ -h "$PWD/.unstuck" ] || [ -h "$PWD/.unstuck/inbox" ] || [ -h "$folder" ]; then deliver; fi
    [ -d "$folder" ] || mkdir -p "$folder" || continue
    watch="$watch${watch:+,}\"$folder/wake\""
  done
  if [ -n "$watch" ]; then
    printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","watchPaths":[%s]}}' "$watch"
  else
    # A work tree elsewhere of a repository whose folder is recorded: hook.js finds out.
    while [ -n "$project" ]; do
      if [ -f "$project/.git" ]; then deliver; fi
      project=${project%/*}
    done
  fi
fi
leave
