import { describe, expect, it } from 'vitest';
import type { AgentView, Delivery } from '../../../../src/core/model';
import type { Reach } from '../../../../src/core/words';
import { continueAll, waitsAfterLimit } from '../../../../src/editor/nudges/continue-all';
import { MINUTE, T0 } from '../../history/support/incidents';
import { agentView } from '../support/views';

const OPEN = T0 + 30 * MINUTE;
const NOW = OPEN + MINUTE;
const held = (session: string, until = OPEN, changes: Partial<AgentView> = {}) =>
  agentView(session, { kind: 'waiting', waitingFor: 'limit', until }, changes);
const sentAt = (queued: number, state: Delivery['state'] = 'acted') =>
  ({ state, times: { queued }, message: { id: 'M' } }) as unknown as Delivery;

/** Presses *Continue All*. Returns what was sent to whom, and what the person reads. */
async function press(
  all: readonly AgentView[],
  reaches: Readonly<Record<string, Reach>> = {},
  result: object = { sent: {} },
) {
  const sent: string[] = [];
  const controls = ({ session }: AgentView) =>
    ({
      messages: {
        reach: () => reaches[session] ?? { kind: 'wakes' },
        send: (_: unknown, text: string) => {
          sent.push(`${session}: ${text.split('\n\n')[1] ?? ''}`);
          return Promise.resolve(result);
        },
      },
    }) as never;
  return { said: await continueAll(all, controls, NOW), sent };
}

describe('Continue All', () => {
  it('sends "continue" to each agent whose limit has opened, and to no others', async () => {
    const working = agentView('w');
    const { said, sent } = await press([held('a'), working, held('b'), held('later', NOW + MINUTE)]);
    const text = 'The usage limit that stopped you has ended. Continue with the task where you left off.';
    expect(sent).toEqual([`a: ${text}`, `b: ${text}`]);
    expect(said).toBe('Continue was sent to 2 agents.');
  });

  it('sends it once per opening', async () => {
    const told = held('a', OPEN, { deliveries: [sentAt(OPEN + 1)] });
    expect(await press([told])).toEqual({ said: 'No agent is waiting after a usage limit.', sent: [] });
    // A message that was sent before the limit opened, or withdrawn, does not count as an answer to it.
    const before = held('a', OPEN, { deliveries: [sentAt(OPEN - 1), sentAt(OPEN + 1, 'withdrawn')] });
    expect((await press([before])).sent).toHaveLength(1);
  });

  it('sends it once for two quick clicks, and again later', async () => {
    const views = [held('a'), held('b')];
    const [first, second] = await Promise.all([press(views), press(views)]);
    expect([...first.sent, ...second.sent]).toHaveLength(2);
    expect([first.said, second.said]).toEqual(['Continue was sent to 2 agents.', '']);
    expect((await press(views)).sent).toHaveLength(2);
  });

  it('names those that nothing reaches', async () => {
    const { said, sent } = await press([held('a'), held('b'), held('c')], {
      b: { kind: 'not_connected', canConnect: true },
      c: { kind: 'hindered', why: 'untrusted' },
    });
    expect(sent).toHaveLength(1);
    expect(said).toBe(
      'Continue was sent to 1 agent. Not sent, because nothing can deliver it: “Task of b”, “Task of c”.',
    );
  });

  it('names those to whom it could not be sent', async () => {
    const { said } = await press([held('a')], {}, { message: 'The disk is full.' });
    expect(said).toBe('Not sent, because nothing can deliver it: “Task of a”.');
  });

  it('does not say that it was sent to an agent for which the person declined it', async () => {
    expect((await press([held('a')], {}, { handled: true })).said).toBe('');
  });

  it('is offered while an agent waits', () => {
    expect(waitsAfterLimit(held('a'), NOW)).toBe(true);
    expect(waitsAfterLimit(held('a'), OPEN - 1)).toBe(false);
    expect(waitsAfterLimit(held('a', OPEN, { history: true }), NOW)).toBe(false);
  });
});
