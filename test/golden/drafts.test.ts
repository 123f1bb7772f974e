import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/agents/registry';
import { resolveOptions } from '../../src/detect/session/options';
import { recognise } from '../../src/engine/follow/recognise';
import { scanFile } from '../../src/engine/scan-cache';
import { DETECTOR_IDS, type Incident } from '../../src/core/model';
import { draftNudge } from '../../src/recover/drafts/draft';
import { FORMATS, decoded } from '../unit/detect/support/formats';
import { run } from '../unit/detect/support/run';
import { SCENES } from '../unit/detect/support/scenes';
import { incident as made } from '../unit/history/support/make';
import { shared } from '../unit/support/shared';

/**
 * The text that one click sends, for each incident of real transcripts. `drafts.txt` holds those of the fixtures: read the difference before you
 * commit it. `npm run table -- drafts` writes those of all collected transcripts to test-output/drafts.txt and checks them; with
 * UNSTUCK_DRAFTS=FOLDER:FOLDER, those of other folders.
 */
const fixtures = join(__dirname, 'fixtures');
const golden = join(__dirname, 'drafts.txt');
const asked = process.env['UNSTUCK_DRAFTS'];
const folders = asked === 'collected' ? [shared('eval'), shared('transcripts')] : (asked?.split(':') ?? []);

/** Most words before the first quotation: a model in the middle of its work reads no more than that. */
const MOST_WORDS = 120;
const MINUTES = 3;

interface Draft {
  readonly title: string;
  readonly incident: Incident;
  readonly text: string;
}

async function draftsOf(file: string, shown: string): Promise<Draft[]> {
  const head = readFileSync(file).subarray(0, 65_536).toString('utf8');
  const adapter = recognise(registry, head, file);
  if (!adapter) return [];
  const { sessions } = await scanFile(file, {
    adapter,
    detectors: () => resolveOptions({ preset: 'balanced', detectors: {} }),
    readSmall: () => undefined,
  });
  return sessions
    .flatMap(({ incidents }) => incidents)
    .map((incident) => {
      const { detector, rule, level, alertLine } = incident;
      const title = `${detector}${rule ? `/${rule}` : ''} ${level} ${shown}:${alertLine}`;
      return {
        title,
        incident,
        text: draftNudge(incident, { automatic: false, now: incident.firstAt + MINUTES * 60_000 }),
      };
    });
}

/** A made-up run for each rule: our own transcripts show little of some rules, and nothing of others. */
function draftsOfScenes(): Draft[] {
  const format = FORMATS.find(({ name }) => name === 'generic');
  if (!format) return [];
  return DETECTOR_IDS.flatMap((detector) => {
    const { findings } = run(decoded(format, SCENES[detector]('price')));
    const last = findings.findLast((finding) => finding.detector === detector);
    if (!last) return [];
    const incident = made({ ...last, level: last.level });
    const text = draftNudge(incident, { automatic: false, now: incident.firstAt + MINUTES * 60_000 });
    return [{ title: `${detector} ${last.level}, a made-up run`, incident, text }];
  });
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:jsonl|json|traj|log|md)$/.test(file) && !/\.(?:meta\.json|rows\.jsonl)$/.test(file))
    .sort();

async function draftsBelow(folder: string): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const file of filesBelow(folder)) drafts.push(...(await draftsOf(join(folder, file), file)));
  return drafts;
}

const print = (drafts: readonly Draft[]): string =>
  drafts.map(({ title, text }) => `##### ${title}\n\n${text}\n`).join('\n');

const outside = (text: string): string => text.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '');

function check({ title, incident, text }: Draft): void {
  const own = outside(text);
  expect(own, title).not.toContain('```');
  const [lead = ''] = text.split('\n```');
  expect(lead.split(/\s+/).length, title).toBeLessThanOrEqual(MOST_WORDS);
  const [sender, step] = text.split('\n\n');
  expect(sender, title).toBe('Unstuck, an automated watcher, wrote this; a person sent it.');
  expect(step?.length, title).toBeGreaterThan(20);
  // No machine words, nobody mentioned in the third person, no placeholder left unfilled.
  expect(own, title).not.toMatch(
    /Reason:|message \d+ about|\b(?:It|The agent) (?:said|edited|ran|may)\b|[{}]|undefined|\b1 times\b/,
  );
  expect(own, title).not.toContain(incident.reason);
  for (const [, fence = ''] of text.matchAll(/^`{3,}\n([\s\S]*?)\n`{3,}$/gm))
    expect(fence.split('\n').length, title).toBeLessThanOrEqual(14);
}

describe('the text that one click sends', () => {
  it('is the same as before for each incident of the fixtures, and for each rule', async () => {
    const scenes = draftsOfScenes();
    expect(scenes.map(({ incident }) => incident.detector)).toEqual(DETECTOR_IDS);
    const drafts = [...(await draftsBelow(fixtures)), ...scenes];
    for (const draft of drafts) check(draft);
    if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, print(drafts));
    expect(existsSync(golden), 'npm run golden').toBe(true);
    expect(print(drafts)).toBe(readFileSync(golden, 'utf8'));
  });

  it.runIf(folders.length > 0)('reads well for other transcripts', { timeout: 3_600_000 }, async () => {
    const drafts: Draft[] = [];
    for (const folder of folders) if (folder !== undefined) drafts.push(...(await draftsBelow(folder)));
    mkdirSync('test-output', { recursive: true });
    writeFileSync('test-output/drafts.txt', print(drafts));
    for (const draft of drafts) check(draft);
    console.log(`${drafts.length} drafts in test-output/drafts.txt`);
    expect(drafts.length).toBeGreaterThan(0);
  });
});
