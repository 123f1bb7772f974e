import { type AgentRecord, type EventRecord, type MachineRecord, type MessageRecord } from '../../../../src/fleet/wire';
import { agentRecord } from '../../../../src/fleet/wire/record';
import type { AgentView } from '../../../../src/core/model';
import { agentView } from '../../editor/support/views';
import { incident, T0 } from '../../history/support/incidents';

const RUN = '01JD0000000000000000000RVN';
export const HEAD = { machine: 'alpha', run: RUN, n: 1, at: T0 };

export function stuckView(changes: Partial<AgentView> = {}): AgentView {
  return agentView('s1', { kind: 'stuck' }, { incidents: [incident()], ...changes });
}

export function agent(changes: Partial<AgentView> = {}): AgentRecord {
  return agentRecord(stuckView(changes), HEAD, ['nudge']);
}

export const machine: MachineRecord = {
  v: 1,
  kind: 'machine',
  ...HEAD,
  host: 'alpha.example',
  version: '0.1.0',
  platform: 'linux',
  startedAt: T0,
  allow: ['nudge'],
  agents: 1,
  everyMs: 10_000,
};

export const event: EventRecord = {
  v: 1,
  kind: 'event',
  ...HEAD,
  id: '01JD0000000000000000000001',
  key: 's1',
  session: 's1',
  agent: 'codex',
  event: { type: 'state', state: 'stuck', since: T0 },
};

export const message: MessageRecord = {
  v: 1,
  kind: 'message',
  id: '01JD0000000000000000000002',
  machine: 'alpha',
  viewer: 'me',
  key: 's1',
  session: 's1',
  agent: 'codex',
  at: T0,
  action: 'nudge',
  text: 'Read the failing assertion first.',
  expiresInMs: 600_000,
};
