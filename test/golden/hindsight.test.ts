import { expect, it } from 'vitest';
import { registry } from '../../src/agents/registry';
import type { AgentEvent, AgentId, AgentState } from '../../src/core/model';
import { ticksUpTo } from '../../src/engine/session/ticks';
import type { Session } from '../../src/engine/session/session';
import { readRecordings } from '../unit/agents/recordings';
import { sessionWith } from '../unit/engine/session/support';

/** A person will read a state that is wrong for longer than this. */
const WRONG_FOR_MS = 3_000;
/** Records alongside the conversation: they do not end a pause. */
const BESIDE = new Set<AgentEvent['type']>([
  'usage',
  'other',
  'session_info',
  'plan',
  'clock',
  'job_end',
  'message_taken',
]);

/** Returns how the next record contradicts a state in the pause before it; null where the state may have been true. */
function contradiction(state: AgentState, before: AgentEvent, next: AgentEvent): string | null {
  const isPersons = state.kind === 'finished' || (state.kind === 'waiting' && !state.probable);
  if (isPersons && (next.type === 'assistant' || next.type === 'tool_call' || next.type === 'tool_result'))
    return state.waitingFor === 'permission' || state.waitingFor === 'question'
      ? null
      : 'the agent continued on its own';
  const isAnswered = before.type === 'assistant' || before.type === 'turn_end';
  if (state.kind === 'working' && isAnswered && next.type === 'user' && !next.automated) return 'its person wrote next';
  return null;
}

/** Plays a session on its own clock and keeps the state of each pause that turns out to be wrong. */
class Player {
  readonly wrong: string[] = [];
  pauses = 0;
  private readonly session: Session;
  private before: AgentEvent | null = null;

  constructor(agent: AgentId) {
    const { showsRunningTool = false, turnEnds, outcomesLateMs } = registry.find(({ id }) => id === agent) ?? {};
    this.session = sessionWith({ agent, showsRunningTool, ...(turnEnds && { turnEnds }), outcomesLateMs });
  }

  push(event: AgentEvent): void {
    const { before, session } = this;
    // Events from one line were written at the same time.
    const isPause = before?.source.line !== event.source.line && !BESIDE.has(event.type);
    if (before && isPause && event.at - before.at > WRONG_FOR_MS) {
      this.pauses++;
      for (const at of [before.at + WRONG_FOR_MS, event.at - 1]) {
        ticksUpTo(session, at);
        const { state } = session.view(at);
        const why = contradiction(state, before, event);
        const { file, line } = event.source;
        if (why) this.wrong.push(`${file}:${line}: ${state.kind} ${state.waitingFor ?? ''}, but ${why}`);
      }
    }
    ticksUpTo(session, event.at);
    session.push(event);
    if (!BESIDE.has(event.type)) this.before = event;
  }
}

/** Plays these events, all of one agent. */
function judge(
  agent: AgentId,
  events: readonly AgentEvent[],
): { readonly pauses: number; readonly wrong: readonly string[] } {
  const players = new Map<string, Player>();
  for (const event of events) {
    const key = `${event.source.file} ${event.session}`;
    const player = players.get(key) ?? new Player(agent);
    players.set(key, player);
    player.push(event);
  }
  const played = [...players.values()];
  return {
    pauses: played.reduce((sum, { pauses }) => sum + pauses, 0),
    wrong: played.flatMap(({ wrong }) => wrong),
  };
}

const recordings = await readRecordings();

it.each([...recordings])(
  'no pause of a recording of %s shows a state that the next record contradicts',
  (agent, { here }) => {
    expect(judge(agent as AgentId, here).wrong).toEqual([]);
  },
);

it.runIf(process.env['UNSTUCK_PAUSES'] === 'collected')('the same for collected transcripts, for reading', () => {
  for (const [agent, { here, beside }] of recordings) {
    const { pauses, wrong } = judge(agent as AgentId, [...here, ...beside]);
    console.log(`${agent}: ${wrong.length} wrong states in ${pauses} pauses`);
    for (const one of wrong) console.log(`  ${one}`);
  }
});
