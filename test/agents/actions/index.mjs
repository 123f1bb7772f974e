import { background } from './interactive/background.mjs';
import { cleared } from './interactive/cleared.mjs';
import { escape } from './interactive/escape.mjs';
import { handsFull } from './interactive/hands-full.mjs';
import { inTerminal } from './interactive/in-terminal.mjs';
import { late } from './interactive/late.mjs';
import { parent } from './interactive/parent.mjs';
import { places, preparePlaces } from './interactive/places.mjs';
import { resumed } from './interactive/resumed.mjs';
import { terminalRestart } from './interactive/restart.mjs';
import { sessions } from './interactive/sessions.mjs';
import { permission, refusal } from './interactive/permission.mjs';
import { again } from './again.mjs';
import { atRoot, prepareRoot } from './at-root.mjs';
import { block } from './block.mjs';
import { BRAKES, BUDGET, atBudget, brake } from './brake.mjs';
import { checkpoint } from './checkpoint.mjs';
import { gate } from './gate.mjs';
import { loopRuns } from './loop-runs.mjs';
import { nudgeAtEnd } from './nudge-at-end.mjs';
import { nudge } from './nudge.mjs';
import { reassign } from './reassign.mjs';
import { escalate, fork, fresh, resume } from './restart.mjs';
import { stop } from './stop.mjs';
import { supervisorFork } from './supervisor-fork.mjs';
import { supervisorLoop } from './supervisor-loop.mjs';
import { supervisor } from './supervisor.mjs';
import { failing, killed, limited, loggedOut, retrying } from './situations/in-terminal.mjs';
import { elsewhere } from './situations/elsewhere.mjs';
import { failedRun } from './situations/failed-run.mjs';
import { heldByHook, prepareHook } from './situations/hooked.mjs';
import { limitOpens } from './situations/limits.mjs';
import { missedNotice, missedSubAgent } from './situations/missed.mjs';
import { compacted, ownCommand, permissionTold, planned, question } from './situations/by-hand.mjs';
import { toldOfSubAgent } from './situations/told.mjs';
import { subAgent } from './situations/sub-agent.mjs';
import { worktree } from './worktree.mjs';

