import { beforeEach, describe, expect, it, vi } from 'vitest';
import { editor, opened, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import { resolveOptions } from '../../../../src/detect/session/options';
import { Session } from '../../../../src/engine/session/session';
import type { AgentEvent, Source } from '../../../../src/core/model';
import { showCounted, showSkipped } from '../../../../src/editor/transcripts/counted';

const FILE = '/t.jsonl';

/** A session that ran `make` twice, the second time with an error, and reported an item of its plan as blocked. */
function stage() {
  const session = new Session({
    agent: 'generic',
    agentName: 'Agent',
    session: 's',
    file: FILE,
    showsRunningTool: true,
    detectors: resolveOptions({ preset: 'balanced', detectors: {} }),
    isHistory: () => false,
    live: false,
    onIncident: () => {},
  });
  let line = 0;
  const push = (fields: object) => {
    line++;
    const source = { file: FILE, line, offset: line * 100 };
    session.push({ agent: 'generic', session: 's', at: line * 1000, source, ...fields } as AgentEvent);
  };
  for (const isError of [false, true]) {
    push({ type: 'tool_call', id: `c${line}`, name: 'Bash', kind: 'ran', subject: 'make', args: { a: line } });
    push({ type: 'tool_result', id: `c${line - 1}`, output: `${line}`, isError });
  }
  push({ type: 'plan', items: [{ id: '1', title: 'Write the docs', status: 'blocked' }] });
  const shown: [Source, string][] = [];
  const open = (asked: Parameters<typeof showCounted>[3]) =>
    showCounted(
      { engine: { session: () => session } as never },
      { show: async (source, of) => void shown.push([source, of]) },
      session.view(10_000),
      asked,
    );
  return { open, shown };
}

beforeEach(resetEditor);

describe('a number of loop health', () => {
  it('lists what it counts, and opens what is picked', async () => {
    const { open, shown } = stage();
    editor.answers.push('$(error) make');
    await open({ thing: 'calls', name: 'Bash' });
    expect(editor.questions).toEqual(['2 calls of Bash, newest first. Open which one?']);
    expect(editor.picked).toEqual([['$(error) make', 'make']]);
    expect(shown).toEqual([[{ file: FILE, line: 4, offset: 400 }, 's']]);
  });

  it('opens nothing if nothing is picked', async () => {
    const { open, shown } = stage();
    await open({ thing: 'failures' });
    expect(editor.questions).toEqual(['1 failed call, newest first. Open which one?']);
    expect(shown).toEqual([]);
  });

  it('names the plan item that it counts', async () => {
    const { open } = stage();
    await open({ thing: 'blocked', name: '1' });
    expect(editor.questions).toEqual(['“Write the docs” was blocked 1 time, newest first. Open which one?']);
  });

  it('says so if none of it can be opened', async () => {
    const { open } = stage();
    await open({ thing: 'malformed' });
    expect(editor.shown).toEqual([
      { kind: 'information', text: 'None of these can be opened right now.', buttons: [] },
    ]);
  });
});

it.each([
  [1, '1 line was skipped.'],
  [1_200, '1,200 lines were skipped.'],
])('%i skipped lines are listed with the reason, if it is known', async (skipped, words) => {
  const coverage = { skipped, problems: [{ line: 7, why: 'no JSON' }] };
  await showSkipped({ coverage, file: FILE } as never);
  expect(opened.map(({ content }) => content)).toEqual([`${FILE}: ${words}\n\nline 7: no JSON`]);
});
