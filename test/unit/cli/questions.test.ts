import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line';
import { openHistory } from '../../../src/cli/history';
import { questionOf } from '../../../src/editor/trees/incident-groups';
import { shared } from '../support/shared';

/** A person's query, and what the first result must contain to be right. */
type Question = readonly [asked: string, first: RegExp];

/** Over our own runs in test/golden/fixtures. */
const OF_FIXTURES: readonly Question[] = [
  ['stuck repeating', /"detector":"repeating_/],
  ['stuk repeatng', /"detector":"repeating_/],
  ['pytest', /"why":"[^"]*pytest/],
  ['pytst', /"why":"[^"]*pytest/],
  ['level:stuck pytest', /"level":"stuck".*pytest/],
  ['rule:monologue', /"detector":"monologue"/],
  ['agent:codex', /"agent":"codex"/],
];

/** Over all collected transcripts. The expectation is what a person meant, not only that the words are there. */
const OF_ALL: readonly Question[] = [
  ['stuck repeating', /"detector":"(?:repeating_action|repeating_outcome|text_loop)"/],
  ['stuk repeatng', /"detector":"(?:repeating_action|repeating_outcome|text_loop)"/],
  ['pytest', /"why":"[^"]*pytest/],
  ['pytst', /"why":"[^"]*pytest/],
  ['npm test', /"why":"`npm test`/],
  ['test_fix', /"why":"`python test_fix/],
  ['src/calc.py', /src\/calc\.py/],
  ['sql/query.py', /sql\/query\.py/],
  ['AssertionError', /AssertionError/],
  ['ECONNRESET', /"why":"[^"]*ECONNRESET/],
  ['rate limit', /"detector":"rate_limited"/],
  ['context compacted', /"detector":"condensation_loop"/],
  ['same edit failed', /"subject":"[Ee]dit/],
  ['unknown tool', /"detector":"validation_failure".*unknown tool/],
  ['permission denied', /[Pp]ermission[^"]*denied/],
  ['talk without a call', /"detector":"monologue"/],
  ['level:stuck pytest', /"level":"stuck".*pytest/],
  ['rule:stall', /"detector":"stall"/],
  ['agent:gemini-cli stuck', /"agent":"gemini-cli"/],
  ['agent:aider', /"agent":"aider"/],
];

/** Time to read all transcripts and keep their incidents; a busy machine takes several times longer than a free one. */
const LONG = { timeout: 10 * 60_000 };

const folders: string[] = [];
afterAll(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

async function lines(...args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const output = { line: (text: string) => void printed.push(text), note: () => {}, isTerminal: false };
  await runCommandLine(args, output, new Promise(() => {}), Readable.from([]));
  return printed;
}

/** Queries the command line and the view; both must answer the same. Returns the rows of the table. */
async function asked(store: string, questions: readonly Question[]) {
  const rows: { readonly asked: string; readonly found: number; readonly first: string; readonly right: boolean }[] =
    [];
  const history = await openHistory('recall', { store });
  try {
    for (const [question, expected] of questions) {
      const records = await lines('recall', ...question.split(' '), '--store', store, '--limit', '200', '--json');
      const { words, filter } = questionOf({ text: question, chips: [] }, Date.now());
      const seen = await history.recall(words, { filter, limit: 200 });
      const ids = records.map((line) => (JSON.parse(line) as { id: string }).id);
      expect(ids, question).toEqual(seen.map(({ id }) => id));
      const [first] = seen;
      const told = first?.kind === 'incident' ? `${first.incident.detector}: ${first.incident.why}` : 'a learning';
      rows.push({ asked: question, found: ids.length, first: told, right: expected.test(JSON.stringify(first ?? '')) });
    }
  } finally {
    await history.close();
  }
  return rows;
}

async function storeOf(...paths: readonly string[]): Promise<string> {
  const store = mkdtempSync(join(tmpdir(), 'unstuck-questions-'));
  folders.push(store);
  await lines('scan', ...paths, '--store', store, '--json');
  return store;
}

it('view and command line answer alike, the right thing first', LONG, async () => {
  const fixtures = ['claude-code', 'codex', 'gemini'].map((name) => join(__dirname, '../../golden/fixtures', name));
  const rows = await asked(await storeOf(...fixtures), OF_FIXTURES);
  expect(rows.filter(({ right }) => !right)).toEqual([]);
});

it('the table of 20 questions over all collected transcripts', LONG, async (context) => {
  const [transcripts, dev] = [shared('transcripts'), shared('eval/dev')];
  if (transcripts === undefined || dev === undefined) return context.skip('the collected transcripts are absent');
  const rows = await asked(await storeOf(transcripts, dev), OF_ALL);
  expect(rows.filter(({ right }) => !right)).toEqual([]);
});