/** Actions in the order of the table. `rare`: only with --interactive or by name, since all of them together take a while. */
export const ACTIONS = [
  { id: 'nudge', name: 'nudge while it works', run: nudge },
  { id: 'again', name: 'stuck twice in the same way', run: again },
  { id: 'end', name: 'nudge at the end', run: nudgeAtEnd },
  { id: 'stop', name: 'stop', run: stop },
  { id: 'block', name: 'block one call', run: block },
  {
    id: 'brake',
    name: 'refused the fourth equal call by a setting',
    run: brake,
    brakes: BRAKES,
    needs: ({ impossible, loop }) => impossible.block === undefined && loop === undefined,
    without: 'its own check leaves no equal calls in a row, or its hook cannot refuse one',
  },
  {
    id: 'budget',
    name: 'stopped at a budget by a setting',
    run: atBudget,
    ...BUDGET,
    needs: ({ impossible }) => impossible.stop === undefined,
    without: 'nothing of it ends a turn',
  },
  { id: 'gate', name: 'a gate blocks the end', run: gate },
  { id: 'resume', name: 'resume with a prompt', run: resume },
  { id: 'fork', name: 'fork', run: fork },
  { id: 'fresh', name: 'fresh start', run: fresh },
  { id: 'escalate', name: 'escalate the model', run: escalate },
  { id: 'reassign', name: 'reassign', run: reassign },
  { id: 'checkpoint', name: 'checkpoint and restore', run: checkpoint },
  { id: 'runs', name: 'a loop that starts it again and again', run: loopRuns },
  { id: 'at-root', name: 'at the root of what is open in part', run: atRoot, prepare: prepareRoot },
  {
    id: 'worktree',
    name: 'enters a worktree',
    run: worktree,
    needs: ({ entersWorktree }) => entersWorktree !== undefined,
    without: 'no tool of it enters a worktree',
  },
  {
    id: 'sub-agent',
    name: 'lets a sub-agent work',
    run: subAgent,
    rare: true,
    needs: ({ delegates }) => delegates !== undefined,
    without: 'no sub-agent of it is started here',
  },
  // In a terminal, with a person at the keyboard.
  { id: 'terminal', name: 'in a terminal: loop, nudge, nudge while idle', run: inTerminal, interactive: true },
  { id: 'permission', name: 'a permission is asked, then given', run: permission, interactive: true },
  { id: 'refusal', name: 'a permission is asked, then refused', run: refusal, interactive: true },
  { id: 'escape', name: 'Escape with a waiting nudge', run: escape, interactive: true },
  { id: 'terminal-restart', name: 'restart in its terminal', run: terminalRestart, interactive: true },
  {
    id: 'hands-full',
    name: 'three calls at once, a half-written prompt, three nudges',
    run: handsFull,
    interactive: true,
    rare: true,
  },
  { id: 'sessions', name: 'two sessions in one folder', run: sessions, interactive: true, rare: true },
  {
    id: 'places',
    name: 'in a subfolder, in a worktree, in another repository',
    run: places,
    interactive: true,
    rare: true,
    scope: 'user',
    prepare: preparePlaces,
  },
  { id: 'resumed', name: 'opened again while a nudge waits', run: resumed, interactive: true, rare: true },
  {
    id: 'late',
    name: 'connected while it runs, then disconnected',
    run: late,
    interactive: true,
    rare: true,
    connected: false,
  },
  {
    id: 'background',
    name: 'idle while its command runs in the background',
    run: background,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive.inBackground !== undefined,
    without: 'no command of it runs in the background here',
  },
  {
    id: 'cleared',
    name: 'begun anew in its terminal',
    run: cleared,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive.clears !== undefined,
    without: 'its own command for that is not driven here',
  },
  {
    id: 'parent',
    name: 'a parent whose sub-agent works in the background',
    run: parent,
    interactive: true,
    needs: ({ interactive }) => interactive.subAgent !== undefined,
    without: 'no sub-agent of it runs in the background here',
  },
  {
    id: 'shell',
    name: 'a command of its person',
    run: ownCommand,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.ownCommands === true,
    without: 'its person runs no command in it here',
  },
  {
    id: 'compaction',
    name: 'compacted by its person',
    run: compacted,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.compaction !== undefined,
    without: 'it is not compacted here',
  },
  {
    id: 'question',
    name: 'asks its person',
    run: question,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.question !== undefined,
    without: 'no tool of it asks here',
  },
  {
    id: 'asks',
    name: 'a permission is told as one',
    run: permissionTold,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.asking !== undefined,
    without: 'it asks for no permission here',
  },
  {
    id: 'plan',
    name: 'proposes a plan',
    run: planned,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.proposes !== undefined,
    without: 'no tool of it proposes a plan here',
  },
  // What is shown when the agent's service fails, and when the agent is killed.
  { id: 'error', name: 'its service fails for good', run: failing, interactive: true, rare: true },
  { id: 'failed-run', name: 'a run without a terminal whose login is refused', run: failedRun, rare: true },
  { id: 'login', name: 'its login is refused', run: loggedOut, interactive: true, rare: true },
  { id: 'retry', name: 'its service fails twice', run: retrying, interactive: true, rare: true },
  { id: 'limit', name: 'its usage limit is reached', run: limited, interactive: true, rare: true },
  { id: 'death', name: 'killed in the middle of a call', run: killed, interactive: true, rare: true },
  {
    id: 'limits',
    name: 'a limit that stopped two agents opens',
    run: limitOpens,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive.atLimit !== undefined,
    without: 'its terminal is not driven at a limit here',
  },
  {
    id: 'elsewhere',
    name: 'its environment moves its files',
    run: elsewhere,
    interactive: true,
    rare: true,
    connected: false,
    needs: ({ interactive }) => interactive.movedBy !== undefined,
    without: 'its files are not moved here',
  },
  {
    id: 'hook',
    name: 'a hook of its person never lets it end',
    run: heldByHook,
    prepare: prepareHook,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive.namesHook !== undefined,
    without: 'no hook of a person is driven here',
  },
  {
    id: 'missed',
    name: 'its build ended in the background, and it was not told',
    run: missedNotice,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive.leavesBehind !== undefined,
    without: 'nothing that it starts outlives its turn here',
  },
  {
    id: 'missed-sub-agent',
    name: 'its sub-agent ended in the background, and it was not told',
    run: missedSubAgent,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.leavesSubAgent !== undefined,
    without: 'it is told of the end, or no sub-agent of it outlives its turn here',
  },
  {
    id: 'told',
    name: 'its sub-agent ended in the background, and it was told',
    run: toldOfSubAgent,
    interactive: true,
    rare: true,
    needs: ({ interactive }) => interactive?.subAgent !== undefined,
    without: 'no sub-agent of it runs in the background here',
  },
  // Without a hook: messages reach the agent through the supervisor.
  { id: 'supervisor', name: 'under the supervisor', run: supervisor, connected: false },
  { id: 'supervisor-fork', name: 'fork under the supervisor', run: supervisorFork, connected: false },
  { id: 'supervisor-loop', name: 'a loop under the supervisor', run: supervisorLoop, connected: false },
];
