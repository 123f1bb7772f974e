import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { generic } from '../../../src/agents/generic/adapter';
import { miniSweAgent } from '../../../src/agents/mini-swe-agent/adapter';
import { resolveOptions } from '../../../src/detect/session/options';
import { scanFile } from '../../../src/engine/scan-cache';
import { homeFolder } from './support';

const START = Date.UTC(2026, 2, 16);

async function scanned(adapter: AgentAdapter, text: string) {
  const file = join(homeFolder(), 's.agent.jsonl');
  writeFileSync(file, text);
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} }, adapter.id);
  const { sessions } = await scanFile(file, { adapter, detectors, readSmall: () => undefined });
  return sessions.map(({ whole, incidents }) => ({ startedAt: whole.firstAt, incidents }));
}

describe('a record without a time', () => {
  it('is at the first known time if there is none before it, so that no silence appears there', async () => {
    const run = {
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'Task' },
        { role: 'assistant', content: '```bash\nls\n```', extra: { timestamp: START / 1000 } },
        { role: 'user', content: '<returncode>0</returncode>\n<output>\na\n</output>' },
      ],
    };
    expect(await scanned(miniSweAgent, JSON.stringify(run))).toEqual([{ startedAt: START, incidents: [] }]);
  });

  it('does so in a format of lines, too', async () => {
    const line = (t: number, body: object) => `${JSON.stringify({ v: 1, t, session: 's', ...body })}\n`;
    const text =
      line(0, { type: 'user', text: 'Task' }) + line(START, { type: 'tool_call', id: 'a', name: 'x', args: {} });
    expect(await scanned(generic, text)).toEqual([{ startedAt: START, incidents: [] }]);
  });

  it('keeps a run that has no time at all', async () => {
    const run = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'Task' },
    ];
    expect(await scanned(miniSweAgent, JSON.stringify(run))).toEqual([{ startedAt: 0, incidents: [] }]);
  });
});
